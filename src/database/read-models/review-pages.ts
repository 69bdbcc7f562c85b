// Pages of reviews for the read API: newest first, one index range per app, merged. The cost is apps × page,
// at any depth, for any filters and any number of reviews.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { StoreId } from "../../domain/store-id.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type Db, queryFirstRow } from "../query.ts";
import { buildPageStatement, pageBounds } from "./review-page-sql.ts";

/** Where a review stands in the order of pages: by date, then id, both descending. */
export type ReviewPosition = {
  /** Microseconds since 1970: PostgreSQL keeps them, a Date would lose them and skip reviews. */
  dateMicros: bigint;
  id: string;
};

export type ReviewFilters = {
  workspaceId: string;
  /** null: all of the workspace. */
  appId: string | null;
  stores: readonly StoreId[];
  /** UTC days, both inclusive; null is open. */
  from: Day | null;
  to: Day | null;
  rating: number | null;
  sentiment: SentimentLabel | null;
  topic: string | null;
};

/** Reviews as the API returns them: JSON written by PostgreSQL, because nothing here reads it. */
export type ReviewPage = {
  /** Review objects of the public contract with commas between them; "" without any. */
  json: string;
  /** Where the next page begins: after this review. null when there is none. */
  last: ReviewPosition | null;
};

/**
 * Reviews that match, the newest first, those after `after` in that order; `limit` is at most 100.
 * `sentiment` is null and `topics` empty while a review is not analysed.
 */
export async function listReviewPage(
  db: Db,
  page: { filters: ReviewFilters; after: ReviewPosition | null; limit: number },
): Promise<ReviewPage> {
  const { filters, limit } = page;
  const bounds = pageBounds(filters, page.after);
  const { name, text, values } = buildPageStatement({ filters, bounds, limit });
  const found = await queryFirstRow<PageRow>(db, name, text, values);
  const { json, isMore, lastDateMicros, lastId } = found ?? emptyPage;
  const isFull = isMore && lastDateMicros !== null && lastId !== null;
  return { json, last: isFull ? { dateMicros: BigInt(lastDateMicros), id: lastId } : null };
}

type PageRow = {
  isMore: boolean;
  json: string;
  lastDateMicros: string | null;
  lastId: string | null;
};

// A count without a group always returns one row: this is for the type alone.
const emptyPage: PageRow = { isMore: false, json: "", lastDateMicros: null, lastId: null };
