// Whether ratings that a store shows are plausible. Stores show wrong numbers on some days: suspicious
// ones are quarantined, and accepted when the next reading says the same. Pure.
import type { RatingReading } from "../domain/snapshot.ts";

export type RatingsVerdict =
  | { kind: "accepted"; reading: RatingReading }
  | { kind: "quarantined"; reading: RatingReading; reason: string };

// How far a histogram may miss its total: stores refresh the two at different times.
const mismatchMax = 0.005;
// Two readings of the same state differ by the ratings that came in between.
const sameTotalMax = 0.01;

/**
 * @param input.previous the newest snapshot of the same storefront
 * @param input.quarantined the suspicious reading before this one
 */
export function validateRatings(input: {
  reading: RatingReading;
  previous: RatingReading | null;
  quarantined: RatingReading | null;
}): RatingsVerdict {
  const { reading, quarantined } = input;
  const reason = findSuspicion(input);
  if (reason === null) return { kind: "accepted", reading };
  if (!quarantined || !isSameTotal(quarantined, reading)) {
    return { kind: "quarantined", reading, reason };
  }
  // Seen twice: the total counts, and a histogram that misses it still does not.
  const accepted = addsUp(reading) ? reading : { ...reading, histogram: null };
  return { kind: "accepted", reading: accepted };
}

function findSuspicion(input: {
  reading: RatingReading;
  previous: RatingReading | null;
}): string | null {
  const { reading, previous } = input;
  if (!addsUp(reading)) return "the histogram does not add up to the number of ratings";
  if (!previous || previous.total === 0) return null;
  if (reading.total === 0) return `no ratings, where ${previous.total} were counted before`;
  if (reading.total < previous.total / 2) {
    return `${reading.total} ratings, less than half of ${previous.total} before`;
  }
  return null;
}

function addsUp({ histogram, total }: RatingReading): boolean {
  if (!histogram) return true;
  const sum = histogram.reduce((all, count) => all + count, 0);
  return Math.abs(sum - total) <= total * mismatchMax;
}

function isSameTotal(one: RatingReading, other: RatingReading): boolean {
  return Math.abs(one.total - other.total) <= Math.max(one.total, other.total) * sameTotalMax;
}
