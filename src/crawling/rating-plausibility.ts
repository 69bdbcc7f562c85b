// Whether ratings that a store shows are plausible. Stores show wrong numbers on some days: suspicious ones are quarantined.
// A second reading confirms a jump, and never what contradicts itself. Pure.
import { addsUp, type QuarantinedReading, type RatingReading } from "../domain/review/snapshot.ts";
import { dayMs } from "../lib/timestamp.ts";

type RatingsJudgement =
  | { kind: "accepted"; reading: RatingReading }
  | { kind: "quarantined"; reading: QuarantinedReading; reason: string };

// Two readings of the same state differ by the ratings that came in between.
const sameTotalMax = 0.01;
// So few ratings come and go in an app of any size.
const fewRatings = 10;
// An app loses all of its many ratings when its owner resets them. Pages without them last for some hours.
const resetMs = dayMs;
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
  quarantined: QuarantinedReading | null;
  /** Ratings of other apps look odd today, too: no second reading confirms a jump. */
  isOnTrial?: boolean;
  now: Date;
}): RatingsJudgement {
  const { reading, previous, quarantined, isOnTrial = false, now } = input;
  const reason = findRatingSuspicion(input);
  if (reason === null) return { kind: "accepted", reading };
  const since = quarantined && isSame(quarantined, reading) ? quarantined.since : null;
  const isReset = reading.total === 0 && (previous?.total ?? 0) > fewRatings;
  const waitMs = isReset ? resetMs : 0;
  const isEarly = since === null || now.getTime() - since.getTime() < waitMs;
  if (isEarly || isOnTrial || isContradiction(reading, previous)) {
    return { kind: "quarantined", reading: { ...reading, since: since ?? now }, reason };
  }
  // Seen twice: total and average count, and a histogram that means something else still does not.
  const accepted = fitsAverage(reading) ? reading : { ...reading, histogram: null };
  return { kind: "accepted", reading: accepted };
}

/** It contradicts itself, and the ratings before do not show that the histogram is what is wrong. */
function isContradiction(reading: RatingReading, previous: RatingReading | null): boolean {
  if (addsUp(reading) && fitsAverage(reading)) return false;
  if (previous === null || previous.total === 0) return true;
  const mean = meanOf(reading) ?? reading.average;
  const isAverageNearer =
    Math.abs(reading.average - previous.average) <= Math.abs(mean - previous.average);
  return findJump(reading, previous) !== null || !isAverageNearer;
}

/** Why a reading is not plausible, in words; null for one that is. */
export function findRatingSuspicion(input: {
  reading: RatingReading;
  previous: RatingReading | null;
}): string | null {
  const { reading, previous } = input;
  if (!addsUp(reading)) return "the histogram does not add up to the number of ratings";
  if (!fitsAverage(reading)) {
    return `the histogram means ${meanOf(reading)?.toFixed(2)} stars, and the average shown is ${reading.average.toFixed(2)}`;
  }
  return previous && previous.total > 0 ? findJump(reading, previous) : null;
}

function findJump(reading: RatingReading, previous: RatingReading): string | null {
  if (reading.total === 0) return `no ratings, where ${previous.total} were counted before`;
  if (reading.total < previous.total / 2 - fewRatings) {
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

/** Each rating that the histogram lacks moves the mean by four stars of the total at most. */
function fitsAverage(reading: RatingReading): boolean {
  const mean = meanOf(reading);
  if (mean === null) return true;
  const missingCount = addsUp(reading) ? Math.abs(countOf(reading) - reading.total) : 0;
  return Math.abs(mean - reading.average) <= averageSlack + (4 * missingCount) / reading.total;
}

function countOf({ histogram }: RatingReading): number {
  return (histogram ?? []).reduce((all, one) => all + one, 0);
}

function meanOf(reading: RatingReading): number | null {
  const { histogram, total } = reading;
  if (!histogram || total === 0) return null;
  return histogram.reduce((stars, one, index) => stars + one * (index + 1), 0) / countOf(reading);
}

function isSame(one: RatingReading, other: RatingReading): boolean {
  const isSameTotal =
    Math.abs(one.total - other.total) <=
    Math.max(fewRatings, one.total * sameTotalMax, other.total * sameTotalMax);
  return isSameTotal && Math.abs(one.average - other.average) <= averageSlack;
}
