// The feed: reviews with the read API's filters, a search in their words, edits and evidence.

import type { MatchingDay } from "../../database/reviews/review-days.ts";
import type { ReviewVersion as VersionRow } from "../../domain/review/review.ts";
import type { FacetName, FacetValue, FeedSummary } from "../../read/reviews/feed-summary.ts";
import type { FeedReview } from "../../read/reviews/review-feed.ts";
import type * as requests from "./requests.ts";
import type { Json, Route } from "./route.ts";

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

export type { FacetName, FacetValue, FeedReview, FeedSummary, MatchingDay };

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
