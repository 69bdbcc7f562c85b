// Adds to each worse release how the reviews since the next one judge it. They are counted as they are now, by the filters
// of the list of reviews, so that each number has its list.

import { findOutcome, judgeAftermath } from "../../analysis/verdict/aftermath.ts";
import { describeAftermath } from "../../analysis/verdict/verdict-words.ts";
import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { VerdictReviewRow } from "../../database/reviews/verdict.ts";
import { releaseDays } from "../../domain/release-periods.ts";
import type { Aftermath, Verdict } from "../../domain/verdict.ts";
import { addDays } from "../../lib/timestamp.ts";
import { lowStarsMax, parseRows, type Range, type Release, readMax } from "./release-reviews.ts";

type JudgedRelease = {
  release: Release & { app: FollowedApp };
  verdict: Verdict;
};

/** One more statement, and none where no release is worse. */
export async function addAftermaths(
  database: Pick<Database, "listVerdictReviews">,
  input: {
    workspaceId: string;
    releases: readonly JudgedRelease["release"][];
    /** In the order of the releases. */
    verdicts: readonly Verdict[];
  },
): Promise<Verdict[]> {
  const { workspaceId, releases, verdicts } = input;
  const judged = releases.flatMap((release, at) => {
    const verdict = verdicts[at];
    return verdict ? [{ release, verdict }] : [];
  });
  const hasAftermath = ({ release, verdict }: JudgedRelease): boolean =>
    verdict.result === "worse" && release.laterVersions.length > 0;
  const ranges = judged
    .filter(hasAftermath)
    .flatMap(({ release }) => listRanges(release).map((range) => ({ ...range, app: release.app })));
  const rows =
    ranges.length === 0
      ? []
      : parseRows(await database.listVerdictReviews({ workspaceId, ranges, limit: readMax }));
  return judged.map((one) => {
    const aftermath = hasAftermath(one) ? findAftermath(one, rows) : null;
    const { verdict } = one;
    const words = aftermath ? `${verdict.words} ${describeAftermath(aftermath)}` : verdict.words;
    return { ...verdict, words, aftermath, outcome: findOutcome(verdict, aftermath) };
  });
}

/** The days of the release, and those since the next one; the newest reviews of each. */
function listRanges({ firstDay, nextDay }: Release): [own: Range, since: Range] {
  const rangeFrom = (day: string): Range => ({
    from: new Date(day),
    to: new Date(addDays(day, releaseDays)),
    order: "newest",
  });
  return [rangeFrom(firstDay), rangeFrom(nextDay ?? firstDay)];
}

function findAftermath(
  { release, verdict }: JudgedRelease,
  rows: readonly VerdictReviewRow[],
): Aftermath {
  const { app, version, laterVersions } = release;
  const [leading] = verdict.shares;
  const question = leading?.question ?? "negative";
  const read = ({ from, to }: Range) =>
    rows
      .filter(({ listingId, date }) => listingId === app.listingId && date >= from && date < to)
      .map((row) => ({ version: row.version, ...answer(question, row) }));
  const [own, since] = listRanges(release);
  const named = read(own).filter((one) => one.version === version);
  return judgeAftermath({
    question,
    version,
    laterVersions,
    reviews: read(since),
    own: { count: named.filter(({ isComplaint }) => isComplaint).length, total: named.length },
    usual: {
      count: Math.round((leading?.pastShare ?? 0) * verdict.pastCount),
      total: verdict.pastCount,
    },
  });
}

function answer(
  question: string,
  { rating, sentiment, topics }: VerdictReviewRow,
): { isComplaint: boolean; isPraise: boolean } {
  if (question === "low_stars") return { isComplaint: rating <= lowStarsMax, isPraise: false };
  const isMeant = question === "negative" || topics.includes(question);
  return {
    isComplaint: isMeant && sentiment === "negative",
    isPraise: isMeant && question !== "negative" && sentiment === "positive",
  };
}
