// What one pass over a feed did, for its caller and the person who watches.
import type { FeedKey, FeedOutcome } from "../reviews/feed.ts";

export type PassReport = {
  kind: FeedKey["kind"];
  region: string;
  outcome: FeedOutcome;
  pages: number;
  reviews: number;
  new: number;
  edited: number;
  queued: number;
  truncated: boolean;
  /** Why it ended where it did. */
  stopReason: string;
  /** null after a good pass. */
  error: string | null;
};

export type OnPage = (report: Readonly<PassReport>) => void;

export function newReport(feed: Pick<FeedKey, "kind" | "region">): PassReport {
  return {
    kind: feed.kind,
    region: feed.region,
    outcome: "unknown",
    pages: 0,
    reviews: 0,
    new: 0,
    edited: 0,
    queued: 0,
    truncated: false,
    stopReason: "",
    error: null,
  };
}
