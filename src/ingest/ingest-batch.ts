// What collecting and importing hand over: reviews of one listing to be saved, counted, matched and
// queued as a whole. The way itself is pipeline.ts.
import type { ClaimedFeed, PassEnd, PassProgress } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import type { Review, SourceReview } from "../domain/review.ts";
import type { Snapshot } from "../domain/snapshot.ts";

/**
 * Whom a batch is news for. `none`: the silent baseline. `fresh`: reviews not older than 48 h before
 * the app was added. `all`: whatever their date. `since`: reviews written since then, and since the app
 * was added. Edits of announced reviews are news in any case.
 */
export type Announce = "none" | "fresh" | "all" | { since: Date };

export type IngestBatch = {
  listing: Listing;
  /** Each review once. */
  reviews: readonly SourceReview[];
  /**
   * A store's page can be a stale copy: older versions don't overwrite. What stands `elsewhere` than
   * usual may be worded or rounded in another way, so that only a later date is an edit. An import is
   * meant.
   */
  source: "store" | "elsewhere" | "import";
  announce: Announce;
  /** Used as the date of reviews that have none; null means now. */
  undatedAt: Date | null;
  /** Decides, once the changes are known, whether the pass ends here; saved with the reviews. */
  settle?: { feed: ClaimedFeed; decide: (changes: readonly Change[]) => Settled };
};

/** The end of a pass, or how far it has come. */
export type Settled = { end: PassEnd } | { progress: PassProgress; leasedUntil: Date };

/** What a stated review is, compared with what is kept. */
export type Change =
  | { kind: "new"; before: null; after: Review }
  /** Rating, title or text changed. */
  | { kind: "edited"; before: Review; after: Review }
  /** Version, votes, reply, author or date changed: stored, and no event. */
  | { kind: "restated"; before: Review; after: Review }
  | { kind: "unchanged"; before: Review; after: Review };

export type IngestResult = {
  newCount: number;
  editedCount: number;
  restatedCount: number;
  unchangedCount: number;
  /** Deliveries. */
  queuedCount: number;
  /** What `settle` decided; null when the pass goes on. */
  end: PassEnd | null;
  /** Whether the pass still holds its feed. */
  holdsFeed: boolean;
};

export type Ingest = (batch: IngestBatch) => Promise<IngestResult>;

/** Saves snapshots of one listing, then asks once whether the newest is a rating drop. */
export type RecordSnapshots = (record: {
  listing: Listing;
  snapshots: readonly Omit<Snapshot, "listingId">[];
  settle?: { feed: ClaimedFeed; end: PassEnd };
}) => Promise<{ inserted: number; updated: number; unchanged: number; queuedCount: number }>;
