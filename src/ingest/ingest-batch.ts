// The input and output of ingest, and its dependencies.
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { CheckpointDecision, CrawlPage } from "../domain/crawl-state.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import type { ClaimedFeed, CrawlEnd } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import type { ReviewChange, SourceReview } from "../domain/review.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import type { ReviewEvent } from "../matching/match-reviews.ts";
import type { NotifyPolicy } from "./notify-policy.ts";

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
  /** Replies are missing from the page, which does not mean that they were deleted. */
  lacksReplies?: boolean | undefined;
  /** Used as the date of reviews that have none; null means now. */
  undatedAt: Date | null;
  /** The page of a crawl that the reviews are from: its checkpoint is saved with them. */
  crawlPage?: CrawlPage;
  /** The reviews are a page of a list that holds every review of the app. */
  isFromWholeList?: boolean;
  /** The crawl of reviews that don't come from one of its pages: only its feed's holder may save. */
  heldFeed?: ClaimedFeed;
};

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
  "enqueueAnnouncements" | "insertProviderJobs" | "insertTranslationWaits"
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
    | "lockTopicsOfListing"
    | "saveOwnTopicReviews"
    | "listTicksOfReviews"
    | "restOwnTopics"
    | "noteOddPage"
    | "endLayoutIncident"
    | "isShapeTried"
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
