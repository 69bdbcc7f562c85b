// Pages of reviews for the read API: newest first, a few index ranges per app, merged. The cost is apps ×
// page, at any depth and for any number of reviews.
import type { Db } from "../query.ts";
import type { ReviewFilters } from "../reviews/review-filters.ts";
import type { FollowedApp } from "./followed-apps.ts";
import { readKeys, readPage } from "./merged-pages.ts";
import { buildKeyStatement, buildPageStatement } from "./review-page-sql.ts";

/** Where a review stands in the order of pages: by date (or by its change), then by id. */
export type ReviewPosition = {
  /** Microseconds since 1970: PostgreSQL keeps them, a Date would lose them and skip reviews. */
  micros: bigint;
  id: string;
};

export type PageQuery = {
  workspaceId: string;
  apps: readonly Pick<FollowedApp, "id" | "listingId" | "regions" | "hasOwnTopics">[];
  filters: ReviewFilters;
  after: ReviewPosition | null;
  /** At most 100. */
  limit: number;
};

/** Reviews as the API returns them: JSON written by PostgreSQL, because nothing here reads it. */
export type ReviewPage = {
  /** Review objects of the public contract with commas between them; "" without any. */
  json: string;
  /**
   * Where the next page begins: after this position. null when there is none. Filters that no index covers
   * can end a page before it is full, even before its first review.
   */
  last: ReviewPosition | null;
};

/** Reviews that match, the newest first, those after `after` in that order. */
export function listReviewPage(db: Db, query: PageQuery): Promise<ReviewPage> {
  return readPage(db, query, { build: buildPageStatement, order: "newestFirst" });
}

export type ReviewKey = { listingId: string; id: string };

/** The same reviews by their keys, for callers that read more of each. */
export function listReviewKeys(
  db: Db,
  query: PageQuery,
): Promise<{ keys: ReviewKey[]; last: ReviewPosition | null }> {
  return readKeys(db, query, buildKeyStatement);
}
