// The verdict on a release: whether its reviews are worse than the app's own past, with the evidence. The read API, the
// command and the dashboard have the same JSON.
import { z } from "zod";
import { appNameSchema } from "../feed/listing.ts";

const verdictResults = ["worse", "fine", "undecided"] as const;
export type VerdictResult = (typeof verdictResults)[number];

/** `better` is a fine release with fewer negative reviews; a worse one may be fixed, or not, by a later release. */
const releaseOutcomes = ["worse", "not_fixed", "fixed", "better", "fine", "too_early"] as const;

/** `fine` rules out that a share rose by this much; smaller rises take very many reviews to rule out. */
export const worseByDefault = 0.2;
export const worseBySchema = z
  .number("must be a number from 0.05 to 0.5")
  .min(0.05, "must be 0.05 or more")
  .max(0.5, "must be 0.5 or less");

/** A fine release is called worse at most this often. */
export const falseAlarmRate = 0.05;
/** The e-value that decides. */
export const evidenceMin = 1 / falseAlarmRate;

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const moment = z.iso.datetime();

const evidence = z.object({
  reviewCount: count.describe("After this many reviews of the release."),
  at: moment.describe("When the last of them arrived."),
  worse: z.number().describe("Evidence (an e-value) that a share rose; 20 makes it worse."),
  fine: z
    .number()
    .describe("Evidence (an e-value) that no share rose by `worseBy`; 20 makes it fine."),
});

const state = z.enum(["fixed", "not_fixed", "too_early"]);

const aftermath = z.object({
  state: state.describe("`fixed`: everything that made the release worse is back to usual."),
  question: z.string().describe("Complaints of this kind made the release worse."),
  version: z
    .string()
    .describe("The release that is judged: the next one, or the first that helped."),
  laterVersions: z
    .array(z.string())
    .describe("It, and those after it whose reviews count as well: none that is itself worse."),
  troubleVersion: z
    .string()
    .nullable()
    .describe("The release after them that is itself worse, whose reviews don't count."),
  count: count.describe("Complaints among the reviews that name these releases."),
  total: count.describe("Reviews that name these releases."),
  praiseCount: count.describe("Of those, positive ones that mention the topic."),
  questions: z
    .array(
      z.object({
        question: z.string(),
        state,
        count: count.describe("Among `total` reviews."),
        ownCount: count.describe("Among the `ownTotal` reviews of the release itself."),
        countBefore: count.describe("Among the reviews before the release."),
      }),
    )
    .describe("Everything that made the release worse, `question` first."),
  ownCount: count.describe("Complaints among the reviews that name the release itself."),
  ownTotal: count.describe("Reviews that name the release itself."),
  stragglerCount: count.describe("Complaints since then that still name the release itself."),
  unknownCount: count.describe("Complaints since then that name no version."),
});

export const verdictSchema = z
  .object({
    app: appNameSchema,
    version: z.string(),
    firstDay: z.iso.date().describe("The day on which a review first named the version."),
    result: z.enum(verdictResults),
    outcome: z
      .enum(releaseOutcomes)
      .describe("The result, and whether a later release fixed a `worse` one."),
    words: z.string().describe("The evidence in words, or the reason for a missing verdict."),
    isWithheld: z
      .boolean()
      .describe(
        "Whether `undecided` has another reason than too little evidence: `words` names it.",
      ),
    worseBy: share.describe("The rise of a share that `fine` rules out: 0.2 is 20 points."),
    decidedAt: moment
      .nullable()
      .describe("When the evidence first sufficed; null while undecided."),
    reviewCount: count.describe("Reviews of the release that were tested."),
    comparedCount: count.describe("Those with past reviews of their storefront or language."),
    pastCount: count.describe("Past reviews that the test compared them with."),
    before: z
      .object({
        from: z.iso.date(),
        to: z.iso.date(),
        total: count.describe("All reviews of these days, whatever version they name."),
      })
      .nullable()
      .describe(
        "The twelve weeks before the release, as far as every feed has reviews; null without such days.",
      ),
    shares: z
      .array(
        z.object({
          question: z.string().describe("negative, low_stars (1 or 2), or complaints of a topic."),
          count: count.describe("Reviews until the verdict that answer it with yes."),
          total: count.describe("Reviews until the verdict."),
          countBefore: count.describe("The same among the reviews of `before`."),
          share: share.describe("`count` of `total`."),
          pastShare: share.describe("`countBefore` of the reviews before."),
          evidence: z.number().describe("The evidence of this question alone that its share rose."),
        }),
      )
      .describe("Where the evidence is strongest, at most 6."),
    aftermath: aftermath
      .nullable()
      .describe("Of a `worse` release: complaints since the next one; null without a next one."),
    reviewIds: z
      .array(z.string())
      .describe(
        "Reviews that decided a `worse`, at most 20: those that answer its first question.",
      ),
    evidence: z.array(evidence).describe("The curve of evidence, at most 200 points."),
  })
  .meta({ id: "Verdict" });

export type Verdict = z.infer<typeof verdictSchema>;

export type Aftermath = NonNullable<Verdict["aftermath"]>;
