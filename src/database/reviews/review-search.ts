// Reviews by filters that no index covers, and the counts above them. A search scans a limited number of reviews, the newest
// first; the next search continues where it ended.
import { readByApp } from "../cluster/distributed-reads.ts";
import { ofEachListing } from "../cluster/distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { listingValues, type SeenScope } from "./followed-apps.ts";
import {
  allTopics,
  type CheckedFilter,
  noReviewFilters,
  type ReviewFilters,
  writeConditions,
} from "./review-filters.ts";
import { compareNewest, mergeFound } from "./review-pages.ts";
import { newestReviews, pageBounds, type ReviewPosition, regionColumn } from "./review-ranges.ts";

type FoundReview = ReviewPosition & { listingId: string };

type SearchedReviews = {
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
  const { page, last } = mergeFound({ found, ends }, { limit, compare: compareNewest });
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

// Counts over the reviews that match a search: how many, their stars and topics, and for each filter how many its
// choices would leave. The newest reviews of the date range are scanned, up to a limit.

export type CountedFacet =
  | "rating"
  | "sentiment"
  | "topic"
  | "country"
  | "language"
  | "version"
  | "matching_rating"
  | "matching_topic"
  /** How many were scanned. */
  | "scanned";

type FacetCount = { facet: CountedFacet; value: string; count: number };

/** The most frequent values first, at most 60 of each. */
export async function countFacets(
  db: Db,
  { filters, scanMax }: { filters: SearchFilters; scanMax: number },
): Promise<FacetCount[]> {
  const [only, ...others] = await readByApp(db, filters.apps, (apps) =>
    countFacetsOf(db, { filters: { ...filters, apps }, scanMax }),
  );
  return others.length === 0 ? only : addUp([only, ...others].flat());
}

/** Of several apps, the most frequent values first. */
function addUp(counts: readonly FacetCount[]): FacetCount[] {
  const sums = new Map<string, FacetCount>();
  for (const { facet, value, count } of counts) {
    const key = `${facet} ${value}`;
    sums.set(key, { facet, value, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].sort((one, other) => other.count - one.count);
}

function countFacetsOf(
  db: Db,
  { filters, scanMax }: { filters: SearchFilters; scanMax: number },
): Promise<FacetCount[]> {
  const scan = { filters, scanMax, after: null };
  // Planned for its values: how much it reads depends on them.
  const { text, values } = writeCountStatement(scan);
  return queryRows(db, "", text, values);
}

const choices = ["rating", "sentiment", "topic", "country", "language", "version"] as const;

/** The rows that match every choice but the one that is counted. */
function matching(but: (typeof choices)[number] | null): string {
  return choices
    .filter((choice) => choice !== but)
    .map((choice) => `is_${choice}`)
    .join(" and ");
}

function countOf(choice: (typeof choices)[number]): string {
  const source = choice === "topic" ? "checked cross join unnest(topics) as t (value)" : "checked";
  const value = choice === "topic" ? "t.value" : `${choice}::text`;
  return `(select '${choice}' as facet, ${value} as value, count(*) as count from ${source}
    where ${matching(choice)} and ${value} <> '' group by 2 order by 3 desc, 2 limit 60)`;
}

function writeCountStatement(scan: Scan): { text: string; values: unknown[] } {
  const { conditions, isFollowed, values } = searchConditions(scan);
  const { ratings, sentiments, topics, countries, languages, versions, ...others } = conditions;
  const is = (condition = "true"): string => `(${condition}) is true`;
  const text = `${withScanned(scan)},
  scanned as (select * from newest),
  checked as (
    select r.rating, r.sentiment, k.topics, r.country, r.language, r.version,
      ${is(ratings)} as is_rating,
      ${is(sentiments)} as is_sentiment,
      ${is(topics)} as is_topic,
      ${is(versions)} as is_version,
      ${is(countries)} as is_country,
      ${is(languages)} as is_language
    from scanned s join reviews r on r.listing_id = s.listing_id and r.id = s.id
    cross join lateral (select case when (select count(*) = 0 from own_topics where workspace_id = $1)
      then r.topics else ${allTopics({ topics: "r.topics", appId: "s.app_id", id: "r.id" })} end as topics) k
    where ${[isFollowed, ...Object.values(others)].join(" and ")}
  )
  ${choices.map(countOf).join(" union all ")}
  union all (select 'matching_rating', rating::text, count(*) from checked
    where ${matching(null)} group by 2)
  union all (select 'matching_topic', t.value, count(*) from checked
    cross join unnest(topics) as t (value) where ${matching(null)}
    group by 2 order by 3 desc, 2 limit 5)
  union all (select 'scanned', '', count(*) from scanned)`;
  return { text, values };
}

// The filters of searches and of the counts above them, as values and as conditions on a review `r`.

export type SearchFilters = SeenScope & ReviewFilters;

export type Scan = {
  filters: SearchFilters;
  after: ReviewPosition | null;
  /** How many reviews are looked at. */
  scanMax: number;
};

/** `$1` to `$7`: which reviews are looked at. */
function scanValues({ filters, after, scanMax }: Scan): unknown[] {
  const { from, before, beforeId } = pageBounds(filters, after);
  return [...listingValues(filters), from, before, beforeId, scanMax];
}

type SearchConditions = {
  conditions: Partial<Record<CheckedFilter, string>>;
  /** Whether the workspace follows the region of a review `r` of `s`. */
  isFollowed: string;
  values: unknown[];
};

/** The conditions on a review `r` of `s`, with all values so far. */
function searchConditions(scan: Scan): SearchConditions {
  const values = scanValues(scan);
  const add = (_: CheckedFilter, value: unknown): string => `$${values.push(value)}`;
  const conditions = writeConditions(scan.filters, { appId: "s.app_id", add });
  return {
    conditions,
    values,
    isFollowed: `(s.regions is null or ${regionColumn} = any(s.regions))`,
  };
}

/** Begins a statement with the common table expression `newest`: the newest reviews. */
function withScanned({ filters, scanMax }: Scan): string {
  const newest = newestReviews({ appCount: filters.apps.length, scanMax });
  return `${ofEachListing("$2")}with ${newest}`;
}
