// What one pass over a feed did, for its caller and the person who watches.
import type { FeedKey, FeedOutcome } from "../domain/feed.ts";

export type PassReport = {
  kind: FeedKey["kind"];
  region: string;
  outcome: FeedOutcome;
  pages: number;
  reviews: number;
  /** Items that were no reviews by the store's own rules. */
  rejected: number;
  new: number;
  edited: number;
  queued: number;
  truncated: boolean;
  /** Why it ended where it did. */
  stopReason: string;
  /** null after a good pass. */
  error: string | null;
};

/** The stop reason of a pass that goes on when the service does. */
export const stoppedWithService = "stopped with the service";

export type OnPage = (report: Readonly<PassReport>) => void;

export function newReport(feed: Pick<FeedKey, "kind" | "region">): PassReport {
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
