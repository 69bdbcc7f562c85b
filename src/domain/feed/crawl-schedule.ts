// When a feed is crawled again. Jitter spreads feeds that were added together over time. Pure.
import { dayMs, hourMs, minuteMs } from "../../lib/timestamp.ts";
import type { Feed } from "./feed.ts";

const backoffMaxMs = 24 * hourMs;
// A `Retry-After` of years is a mistake of the store: the next crawl comes a day later at most.
const retryAfterMaxMs = 24 * hourMs;

/** A crawl that ended. `feed`: as it was before; `random`: in [0, 1). */
type EndedCrawl = {
  now: Date;
  feed: Pick<Feed, "failureCount" | "plannedDueAt">;
  isDone: boolean;
  /** The store's `Retry-After`, or null. */
  retryAfterMs: number | null;
  random: number;
};

type NextCrawl = Pick<Feed, "nextDueAt" | "failureCount">;

/**
 * After a good crawl of reviews: the interval, 10 % either way. After failures: doubling up to a day.
 *
 * @param crawl.hasProgressed it failed further down the list than the crawl before
 */
export function scheduleReviews(
  crawl: EndedCrawl & { intervalMinutes: number; hasProgressed: boolean },
): NextCrawl {
  const intervalMs = crawl.intervalMinutes * minuteMs;
  const failureCount = crawl.isDone || crawl.hasProgressed ? 0 : countFailures(crawl.feed);
  const waitMs = Math.min(
    intervalMs * 2 ** Math.min(failureCount, 20),
    Math.max(backoffMaxMs, intervalMs),
  );
  const spreadMs = waitMs * (0.9 + 0.2 * crawl.random);
  return { failureCount, nextDueAt: nextDueAt(crawl, spreadMs) };
}

// There is one rating snapshot a day: it is read in the first hours of the day, spread over them.
const spreadMs = 3 * hourMs;
const retryMs = 15 * minuteMs;

/** After ratings that were accepted: early the next UTC day. Else again soon, with backoff. */
export function scheduleRatings(crawl: EndedCrawl): NextCrawl {
  if (crawl.isDone) {
    const tomorrow = (Math.floor(crawl.now.getTime() / dayMs) + 1) * dayMs;
    return { failureCount: 0, nextDueAt: new Date(tomorrow + crawl.random * spreadMs) };
  }
  const waitMs = Math.min(retryMs * 2 ** Math.min(crawl.feed.failureCount, 10), 6 * hourMs);
  return { failureCount: countFailures(crawl.feed), nextDueAt: nextDueAt(crawl, waitMs) };
}

function countFailures({ failureCount, plannedDueAt }: EndedCrawl["feed"]): number {
  return plannedDueAt === null ? failureCount + 1 : failureCount;
}

/** A crawl that a user asked for and that failed leaves the planned one where it was, unless the store demands a wait. */
function nextDueAt({ now, feed, isDone, retryAfterMs }: EndedCrawl, waitMs: number): Date {
  const afterWait = now.getTime() + waitMs;
  const plannedMs = isDone ? null : feed.plannedDueAt?.getTime();
  const demanded = now.getTime() + Math.min(retryAfterMs ?? 0, retryAfterMaxMs);
  return new Date(Math.max(plannedMs ?? afterWait, demanded));
}
