// When a feed is asked again. Jitter spreads feeds that were added together over the hour.
import { dayMs, hourMs, minuteMs } from "../lib/timestamp.ts";

/** A number from 0 up to 1, like Math.random: handed in, so that tests know it. */
export type Random = () => number;

const backoffMaxMs = 24 * hourMs;
// A store that asks for years, by mistake or in anger, is asked again the next day.
const retryAfterMaxMs = 24 * hourMs;

/** After a good pass: the interval, 10 % either way. After failures: doubling up to a day. */
export function nextReviewsDueAt(next: {
  now: Date;
  intervalMinutes: number;
  /** Passes in a row that failed, this one included. */
  failureCount: number;
  retryAfterMs: number | null;
  random: Random;
}): Date {
  const interval = next.intervalMinutes * minuteMs;
  const backoff = Math.min(
    interval * 2 ** Math.min(next.failureCount, 20),
    Math.max(backoffMaxMs, interval),
  );
  const wait = Math.max(backoff * (0.9 + 0.2 * next.random()), waitAskedFor(next));
  return new Date(next.now.getTime() + wait);
}

// Snapshots are of a day: the first hours of the next one, spread so that stores see no rush.
const spreadMs = 3 * hourMs;
const retryMs = 15 * minuteMs;

/** After a reading that was believed: early the next UTC day. Else soon again. */
export function nextRatingsDueAt(next: {
  now: Date;
  isDone: boolean;
  failureCount: number;
  retryAfterMs: number | null;
  random: Random;
}): Date {
  const now = next.now.getTime();
  if (next.isDone) {
    const tomorrow = (Math.floor(now / dayMs) + 1) * dayMs;
    return new Date(tomorrow + next.random() * spreadMs);
  }
  const backoff = Math.min(retryMs * 2 ** Math.min(next.failureCount, 10), 6 * hourMs);
  return new Date(now + Math.max(backoff, waitAskedFor(next)));
}

function waitAskedFor({ retryAfterMs }: { retryAfterMs: number | null }): number {
  return Math.min(retryAfterMs ?? 0, retryAfterMaxMs);
}
