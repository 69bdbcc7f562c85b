// A feed: one storefront or language of a listing that is read, the state of its crawl, and its coverage.

import type { QuarantinedReading } from "../review/snapshot.ts";
import type { QuarantinedPage, SuspicionKind } from "./page-quarantine.ts";

export const feedKinds = ["reviews", "ratings"] as const;
export type FeedKind = (typeof feedKinds)[number];

export type FeedKey = {
  listingId: string;
  kind: FeedKind;
  /** Storefront (`us`) in the App Store and for ratings; language (`en`) for Google Play reviews. */
  region: string;
};

/**
 * `ok`: something was read. `empty`: the store confirmed that there is nothing. `unknown`: a gap, a
 * block or a failure; it never means "no reviews" and never moves the watermark.
 */
export const feedOutcomes = ["ok", "empty", "unknown"] as const;
export type FeedOutcome = (typeof feedOutcomes)[number];

/** The `stopReason` of a crawl whose work exceeded its budget: the feed rests, see `isPostponed`. */
export const overBudget = "its work exceeded the budget";

/** The state of a feed: shown to users as its coverage. */
export type Feed = FeedKey & {
  /** When the backfill ended; null before, and until then nothing is announced. */
  baselineAt: Date | null;
  /** Date of the newest review that is surely read: of the last successful crawl. */
  watermark: Date | null;
  outcome: FeedOutcome | null;
  nextDueAt: Date;
  checkedAt: Date | null;
  /** The last crawl that was `ok` or `empty`. */
  goodAt: Date | null;
  /** When the feed was due before a user asked for it; null otherwise, and after its next crawl. */
  plannedDueAt: Date | null;
  /** Crawls in a row that failed, without those that a user asked for and those that came further than the one before. */
  failureCount: number;
  /** In words; null after a successful crawl. */
  lastError: string | null;
  /** A part beside the list that can't be read, such as the bucket with older reviews, in words. */
  missingPart: string | null;
  /** Pages and reviews of the last crawl, and items that were not valid reviews. */
  pageCount: number;
  reviewCount: number;
  rejectedCount: number;
  /** The store has more reviews than it shows. */
  truncated: boolean;
  /** Why the last crawl stopped where it did, in words. */
  stopReason: string | null;
  /** A doubtful reading of ratings, which counts only if the next one confirms it. */
  quarantinedReading: QuarantinedReading | null;
  /** A page of reviews that is held back. See `source-trust.ts`. */
  quarantinedPage: QuarantinedPage | null;
  /** When the last successful full crawl ended, and when the next one is due. */
  fullCrawlAt: Date | null;
  fullCrawlDueAt: Date | null;
  /** Pages of the last successful full crawl; 0 before. */
  fullPageCount: number;
  /** Reviews on the first page of the last crawl that saved one; 0 before. */
  headCount: number;
  /** How long after its last crawl the reviews are due again unless that failed; null before, and for ratings. */
  intervalMinutes: number | null;
  /** How far the crawl that runs, or was interrupted, has come; null when there is none. */
  checkpoint: CrawlCheckpoint | null;
};

/** Saved with each page, so that an interrupted crawl continues there. */
export type CrawlCheckpoint = {
  startedAt: Date;
  savedAt: Date;
  /** To the end of the list, past the watermark. */
  isFullCrawl: boolean;
  /** Counts of this crawl so far, interruptions included. */
  pageCount: number;
  reviewCount: number;
  rejectedCount: number;
  newCount: number;
  editedCount: number;
  gapCount: number;
  sawFirstPage: boolean;
  /** Reviews on the first page; 0 until it was saved. */
  headCount: number;
  /** A page was not in the order of its dates. */
  isUnordered: boolean;
  /** Suspicious pages of this kind count in this crawl: a second reading agreed. */
  acceptedKind: SuspicionKind | null;
  /** Dates of the latest reviews of the list, the newest first: how often it has news. */
  latest: readonly Date[];
  /** Date of the newest review of the crawl: the next watermark. */
  newest: Date | null;
  /** Date of the oldest review of the last page: the next one continues there. */
  oldest: Date | null;
  /** The store's cursor of the next page; null at the end of the list. */
  cursor: string | null;
};

/** A feed that one worker holds until its lease ends. */
export type ClaimedFeed = Feed & { leaseToken: string };

export type CrawlEnd = Omit<Feed, keyof FeedKey | "checkedAt" | "goodAt" | "plannedDueAt"> & {
  checkedAt: Date;
};
