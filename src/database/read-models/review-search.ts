// Reviews by filters that no index covers: words, version, edits, several stars or topics at once. A search scans a limited
// number of reviews, the newest first; the next search continues where it ended.
import { readByApp } from "../distributed-reads.ts";
import { type Db, queryRows } from "../query.ts";
import { noReviewFilters, type ReviewFilters } from "../reviews/review-filters.ts";
import { mergeFound } from "./merged-pages.ts";
import type { ReviewPosition } from "./review-pages.ts";
import {
  type Scan,
  type SearchFilters,
  searchConditions,
  withScanned,
} from "./search-filters-sql.ts";
import type { SeenScope } from "./seen-listings-sql.ts";

export type FoundReview = ReviewPosition & { listingId: string };

export type SearchedReviews = {
  found: FoundReview[];
  /** How many were scanned. */
  scannedCount: number;
  /** The last that was scanned; null when there are no more. */
  last: ReviewPosition | null;
};

type Row = {
  listingId: string;
  id: string;
  micros: string;
  isHit: boolean;
  scanned: number;
};

type Search = Scan & { limit: number };

/** Newest first, after `after`; filters that are left out are not set. Ends with `limit` found or `scanMax` scanned. */
export async function searchReviews(
  db: Db,
  search: Omit<Search, "filters"> & { filters: SeenScope & Partial<ReviewFilters> },
): Promise<SearchedReviews> {
  const { limit } = search;
  const filters: SearchFilters = { ...noReviewFilters, ...search.filters };
  const parts = await readByApp(db, filters.apps, (apps) =>
    searchListings(db, { ...search, filters: { ...filters, apps } }),
  );
  if (parts.length === 1) return parts[0];
  const found = parts.flatMap((part) => part.found);
  const ends = parts.flatMap(({ last }) => last ?? []);
  const { page, last } = mergeFound({ found, ends }, { limit, order: "newestFirst" });
  const scannedCount = parts.reduce((sum, part) => sum + part.scannedCount, 0);
  return { found: page, scannedCount, last };
}

async function searchListings(db: Db, search: Search): Promise<SearchedReviews> {
  const { limit, scanMax } = search;
  // Planned for its values: how much it reads depends on them.
  const { text, values } = writeStatement(search);
  const found = await queryRows<Row>(db, "", text, values);
  const end = found.at(-1);
  const hits = found.filter(({ isHit }) => isHit);
  const isFull = hits.length >= limit || (end?.scanned ?? 0) >= scanMax;
  return {
    found: hits.map(({ listingId, id, micros }) => ({
      listingId,
      id,
      micros: BigInt(micros),
    })),
    scannedCount: end?.scanned ?? 0,
    last: isFull && end ? { micros: BigInt(end.micros), id: end.id } : null,
  };
}

// The range is read from the index alone, and each review in it by one lookup of the primary key. Reading is
// lazy, from the newest on, so that a search that finds much ends early. The last row is where it ended.
function writeStatement(search: Search): { text: string; values: unknown[] } {
  const { conditions, isFollowed, values } = searchConditions(search);
  const limit = `$${values.push(search.limit)}::integer`;
  const matches = [isFollowed, ...Object.values(conditions)].join(" and ");
  const text = `${withScanned(search)},
  scanned as (
    select n.*, row_number() over (order by n.date desc, n.id desc) as number from newest n
  ),
  hits as (
    select s.number from scanned s cross join lateral (
      select 1 from reviews r where r.listing_id = s.listing_id and r.id = s.id
        and ${matches}
      limit 1
    ) r
    order by s.number limit ${limit}
  ),
  ended as (
    select case when count(*) >= ${limit} then max(number) else (select max(number) from scanned) end as at
    from hits
  )
  select s.listing_id as "listingId", s.id,
    ((extract(epoch from s.date) * 1000000)::bigint)::text as "micros",
    exists (select from hits h where h.number = s.number) as "isHit", s.number as scanned
  from scanned s
  where s.number in (select number from hits) or s.number = (select at from ended)
  order by s.number`;
  return { text, values };
}
