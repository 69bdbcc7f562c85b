// The days that are compared, defined once: those around a release, wherever its effect is described, and those before a range.
import { addDays, type Day } from "../../lib/timestamp.ts";

/** The days in which a release is judged. */
export const releaseDays = 28;
/** The days before it that it is compared with: twelve weeks. */
export const beforeDays = 84;
/** The chart of the rating begins this many days before it. */
const aroundDays = 14;

/** Both days are inclusive. */
export type Period = { from: Day; to: Day };

export type ReleasePeriods = {
  /** null where no day before is covered. */
  before: Period | null;
  /** From its first day up to the next release, or for four weeks. */
  after: Period;
};

/**
 * @param release.nextDay of the next release; null without one
 * @param release.coveredSince the day from which the reviews of the app are whole; null without reviews
 */
export function releasePeriods(release: {
  day: Day;
  nextDay: Day | null;
  coveredSince: Day | null;
}): ReleasePeriods {
  const { day, nextDay, coveredSince } = release;
  const [longest, end] = [addDays(day, -beforeDays), addDays(day, releaseDays - 1)];
  const from = coveredSince !== null && coveredSince > longest ? coveredSince : longest;
  const last = nextDay === null ? end : addDays(nextDay, -1);
  return {
    before: coveredSince === null || from >= day ? null : { from, to: addDays(day, -1) },
    after: { from: day, to: last < end ? last : end },
  };
}

/** The days of the rating around a release. */
export function ratingPeriod({ after }: ReleasePeriods, today: Day): Period {
  const from = addDays(after.from, -aroundDays);
  return { from, to: after.to < today ? after.to : today };
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

/**
 * The day from which the reviews are whole, if that is after the compared days begin: then there is nothing to compare
 * with. null where there is.
 */
export function findUncoveredUntil(compared: {
  before: { from: Day };
  /** null without reviews; absent from pages that were frozen before it was known. */
  coveredSince?: Day | null;
}): Day | null {
  const { before, coveredSince = null } = compared;
  return coveredSince !== null && coveredSince > before.from ? coveredSince : null;
}
