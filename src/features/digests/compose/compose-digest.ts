// Composes a digest from daily counts and the newest texts: what changed in a range of days. Pure: the same input
// gives the same digest.
import type {
  DailyCount,
  Digest,
  DigestReview,
  DuplicateGroup,
  NewPhrase,
} from "../../../domain/changes/digest.ts";
import type { Verdict } from "../../../domain/changes/verdict.ts";
import { shorten } from "../../../domain/review/quote.ts";
import { groupNearDuplicates, type ReviewWords, wordsOf } from "./near-duplicates.ts";
import { findNewPhrases } from "./new-phrases.ts";
import { chooseQuotes } from "./quotes.ts";
import { describeDigest, describeDuplicates, describePhrase, describeSpike } from "./sentences.ts";
import { type DayRange, findSpikes, listDays, type Stars } from "./spikes.ts";

export type DigestInput = Pick<Digest, "app" | "kind" | "version" | "range"> & {
  /** null where there are too few days or reviews to compare with. */
  baseline: DayRange | null;
  counts: readonly DailyCount[];
  verdicts: readonly Pick<Verdict, "version" | "outcome" | "words">[];
  /** Reviews with 1 to 5 stars, in that order: of the range, and of the days before it. */
  stars: Stars;
  starsBefore: Stars;
  /** Texts of the range, and of the days before it: the newest of each. */
  reviews: readonly DigestReview[];
  reviewsBefore: readonly DigestReview[];
};

const duplicateGroupsMax = 5;
/** Two people may copy each other by chance; three and more are reported. */
const duplicatesMin = 3;
const reviewIdsMax = 50;

const sinceOf = { day: "on this day", week: "this week", release: "since the release" } as const;

export function composeDigest(input: DigestInput): Digest {
  const { app, kind, version, range, baseline, counts, stars, starsBefore } = input;
  const groups = groupNearDuplicates(input.reviews.map(wordsOf));
  const groupsBefore = groupNearDuplicates(input.reviewsBefore.map(wordsOf));
  const firsts = { now: groups.flatMap(firstOf), before: groupsBefore.flatMap(firstOf) };
  const found = baseline ? findSpikes({ counts, range, baseline, groups, stars, starsBefore }) : [];
  // A release has one verdict, also here, with what it is compared with.
  const spikes = found.filter(
    ({ subject, value }) =>
      subject !== "version" || input.verdicts.every(({ version: judged }) => judged !== value),
  );
  const newPhrases = baseline ? findNewPhrases(firsts) : [];
  const since = version !== null ? `since version ${version}` : sinceOf[kind];
  const sumOf = (field: "total" | "negative", within: DayRange): number =>
    counts
      .filter(({ subject, day }) => subject === "reviews" && day >= within.from && day <= within.to)
      .reduce((sum, one) => sum + one[field], 0);
  const digest = {
    app,
    kind,
    version,
    range,
    baseline,
    reviews: {
      total: sumOf("total", range),
      expected: baseline && expectedTotal(sumOf("total", baseline), range, baseline),
      averageRating: averageOf(stars),
      averageRatingBefore: baseline && averageOf(starsBefore),
      negative: sumOf("negative", range),
      repeated: groups.reduce((sum, group) => sum + group.length - 1, 0),
      read: input.reviews.length,
    },
    spikes: spikes.map(({ countBefore, totalBefore, ...spike }) => ({
      ...spike,
      sentence: describeSpike({ ...spike, countBefore, totalBefore }),
    })),
    newPhrases: newPhrases.map(
      ({ total, totalBefore, ...phrase }): NewPhrase => ({
        ...phrase,
        sentence: describePhrase({ ...phrase, total, totalBefore }, since),
      }),
    ),
    duplicates: listDuplicates(groups),
    quotes: chooseQuotes({
      reviews: groups.flatMap((group) =>
        firstOf(group).map((one) => ({ ...one, copyCount: group.length })),
      ),
      spikes,
      newPhrases,
    }),
  };
  return { ...digest, sentences: describeDigest(digest, input.verdicts) };
}

function firstOf(group: readonly ReviewWords[]): ReviewWords[] {
  return group.slice(0, 1);
}

function averageOf(stars: Stars): number | null {
  const total = stars.reduce((sum, count) => sum + count, 0);
  const sum = stars.reduce((all, count, index) => all + count * (index + 1), 0);
  return total === 0 ? null : Math.round((sum / total) * 100) / 100;
}

function expectedTotal(totalBefore: number, range: DayRange, baseline: DayRange): number {
  const expected = (totalBefore / listDays(baseline).length) * listDays(range).length;
  return Math.round(expected * 10) / 10;
}

function listDuplicates(groups: readonly (readonly ReviewWords[])[]): DuplicateGroup[] {
  return groups
    .filter((group) => group.length >= duplicatesMin)
    .sort((one, other) => other.length - one.length)
    .slice(0, duplicateGroupsMax)
    .map((group) => ({
      text: shorten(group[0]?.review.text ?? ""),
      count: group.length,
      reviewIds: group.slice(0, reviewIdsMax).map(({ review }) => review.id),
      sentence: describeDuplicates({ count: group.length }),
    }));
}
