// Whether a reading of the ratings can be believed. Stores show wrong numbers on some days; a doubtful
// one is held back and read again. Pure.
import type { RatingReading } from "../domain/snapshot.ts";

export type Judgement =
  | { kind: "believed"; reading: RatingReading }
  | { kind: "held"; reading: RatingReading; reason: string };

// How far a histogram may miss its total: stores refresh the two apart from each other.
const mismatchMax = 0.005;
// Two readings of the same state differ by the ratings that came in between.
const sameTotalMax = 0.01;

export function judgeReading(judged: {
  reading: RatingReading;
  /** The newest snapshot of the same storefront. */
  previous: RatingReading | null;
  /** The doubtful reading before this one. */
  held: RatingReading | null;
}): Judgement {
  const { reading, held } = judged;
  const reason = findDoubt(judged);
  if (reason === null) return { kind: "believed", reading };
  if (!held || !agrees(held, reading)) return { kind: "held", reading, reason };
  // Read twice alike: the total is the store's word, a histogram that misses it still is not.
  return { kind: "believed", reading: addsUp(reading) ? reading : { ...reading, histogram: null } };
}

function findDoubt(judged: {
  reading: RatingReading;
  previous: RatingReading | null;
}): string | null {
  const { reading, previous } = judged;
  if (!addsUp(reading)) return "the histogram does not add up to the number of ratings";
  if (!previous || previous.total === 0) return null;
  if (reading.total === 0) return `no ratings, where ${previous.total} were counted before`;
  if (reading.total < previous.total / 2) {
    return `${reading.total} ratings, less than half of ${previous.total} before`;
  }
  return null;
}

function addsUp(reading: RatingReading): boolean {
  if (!reading.histogram) return true;
  const counted = reading.histogram.reduce((sum, count) => sum + count, 0);
  return Math.abs(counted - reading.total) <= reading.total * mismatchMax;
}

function agrees(one: RatingReading, other: RatingReading): boolean {
  return Math.abs(one.total - other.total) <= Math.max(one.total, other.total) * sameTotalMax;
}
