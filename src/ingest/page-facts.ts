// A page of reviews as it was read, beside what is known of its reviews and of its feed.
import type { Feed } from "../domain/feed/feed.ts";
import type { Review } from "../domain/review/review.ts";
import type { StoreId } from "../domain/store/store-id.ts";
import type { IdentifiedReview } from "./ingest-batch.ts";
import type { Changed, Pair } from "./page-pairs.ts";

export type ReadPage = {
  store: StoreId;
  identified: readonly IdentifiedReview[];
  known: ReadonlyMap<string, Review>;
  /** Items that could not be read as reviews. */
  rejectedCount: number;
  feed: Pick<
    Feed,
    "baselineAt" | "watermark" | "goodAt" | "fullCrawlAt" | "headCount" | "quarantinedPage"
  >;
  isFirstPage: boolean;
  /** Its source has the replies of developers. */
  hasReplies: boolean;
  /** A file that lags behind: what it shows of a review that was edited since says nothing. */
  isLagging?: boolean;
};

export type PageFacts = ReadPage & {
  reviews: readonly IdentifiedReview["review"][];
  pairs: readonly Pair[];
  changed: readonly Changed[];
};
