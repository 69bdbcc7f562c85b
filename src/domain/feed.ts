// A feed is what is asked of a store at once, and the coverage of what came: honest about both.
import type { RatingReading } from "./snapshot.ts";

export const feedKinds = ["reviews", "ratings"] as const;
export type FeedKind = (typeof feedKinds)[number];

/** One listing, one region, reviews or ratings. */
export type FeedKey = {
  listingId: string;
  kind: FeedKind;
  /** Storefront (`us`) in the App Store and for ratings; language (`en`) for Google Play reviews. */
  region: string;
};

/**
 * `ok`: something came. `empty`: the store confirmed that there is nothing. `unknown`: a hole, a
 * block or a failure; it never means "no reviews" and never moves a watermark.
 */
export const feedOutcomes = ["ok", "empty", "unknown"] as const;
export type FeedOutcome = (typeof feedOutcomes)[number];

/** What is known of a feed: shown to users as its coverage. */
export type Feed = FeedKey & {
  /** When the first full pass ended; null before, and until then nothing is announced. */
  baselineAt: Date | null;
  /** Date of the newest review of the last good pass. */
  watermark: Date | null;
  outcome: FeedOutcome | null;
  nextDueAt: Date;
  checkedAt: Date | null;
  /** The last pass that was `ok` or `empty`. */
  goodAt: Date | null;
  /** Passes in a row that were `unknown`. */
  failureCount: number;
  /** In words; null after a good pass. */
  lastError: string | null;
  /** Pages and reviews of the last pass, and items that were no reviews by the store's own rules. */
  pageCount: number;
  reviewCount: number;
  rejectedCount: number;
  /** The store holds more than it hands out. */
  truncated: boolean;
  /** Why the last pass ended where it did, in words. */
  stopReason: string | null;
  /** A rating reading that is not believed yet. */
  quarantinedReading: RatingReading | null;
  /** When the last walk to the end of the list ended well, and when the next one is due. */
  fullCrawlAt: Date | null;
  fullCrawlDueAt: Date | null;
  /** How far the pass at work has come, or the one that was cut off; null when there is none. */
  checkpoint: CrawlCheckpoint | null;
};

/** Saved with each page, so that a walk that was cut off goes on where it was. */
export type CrawlCheckpoint = {
  startedAt: Date;
  savedAt: Date;
  /** To the end of the list, whatever the watermark says. */
  isFullCrawl: boolean;
  /** Of this walk so far, over all its starts. */
  pageCount: number;
  reviewCount: number;
  rejectedCount: number;
  newCount: number;
  editedCount: number;
  gapCount: number;
  sawFirstPage: boolean;
  /** Date of the newest review of the walk: the next watermark. */
  newest: Date | null;
  /** Where the next page is. */
  cursor: string | null;
};

/** A feed that one worker holds until its lease ends. */
export type ClaimedFeed = Feed & { leaseToken: string };

/** How a pass over a feed ended: what its coverage will say. */
export type CrawlEnd = Pick<
  Feed,
  | "outcome"
  | "watermark"
  | "baselineAt"
  | "nextDueAt"
  | "lastError"
  | "pageCount"
  | "reviewCount"
  | "rejectedCount"
  | "truncated"
  | "stopReason"
  | "quarantinedReading"
  | "fullCrawlAt"
  | "fullCrawlDueAt"
  | "checkpoint"
> & { checkedAt: Date };
