// The crawl worker: claims feeds that are due and crawls a few of them at a time until it is closed. Any
// number of processes share one database; leases keep two workers from crawling one feed.
import type { ClaimedFeed } from "../domain/feed/feed.ts";
import { minuteMs } from "../lib/timestamp.ts";
import { startWorkerLoop } from "../lib/worker-loop.ts";
import { type CrawlDeps, crawlClaimedFeed } from "./crawl-feed.ts";
import { freeLanes, type LaneState, newLease } from "./feed-lease.ts";

/** `stopRequests`: ends every request to a store when the worker closes. */
export type CrawlWorkerDeps = CrawlDeps & { stopRequests(): void };

export type CrawlWorker = {
  /** Looks for due feeds now instead of at the next poll. */
  wake(): void;
  /** Ends requests in flight, gives back the leases of their feeds and resolves when all is written. */
  close(): Promise<void>;
};

const pollMs = minuteMs / 12;

/** `isDue` is true at the first call and then at most once in that time. */
function createInterval(everyMs: number): { isDue(now: Date): boolean } {
  let lastMs: number | null = null;
  return {
    isDue(now) {
      if (lastMs !== null && Math.abs(now.getTime() - lastMs) < everyMs) return false;
      lastMs = now.getTime();
      return true;
    },
  };
}

export function startCrawlWorker(deps: CrawlWorkerDeps): CrawlWorker {
  const running = new Set<Promise<void>>();
  const laneStates = new Map<string, LaneState>();
  const lostInterval = createInterval(minuteMs);
  // It reads every feed that is due later than within the interval: many, where quiet ones make room.
  const clockInterval = createInterval(10 * minuteMs);
  const loop = startWorkerLoop({
    name: "crawl worker",
    log: deps.log,
    delay: deps.delay,
    async runRound(signal) {
      const lease = newLease(deps.clock);
      const lanes = freeLanes(laneStates);
      await repair(lease.now);
      const claim = { ...lease, lanes };
      const claimed = lanes.length > 0 ? await deps.feeds.claimDueFeeds(claim) : [];
      for (const feed of claimed) start(feed, signal);
      return pollMs;
    },
    finish: () => Promise.all(running),
  });

  /** Leftovers of killed processes and wrong clocks. */
  async function repair(now: Date): Promise<void> {
    const lost = lostInterval.isDue(now) ? await deps.feeds.postponeLostFeeds(now) : [];
    for (const feed of lost) {
      deps.log.warn({ ...feed }, "a feed was postponed: the process ended twice while crawling it");
    }
    if (clockInterval.isDue(now)) {
      await deps.feeds.pullFeedsForward({ now, intervalMinutes: deps.intervalMinutes });
    }
  }

  function start(
    { lane, line, ...feed }: ClaimedFeed & { lane: string; line: string },
    signal: AbortSignal,
  ): void {
    const state = laneStates.get(lane) ?? { runningCount: 0, servedLine: line };
    laneStates.set(lane, state);
    state.runningCount += 1;
    state.servedLine = line;
    const crawl = crawlClaimedFeed(deps, feed, signal)
      .finally(() => {
        state.runningCount -= 1;
      })
      // A crawl that ended leaves a free slot, and its feed may be due again.
      .then(loop.wake, (error: unknown) => deps.log.error({ err: error }, "a crawl failed"))
      .finally(() => running.delete(crawl));
    running.add(crawl);
  }

  return {
    wake: loop.wake,
    async close() {
      const closing = loop.close();
      // After the loop's signal: a crawl whose request fails now knows why.
      deps.stopRequests();
      await closing;
    },
  };
}
