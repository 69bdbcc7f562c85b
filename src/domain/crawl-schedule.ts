// When a feed is crawled again. Jitter spreads feeds that were added together over time. Pure.
import { dayMs, hourMs, minuteMs } from "../lib/timestamp.ts";

const backoffMaxMs = 24 * hourMs;
// A `Retry-After` of years is a mistake of the store: the next crawl comes a day later at most.
const retryAfterMaxMs = 24 * hourMs;

/**
 * After a good crawl of reviews: the interval, 10 % either way. After failures: doubling up to a day.
 *
 * @param next.failureCount crawls in a row that failed, this one included
 * @param next.retryAfterMs what the store's `Retry-After` says, or null
 * @param next.random in [0, 1)
 */
export function nextReviewsDueAt(next: {
  now: Date;
  intervalMinutes: number;
  failureCount: number;
  retryAfterMs: number | null;
  random: number;
}): Date {
  const intervalMs = next.intervalMinutes * minuteMs;
  const backoffMs = Math.min(
    intervalMs * 2 ** Math.min(next.failureCount, 20),
    Math.max(backoffMaxMs, intervalMs),
  );
  const waitMs = Math.max(backoffMs * (0.9 + 0.2 * next.random), boundedRetryAfter(next));
  return new Date(next.now.getTime() + waitMs);
}

// There is one rating snapshot a day: it is read in the first hours of the day, spread over them.
const spreadMs = 3 * hourMs;
const retryMs = 15 * minuteMs;

/** After ratings that were accepted: early the next UTC day. Else again soon, with backoff. */
export function nextRatingsDueAt(next: {
  now: Date;
  isDone: boolean;
  failureCount: number;
  retryAfterMs: number | null;
  random: number;
}): Date {
  const now = next.now.getTime();
  if (next.isDone) {
    const tomorrow = (Math.floor(now / dayMs) + 1) * dayMs;
    return new Date(tomorrow + next.random * spreadMs);
  }
  const backoffMs = Math.min(retryMs * 2 ** Math.min(next.failureCount, 10), 6 * hourMs);
  return new Date(now + Math.max(backoffMs, boundedRetryAfter(next)));
}

function boundedRetryAfter({ retryAfterMs }: { retryAfterMs: number | null }): number {
  return Math.min(retryAfterMs ?? 0, retryAfterMaxMs);
}
