// The input and output of ingest, and its dependencies.
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { NewDelivery } from "../domain/channel/delivery.ts";
import type { CheckpointDecision, CrawlPage } from "../domain/feed/crawl-state.ts";
import type { ClaimedFeed, CrawlEnd } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { Testimony } from "../domain/feed/source-trust.ts";
import type { Reading, ReviewChange, SourceReview } from "../domain/review/review.ts";
import type { Snapshot } from "../domain/review/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import type { ReviewEvent } from "../matching/match-reviews.ts";
import type { NotifyPolicy } from "./notify-policy.ts";

export type IdentifiedReview = { id: string; review: SourceReview };

export type IngestBatch = {
  listing: Listing;
  /** Each review once. */
  reviews: readonly SourceReview[];
  /**
   * Older versions overwrite nothing, whatever the source. `fallback`: another place of the store, where words may
   * differ, and `export`, a file that lags behind the store's list, are an edit only with a later date.
   */
  source: "store" | "fallback" | "export" | "import";
  notifyPolicy: NotifyPolicy;
  /** The same reviews as other shapes of the page have them: known reviews show which one is right. */
  others?: readonly Reading[] | undefined;
  /** The shape of `reviews`, and the one shape that the store's pages have had lately; null without one. */
  shape?: string | undefined;
  soleShape?: string | null;
  /** Replies are missing from the page, which does not mean that they were deleted. */
  lacksReplies?: boolean | undefined;
  /** Used as the date of reviews that have none; null means now. */
  undatedAt: Date | null;
  /** The page of a crawl that the reviews are from: its checkpoint is saved with them. */
  crawlPage?: CrawlPage;
  /** The reviews are a page of a list that holds every review of the app. */
  isFromWholeList?: boolean;
  /**
   * The crawl of reviews from another place of the store, which change no known review. Only the holder of its feed may
   * save.
   */
  fallbackOf?: { feed: ClaimedFeed; testimony: Testimony | null };
};

/** A page that can't be judged by itself. `isNew`: none of its reviews is known. `isOnTrial`: one other app looks odd. */
export type AskedPage = { isNew: boolean; isOnTrial: boolean };

export type IngestResult = {
  newCount: number;
  editedCount: number;
  metadataChangedCount: number;
  /** Those of them whose change is an earlier version. */
  lateCount: number;
  unchangedCount: number;
  /** Deliveries. */
  queuedCount: number;
  /** The decision for `crawlPage`; null without one. */
  decision: CheckpointDecision | null;
  /** Whether the crawl still holds the lease of its feed. */
  isLeaseHeld: boolean;
  /** See `hasLostField` of a page. */
  hasLostField?: boolean;
  /** The page is right by itself: it speaks for others of its source. */
  isRight?: boolean;
  /** The shape that it is right by, where there is more than one. */
  readBy?: string | undefined;
  /** Nothing is saved before full pages of the source have testified. */
  asking?: AskedPage;
};

/** Saves reviews of one listing and enqueues what follows from them, as a whole or not at all. */
export type IngestReviews = (batch: IngestBatch) => Promise<IngestResult>;

/** Saves rating snapshots of one listing, then looks once whether the newest is a rating drop. */
export type IngestRatings = (batch: {
  listing: Listing;
  snapshots: readonly Omit<Snapshot, "listingId">[];
  /** The crawl that the snapshots are from: its end is saved with them. */
  crawl?: { feed: ClaimedFeed; end: CrawlEnd };
}) => Promise<{ inserted: number; updated: number; unchanged: number; queuedCount: number }>;

type JobRepository = Pick<
  DatabaseTransaction,
  "enqueueDeliveries" | "insertProviderJobs" | "insertTranslationWaits"
>;

export type ReviewRepository = JobRepository &
  Pick<
    DatabaseTransaction,
    | "lockListing"
    | "loadReviews"
    | "insertErasedReview"
    | "listErasedReviews"
    | "insertReviews"
    | "updateReviews"
    | "insertReviewVersions"
    | "loadReviewVersions"
    | "replaceReviewVersions"
    | "addToRollups"
    | "markRemovedReviews"
    | "listChannelsOfListing"
    | "listAppsOfListing"
    | "listChannelReviews"
    | "saveCheckpoint"
    | "finishFeed"
    | "lockHeldFeed"
    | "with"
    | "readOddFeeds"
  >;

/** Background work on saved reviews, enqueued in the transaction that saves them. */
export type JobQueue = {
  /**
   * Enqueues deliveries; those that wait for a translation come due later. Returns how many jobs
   * they wait for.
   *
   * @param queued.deliveries one for each event, in the same order
   */
  enqueueDeliveries(
    tx: JobRepository,
    queued: {
      listingId: string;
      events: readonly ReviewEvent[];
      deliveries: readonly NewDelivery[];
      now: Date;
    },
  ): Promise<number>;
  /** Enqueues what no delivery waits for. Returns how many jobs. */
  enqueueJobs(
    tx: JobRepository,
    queued: { batch: IngestBatch; changes: readonly ReviewChange[]; now: Date },
  ): Promise<number>;
};

export type IngestDeps<Repository> = {
  clock: Clock;
  database: Pick<Database, "notify"> & {
    transaction<T>(work: (tx: Repository) => Promise<T>): Promise<T>;
  };
};
