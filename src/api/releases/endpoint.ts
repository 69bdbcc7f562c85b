// GET /releases: the versions of an app, with what its reviews were like before and after each.
import { z } from "zod";
import { beforeDays, releaseDays } from "../../domain/changes/release-periods.ts";
import { readCoveredDays } from "../../use-cases/apps/covered-days.ts";
import { compareReleases, listReleaseTopics } from "../../use-cases/apps/releases.ts";
import type { ReviewCounts } from "../../use-cases/apps/review-counts.ts";
import { versionsMax } from "../../use-cases/apps/walk-versions.ts";
import { dayText, histogramSchema, toHistogram, topicCountSchema } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { appParameters } from "../parameters.ts";

const releasesMax = 100;
const topicsMax = 5;

const count = z.int().min(0);
const reviews = z
  .object({
    from: dayText,
    to: dayText,
    total: count,
    averageRating: z.number().nullable().describe("2 decimals; null without reviews."),
    ratings: histogramSchema,
    sentiment: z.object({ positive: count, neutral: count, negative: count, mixed: count }),
  })
  .meta({ id: "ReviewCounts" });

export const releasesResponse = z
  .object({
    releases: z
      .array(
        z
          .object({
            version: z.string(),
            firstSeen: dayText.describe("Day of the oldest review that names it."),
            reviews: reviews.describe(
              `All reviews from that day on, up to the next release or for ${releaseDays} days.`,
            ),
            before: reviews
              .nullable()
              .describe(
                `All reviews of the ${beforeDays} days before, as far as every feed has reviews; null without such days.`,
              ),
            topTopics: z
              .array(topicCountSchema)
              .describe("The five most frequent of `reviews`, without topics of your own."),
          })
          .meta({ id: "Release" }),
      )
      .describe(`The newest first, at most ${releasesMax}.`),
  })
  .meta({ id: "Releases" });

export const releasesEndpoint = defineEndpoint({
  path: "/releases",
  id: "listReleases",
  tag: "Figures",
  summary: "List releases",
  description:
    "The versions of an app by the reviews that name them, each with the stars, sentiment and topics of all reviews since it came out, and of the days before.",
  parameters: appParameters,
  appIdsOf: ({ app }) => [app],
  responseSchema: releasesResponse,
  problems: ["invalid_parameter", "app_not_found"],
  async handle({ database, workspaceId, apps }) {
    const scope = { workspaceId, apps };
    const all = { ...scope, from: null, to: null, limit: versionsMax };
    const known = await database.listAppVersions(all);
    const versions = known.slice(0, releasesMax);
    const compared = await compareReleases(database, {
      ...{ ...scope, known, versions },
      covered: await readCoveredDays(database, scope),
    });
    const topics = await listReleaseTopics(database, {
      ...{ ...scope, releases: compared, limit: topicsMax },
    });
    return {
      releases: compared.map(({ version, firstDay: firstSeen, before, after }, at) => ({
        version,
        firstSeen,
        reviews: show(after),
        before: before && show(before),
        topTopics: topics[at] ?? [],
      })),
    };
  },
});

function show(counts: ReviewCounts & { from: string; to: string }): z.infer<typeof reviews> {
  const { from, to, total, averageRating, stars, sentiment } = counts;
  return { from, to, total, averageRating, ratings: toHistogram(stars), sentiment };
}
