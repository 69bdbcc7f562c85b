// Pages of reviews for the read API: newest first, a few index ranges per app, merged. The cost is apps ×
// page, at any depth and for any number of reviews.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Day } from "../../lib/timestamp.ts";
import type { Db } from "../query.ts";
import type { FollowedApp } from "./followed-apps.ts";
import { readPage } from "./merged-pages.ts";
import { buildPageStatement } from "./review-page-sql.ts";

/** Where a review stands in the order of pages: by date (or by its change), then by id. */
export type ReviewPosition = {
  /** Microseconds since 1970: PostgreSQL keeps them, a Date would lose them and skip reviews. */
  micros: bigint;
  id: string;
};

/** Lists are any of their values; null is no filter. */
export type ReviewFilters = {
  /** UTC days, both inclusive. */
  from: Day | null;
  to: Day | null;
  ratings: readonly number[] | null;
  sentiments: readonly SentimentLabel[] | null;
  topics: readonly string[] | null;
  countries: readonly string[] | null;
  languages: readonly string[] | null;
  versions: readonly string[] | null;
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
