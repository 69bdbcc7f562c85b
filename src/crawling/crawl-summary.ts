// How a crawl of reviews or ratings went, for the log, commands and progress.
import type { CrawlEnd, FeedKey, FeedOutcome } from "../domain/feed/feed.ts";

/** The result of a crawl of one feed, of reviews or of ratings. */
export type CrawlSummary = Pick<FeedKey, "kind" | "region"> & {
  outcome: FeedOutcome;
  pages: number;
  reviews: number;
  /** Items that were not reviews by the store's own rules. */
  rejected: number;
  new: number;
  edited: number;
  /** Deliveries. */
  queued: number;
  truncated: boolean;
  /** Why it ended where it did. */
  stopReason: string;
  /** null after a good crawl. */
  error: string | null;
  /** A page lacks a field that its known reviews have. */
  hasLostField?: true;
  /** The shape that a page is right by, where several are in use. */
  readBy?: string | undefined;
  /** When the feed is crawled again; absent until the crawl ends. */
  nextDueAt?: Date;
};

/** The stop reason of a crawl that goes on when the service does. */
export const serviceStopped = "stopped with the service";
/** A full crawl that continues after the due feeds. */
export const makesWay = "makes way for feeds that are due";
/** A crawl whose requests are held back: by its app, or by its host. */
export const notRequested = "nothing was requested";

export function newCrawlSummary({ kind, region }: Pick<FeedKey, "kind" | "region">): CrawlSummary {
  const counts = { pages: 0, reviews: 0, rejected: 0, new: 0, edited: 0, queued: 0 };
  const ending = { outcome: "unknown", truncated: false, stopReason: "", error: null } as const;
  return { kind, region, ...counts, ...ending };
}

export function summarizeEnd(summary: CrawlSummary, end: CrawlEnd): void {
  summary.outcome = end.outcome ?? "unknown";
  summary.pages = end.pageCount;
  summary.truncated = end.truncated;
  summary.stopReason = end.stopReason ?? "";
  summary.error = end.lastError;
  summary.nextDueAt = end.nextDueAt;
}
