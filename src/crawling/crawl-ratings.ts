// Reads the ratings of one feed once: saved as the day's snapshot when they are plausible, quarantined
// otherwise.
import type { Database } from "../database/database.ts";
import { scheduleRatings } from "../domain/feed/crawl-schedule.ts";
import type { ClaimedFeed, CrawlEnd, FeedOutcome } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { RatingReading } from "../domain/review/snapshot.ts";
import type { IngestRatings } from "../ingest/ingest-batch.ts";
import type { Clock } from "../lib/clock.ts";
import { dayOf } from "../lib/timestamp.ts";
import type { Store } from "../stores/store.ts";
import {
  type CrawlSummary,
  newCrawlSummary,
  notRequested,
  serviceStopped,
  summarizeEnd,
} from "./crawl-summary.ts";
import { type CrawlWriter, notSentDueAt } from "./feed-lease.ts";
import { findRatingSuspicion, validateRatings } from "./rating-plausibility.ts";
import { fetchWithRetry, type RetryOptions } from "./retry.ts";

export type RatingCrawlDeps = RetryOptions &
  Pick<Database, "listSnapshotsAsOf" | "hasOddRatings"> & {
    clock: Clock;
    feeds: CrawlWriter;
    ingestRatings: IngestRatings;
  };

type RatingCrawl = { feed: ClaimedFeed; listing: Listing; store: Store; signal?: AbortSignal };

export async function crawlRatings(
  deps: RatingCrawlDeps,
  crawl: RatingCrawl,
): Promise<CrawlSummary> {
  const { feed, listing, store, signal } = crawl;
  if (signal?.aborted) return release(deps, feed);
  const fetched = await fetchWithRetry({ ...deps, signal }, () =>
    store.fetchRatings({ externalAppId: listing.externalAppId, region: feed.region }),
  );
  // A request that was cut short because the service stops says nothing of the store.
  if (signal?.aborted && fetched.outcome !== "ok") return release(deps, feed);
  if (fetched.outcome === "unknown" && fetched.isNotSent) {
    const { reason, retryAfterMs } = fetched;
    const nextDueAt = notSentDueAt(deps, retryAfterMs);
    await deps.feeds.yieldFeed({ ...feed, nextDueAt, reason });
    return { ...newCrawlSummary(feed), stopReason: notRequested, error: reason };
  }
  if (fetched.outcome === "ok") return saveRatings(deps, { feed, listing, reading: fetched.value });
  const isUnknown = fetched.outcome === "unknown";
  return finish(deps, feed, {
    outcome: fetched.outcome,
    stopReason: isUnknown ? "no reading" : "the store has no such app in this storefront",
    lastError: isUnknown ? fetched.reason : null,
    // No reading says nothing of the suspicious one before it.
    quarantinedReading: isUnknown ? feed.quarantinedReading : null,
    retryAfterMs: isUnknown ? fetched.retryAfterMs : null,
  });
}

async function saveRatings(
  deps: RatingCrawlDeps,
  crawl: { feed: ClaimedFeed; listing: Listing; reading: RatingReading },
): Promise<CrawlSummary> {
  const { feed, listing } = crawl;
  // A snapshot of a later day is from a clock that was wrong: it would be the newest until then.
  const day = dayOf(deps.clock.now());
  const query = { listingId: listing.id, day, withHistogram: false };
  const newest = await deps.listSnapshotsAsOf(query);
  const now = deps.clock.now();
  const found = {
    reading: crawl.reading,
    previous: newest.find((snapshot) => snapshot.region === feed.region) ?? null,
    quarantined: feed.quarantinedReading,
    now,
  };
  const first = validateRatings(found);
  const isConfirmed = first.kind === "accepted" && findRatingSuspicion(found) !== null;
  const isOnTrial = isConfirmed && (await deps.hasOddRatings({ ...listing, now }));
  const judgement = isOnTrial ? validateRatings({ ...found, isOnTrial }) : first;
  if (judgement.kind === "quarantined") {
    return finish(deps, feed, {
      outcome: "unknown",
      stopReason: "quarantined until it is read again",
      lastError: judgement.reason,
      quarantinedReading: judgement.reading,
      retryAfterMs: null,
    });
  }
  const end = toCrawlEnd(deps, feed, {
    outcome: "ok",
    stopReason: "read",
    lastError: null,
    quarantinedReading: null,
    retryAfterMs: null,
  });
  const saved = await deps.ingestRatings({
    listing,
    snapshots: [{ ...judgement.reading, region: feed.region, day }],
    crawl: { feed, end },
  });
  return { ...describe(feed, end), new: saved.inserted, queued: saved.queuedCount };
}

type Ending = Pick<CrawlEnd, "stopReason" | "lastError" | "quarantinedReading"> & {
  outcome: FeedOutcome;
  retryAfterMs: number | null;
};

async function finish(
  deps: RatingCrawlDeps,
  feed: ClaimedFeed,
  ending: Ending,
): Promise<CrawlSummary> {
  const end = toCrawlEnd(deps, feed, ending);
  await deps.feeds.finishFeed({ ...feed, ...end });
  return describe(feed, end);
}

function toCrawlEnd(
  { clock, random }: RatingCrawlDeps,
  feed: ClaimedFeed,
  { retryAfterMs, ...ending }: Ending,
): CrawlEnd {
  const now = clock.now();
  const isDone = ending.outcome !== "unknown";
  return {
    ...ending,
    watermark: feed.watermark,
    baselineAt: feed.baselineAt ?? (isDone ? now : null),
    ...scheduleRatings({ now, feed, isDone, retryAfterMs, random: random() }),
    missingPart: null,
    pageCount: 1,
    reviewCount: 0,
    rejectedCount: 0,
    truncated: false,
    fullCrawlAt: null,
    fullCrawlDueAt: null,
    fullPageCount: 0,
    headCount: 0,
    intervalMinutes: null,
    checkpoint: null,
    quarantinedPage: null,
    checkedAt: now,
  };
}

function describe(feed: ClaimedFeed, end: CrawlEnd): CrawlSummary {
  const summary = newCrawlSummary(feed);
  summarizeEnd(summary, end);
  return summary;
}

async function release(deps: RatingCrawlDeps, feed: ClaimedFeed): Promise<CrawlSummary> {
  await deps.feeds.releaseFeed({ ...feed, now: deps.clock.now() });
  return { ...newCrawlSummary(feed), stopReason: serviceStopped };
}
