// The feed: reviews with the read API's filters, a search in their words, edits and evidence.

import type { MatchingDay } from "../../database/reviews/review-days.ts";
import type { ReviewVersion as VersionRow } from "../../domain/review/review.ts";
import type { ReviewJson } from "../../domain/review/review-json.ts";
import type { ReviewWork } from "../../domain/review/review-work.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import type * as requests from "./requests.ts";
import type { Json, Moment, Route } from "./route.ts";

type FoundTopic = {
  name: string;
  /** The words of title and text that mention it, as the review spells them; may be empty. */
  evidence: string[];
  /** The review's opinion on it, from -1 to 1; null where the analysis has none. */
  score: number | null;
};

/** `country` is the storefront (`us`) for the App Store, the language (`en`) for Google Play. */
export type FeedReview = ReviewJson & {
  id: string;
  appId: string;
  store: StoreId;
  /** The store's id of the review; "" once it was erased. */
  storeId: string;
  /** `und` when it is unknown; null while not analysed. */
  language: string | null;
  firstSeenAt: Moment;
  /** null: never edited; else the versions route has what it said before. */
  editedAt: Moment | null;
  topics: FoundTopic[];
  votes: number | null;
  /** The workspace's notes about it; null for nothing. */
  work: (ReviewWork & { noteCount: number }) | null;
  reply: { text: string; at: Moment | null } | null;
  /** Since when the store no longer shows it; null while it does, as far as the source shows. */
  removedAt: Moment | null;
  /** From the official sources of Google Play, else null; `osVersion` is a number of the platform's. */
  device: string | null;
  osVersion: string | null;
  submittedAt: Moment | null;
};

export type Feed = {
  reviews: FeedReview[];
  nextCursor: string | null;
  /**
   * With a filter that no index covers, such as `q`, `version` or several stars: how many reviews matching the other filters were scanned
   * for this page. A page can be short or empty and still have a `nextCursor`: continue from there. null: an index was
   * asked, for rare words the search index, and nothing is missing.
   */
  searchedCount: number | null;
};

export type ReviewVersion = Json<VersionRow>;

export type FacetName = "rating" | "sentiment" | "topic" | "country" | "language" | "version";

export type FacetValue = { value: string; count: number };

export type FeedSummary = {
  /** Reviews that match. */
  total: number;
  /** Only the newest of a large workspace's reviews are counted, this many before all filters but the dates. */
  newestOnly: number | null;
  /** The average of the matching ones; null without any. */
  averageRating: number | null;
  /** The most frequent topics of the matching ones, at most 5. */
  topics: FacetValue[];
  /** For each filter: how many reviews each choice would leave, with all other filters as they are. */
  facets: Record<FacetName, FacetValue[]>;
};

export type { MatchingDay };

export type ReviewRoutes = {
  /** Newest first. `limit` 1 to 100, 30 by default. */
  "GET /workspaces/:workspace/reviews": Route<Feed, never, typeof requests.feedPage>;
  /** Counts of what matches, and of what each further filter would leave. */
  "GET /workspaces/:workspace/reviews/summary": Route<
    FeedSummary,
    never,
    typeof requests.feedFilters
  >;
  /** The same reviews by day; days without any are left out. */
  "GET /workspaces/:workspace/reviews/days": Route<
    { days: MatchingDay[] },
    never,
    typeof requests.feedFilters
  >;
  /** What the review said before its edits, oldest first; without its current text. */
  "GET /workspaces/:workspace/apps/:app/reviews/:review": Route<{
    review: FeedReview;
    versions: ReviewVersion[];
  }>;
  /** A file, streamed: open it as a link. All reviews that match, newest first. */
};
