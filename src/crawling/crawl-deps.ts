// What a pass over a feed needs of the world, and how long it may hold the feed.

import type { ClaimedFeed, FeedKey, PassEnd, PassProgress } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import type { Ingest } from "../ingest/ingest-batch.ts";
import type { Clock } from "../lib/clock.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { Store } from "../stores/store.ts";
import type { OnPage } from "./crawl-report.ts";
import type { Patience } from "./retry.ts";

export type PassRoom = Patience & {
  clock: Clock;
  ingest: Ingest;
  feeds: {
    finishFeed(end: FeedKey & PassEnd & { leaseToken: string }): Promise<boolean>;
    saveFeedProgress(
      saved: FeedKey & { leaseToken: string; leasedUntil: Date; progress: PassProgress },
    ): Promise<boolean>;
    releaseFeed(released: FeedKey & { leaseToken: string; now: Date }): Promise<void>;
  };
  intervalMinutes: number;
};

export type ReviewsPass = {
  feed: ClaimedFeed;
  listing: Listing;
  store: Store;
  /** From when on a first pass meets news. */
  newsSince?: Date | null;
  onPage?: OnPage;
  signal?: AbortSignal;
};

/** How long a worker may be silent before another one takes its feeds: a killed one is soon replaced. */
export const feedLeaseMs = 30 * secondMs;
