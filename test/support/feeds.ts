// A feed that was never crawled, for tests that need no database.
import { freeLanes } from "../../src/crawling/feed-lease.ts";
import type { ClaimedFeed } from "../../src/domain/feed/feed.ts";

export function aFeed(overrides: Partial<ClaimedFeed> = {}): ClaimedFeed {
  return {
    listingId: "l",
    kind: "reviews",
    region: "us",
    leaseToken: "t",
    baselineAt: null,
    watermark: null,
    outcome: null,
    nextDueAt: new Date(0),
    checkedAt: null,
    goodAt: null,
    plannedDueAt: null,
    failureCount: 0,
    lastError: null,
    missingPart: null,
    pageCount: 0,
    reviewCount: 0,
    rejectedCount: 0,
    truncated: false,
    stopReason: null,
    quarantinedReading: null,
    quarantinedPage: null,
    fullCrawlAt: null,
    fullCrawlDueAt: null,
    fullPageCount: 0,
    headCount: 0,
    intervalMinutes: null,
    checkpoint: null,
    ...overrides,
  };
}

/** A claim of feeds of any store and kind that are due; the service claims with smaller limits. */
export function anyDueFeeds() {
  const lanes = freeLanes(new Map()).map((lane) => ({ ...lane, limit: 10 }));
  return { lanes };
}
