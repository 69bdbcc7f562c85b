// The reviews that a search finds, as lists show them: with their app and the workspace's own topics.
import type { Database } from "../../database/database.ts";
import type { ReviewPosition } from "../../database/reviews/review-ranges.ts";
import type { ReviewFilter } from "../../domain/review/review-filter.ts";
import { type ReviewJson, toReviewJson } from "../../domain/review/review-json.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { loadReviews } from "./load-reviews.ts";
import { searchReviews } from "./search-reviews.ts";

export type ListedReview = ReviewJson & {
  id: string;
  app: { id: string; name: string; store: StoreId };
  language: string | null;
  /** The workspace's own included. */
  topics: string[];
};

const pageSizeMax = 100;

/**
 * The newest that match. A search that no index answers goes on until it has found them.
 *
 * @throws AppError `not_found` for an app of another workspace
 */
export async function listReviews(
  database: Pick<
    Database,
    "listFollowedApps" | "listReviewKeys" | "loadFeedReviews" | "listOwnTopicsOfReviews"
  >,
  query: {
    workspaceId: string;
    /** With days in place of a range: see `resolveDates`. */
    filters: ReviewFilter;
    limit: number;
    onSearched?(searchedCount: number): void;
  },
): Promise<ListedReview[]> {
  const { workspaceId, filters, limit } = query;
  const reviews: ListedReview[] = [];
  let after: ReviewPosition | null = null;
  let searchedCount = 0;
  do {
    const pageSize = Math.min(limit - reviews.length, pageSizeMax);
    const page = { workspaceId, filters, after, limit: pageSize };
    const { apps, keys, ...found } = await searchReviews(database, page);
    for (const { row, app, ownTopics } of await loadReviews(database, {
      workspaceId,
      apps,
      keys,
    })) {
      const { id, language } = row;
      const { name, store } = app;
      const topics = [...row.topics, ...ownTopics].sort();
      reviews.push({
        id,
        app: { id: app.id, name, store },
        ...toReviewJson(row),
        language,
        topics,
      });
    }
    searchedCount += found.searchedCount ?? 0;
    query.onSearched?.(searchedCount);
    after = found.last;
  } while (after !== null && reviews.length < limit);
  return reviews;
}
