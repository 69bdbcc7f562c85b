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
// Stores round averages, and Apple's two sources differ a little.
const averageSlack = 0.1;
// So many stars can change by edits of ratings between two readings of a small app.
const editedStarsMax = 25;
// An app may double in a day when it begins, not when it has many ratings.
const growthMax = 2;
const growthSlack = 10_000;

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
  if (!quarantined || !isSame(quarantined, reading)) {
    return { kind: "quarantined", reading, reason };
  }
  // Seen twice: total and average count, and a histogram that misses them still does not.
  const mean = meanOf(reading);
  const fits = mean === null || Math.abs(mean - reading.average) <= averageSlack;
  const accepted = addsUp(reading) && fits ? reading : { ...reading, histogram: null };
  return { kind: "accepted", reading: accepted };
}

function findSuspicion(input: {
  reading: RatingReading;
  previous: RatingReading | null;
}): string | null {
  const { reading, previous } = input;
  if (!addsUp(reading)) return "the histogram does not add up to the number of ratings";
  const mean = meanOf(reading);
  if (mean !== null && Math.abs(mean - reading.average) > averageSlack) {
    return `the histogram means ${mean.toFixed(2)} stars, and the average shown is ${reading.average.toFixed(2)}`;
  }
  if (!previous || previous.total === 0) return null;
  if (reading.total === 0) return `no ratings, where ${previous.total} were counted before`;
  if (reading.total < previous.total / 2) {
    return `${reading.total} ratings, less than half of ${previous.total} before`;
  }
  if (reading.total > previous.total * growthMax + growthSlack) {
    return `${reading.total} ratings, more than twice ${previous.total} before`;
  }
  return findImpossibleAverage(reading, previous);
}

/** Each rating that came or went is of one to five stars, which bounds how far the average can have moved. */
function findImpossibleAverage(reading: RatingReading, previous: RatingReading): string | null {
  const addedCount = reading.total - previous.total;
  const addedStars = reading.average * reading.total - previous.average * previous.total;
  const slack = averageSlack * Math.max(reading.total, previous.total) + editedStarsMax;
  const [least, most] =
    addedCount >= 0 ? [addedCount, 5 * addedCount] : [5 * addedCount, addedCount];
  if (addedStars >= least - slack && addedStars <= most + slack) return null;
  const averages = `from ${previous.average.toFixed(2)} to ${reading.average.toFixed(2)}`;
  return `the average went ${averages}, which ${Math.abs(addedCount)} ratings more or less can't do`;
}

function meanOf({ histogram, total }: RatingReading): number | null {
  if (!histogram || total === 0) return null;
  const count = histogram.reduce((all, one) => all + one, 0);
  return histogram.reduce((stars, one, index) => stars + one * (index + 1), 0) / count;
}

function addsUp({ histogram, total }: RatingReading): boolean {
  if (!histogram) return true;
  const sum = histogram.reduce((all, count) => all + count, 0);
  return Math.abs(sum - total) <= total * mismatchMax;
}

function isSame(one: RatingReading, other: RatingReading): boolean {
  const isSameTotal =
    Math.abs(one.total - other.total) <= Math.max(one.total, other.total) * sameTotalMax;
  return isSameTotal && Math.abs(one.average - other.average) <= averageSlack;
}
