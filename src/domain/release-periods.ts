// The days around a release that its page compares, and the releases beside it. The service reads them for a report, the
// dashboard for the page.
import { addDays, type Day } from "../lib/timestamp.ts";

const comparedDays = 14;
/** The days in which a release is judged. */
export const releaseDays = 28;

type Period = { from: Day; to: Day };

/**
 * `after` ends with the day before the next release, `around` has the rating.
 *
 * @param release.nextDay of the next release; null without one
 */
export function releasePeriods(release: { day: Day; nextDay: Day | null; today: Day }): {
  after: Period;
  around: Period;
} {
  const { day, nextDay, today } = release;
  const end = earlier(addDays(day, comparedDays - 1), today);
  return {
    after: { from: day, to: nextDay === null ? end : earlier(end, addDays(nextDay, -1)) },
    around: { from: addDays(day, -comparedDays), to: end },
  };
}

function earlier(one: Day, other: Day): Day {
  return one < other ? one : other;
}

/**
 * The releases before and after one of them, on other days: two versions may have been seen first on the same one.
 *
 * @param releases the newest first
 */
export function releaseNeighbours<Release extends { day: Day }>(
  releases: readonly Release[],
  { day }: Release,
): { next: Release | undefined; previous: Release | undefined } {
  return {
    next: releases.findLast((one) => one.day > day),
    previous: releases.find((one) => one.day < day),
  };
}
