// The result of a crawl of one feed, for its caller, its log line and page-by-page progress.
import type { CrawlCheckpoint, CrawlEnd, FeedKey, FeedOutcome } from "../domain/feed.ts";

export type CrawlReport = {
  kind: FeedKey["kind"];
  region: string;
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
  /** When the feed is crawled again; absent until the crawl ends. */
  nextDueAt?: Date;
};

export type OnPage = (report: Readonly<CrawlReport>) => void;

/** The stop reason of a crawl that goes on when the service does. */
export const serviceStopped = "stopped with the service";
/** A full crawl that continues after the due feeds. */
export const makesWay = "makes way for feeds that are due";
/** A crawl whose requests are held back: by its app, or by its host. */
export const notRequested = "nothing was requested";
/** A crawl that was slower than its lease, or whose feed was removed. */
export const leaseLost = "another worker took over";

export function newCrawlReport(feed: Pick<FeedKey, "kind" | "region">): CrawlReport {
  return {
    kind: feed.kind,
    region: feed.region,
    outcome: "unknown",
    pages: 0,
    reviews: 0,
    rejected: 0,
    new: 0,
    edited: 0,
    queued: 0,
    truncated: false,
    stopReason: "",
    error: null,
  };
}

export function reportCheckpoint(report: CrawlReport, checkpoint: CrawlCheckpoint): void {
  report.pages = checkpoint.pageCount;
  report.reviews = checkpoint.reviewCount;
  report.rejected = checkpoint.rejectedCount;
  report.new = checkpoint.newCount;
  report.edited = checkpoint.editedCount;
}

export function reportEnd(report: CrawlReport, end: CrawlEnd): void {
  report.outcome = end.outcome ?? "unknown";
  report.pages = end.pageCount;
  report.truncated = end.truncated;
  report.stopReason = end.stopReason ?? "";
  report.error = end.lastError;
  report.nextDueAt = end.nextDueAt;
}
