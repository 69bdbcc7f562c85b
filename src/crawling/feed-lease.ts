// The slots of a crawl worker, and the lease of a feed: for how long one worker holds it, and its renewal while the work takes.

import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { ClaimedFeed } from "../domain/feed/feed.ts";
import { type StoreId, storeIds } from "../domain/store/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";

/** Short, so that the feeds of a worker that was killed are soon taken over. */
const feedLeaseMs = 30 * secondMs;

/** A request may wait long for its store. A third of the lease allows for two renewals that fail. */
const renewMs = feedLeaseMs / 3;

type Lease = { token: string; now: Date; leasedUntil: Date };

/** The writes of a crawl. They change nothing where another worker has the lease by now. */
export type CrawlWriter = Pick<
  Database,
  "finishFeed" | "saveCheckpoint" | "releaseFeed" | "yieldFeed"
>;

export type FeedRepository = CrawlWriter &
  Pick<
    Database,
    | "listFeeds"
    | "postponeLostFeeds"
    | "pullFeedsForward"
    | "claimDueFeeds"
    | "claimFeedsOfListing"
    | "renewFeedLease"
    | "rescheduleFeed"
  >;

export function newLease(clock: Clock): Lease {
  const now = clock.now();
  return { token: randomUUID(), now, leasedUntil: leaseEnd(clock) };
}

/** When a feed is due again of which nothing may be requested now. */
export function notSentDueAt({ clock }: { clock: Clock }, retryAfterMs: number | null): Date {
  return new Date(clock.now().getTime() + (retryAfterMs ?? minuteMs));
}

export function leaseEnd(clock: Clock): Date {
  return new Date(clock.now().getTime() + feedLeaseMs);
}

/** Renews the leases while the work takes. Feeds that are finished meanwhile have none to renew. */
export async function withLeases<T>(
  deps: { clock: Clock; log: Log; feeds: Pick<FeedRepository, "renewFeedLease"> },
  claimed: readonly ClaimedFeed[],
  work: () => Promise<T>,
): Promise<T> {
  const renew = async (): Promise<void> => {
    const leasedUntil = leaseEnd(deps.clock);
    try {
      for (const feed of claimed) await deps.feeds.renewFeedLease({ ...feed, leasedUntil });
    } catch (error) {
      deps.log.warn({ err: error }, "could not renew the lease of a feed; trying again");
    }
  };
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, renewMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}

export type CrawlLane = {
  name: string;
  store: StoreId;
  isOfficial: boolean;
  isLong: boolean;
  limit: number;
  /** The line that was served last; null before. */
  after: string | null;
};

export type LaneState = { runningCount: number; servedLine: string };

// A host gets one request at a time anyway: more crawls at once would only wait for each other.
const shortCrawlCountMax = 3;
const longCrawlCountMax = 2;

/** All lanes with the slots that are free. @param lanes the crawls of each by its name, and the line served last */
export function freeLanes(lanes: ReadonlyMap<string, LaneState>): CrawlLane[] {
  return storeIds
    .flatMap((store) =>
      [false, true].flatMap((isOfficial) =>
        [false, true].map((isLong) => {
          const name = [store, isOfficial ? "official" : "public", isLong ? "long" : "short"].join(
            " ",
          );
          const countMax = isLong ? longCrawlCountMax : shortCrawlCountMax;
          const { runningCount = 0, servedLine = null } = lanes.get(name) ?? {};
          const limit = countMax - runningCount;
          return { name, store, isOfficial, isLong, limit, after: servedLine };
        }),
      ),
    )
    .filter(({ limit }) => limit > 0);
}
