// Reviews by what no index of columns covers: words, version, edits, several stars or topics at once. A search scans a
// limited number of reviews, the newest first; the next search goes on where it ended. With the search index, rare words
// are found among all reviews.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Day } from "../../lib/timestamp.ts";
import { readByApp } from "../distributed-reads.ts";
import { ofEachListing } from "../distributed-sql.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { hasAll } from "../search-index-sql.ts";
import { indexedReviews } from "./indexed-reviews-sql.ts";
import { mergeFound } from "./merged-pages.ts";
import { newestReviews } from "./newest-reviews-sql.ts";
import { hasTopic } from "./own-topic-sql.ts";
import { pageBounds } from "./page-bounds-sql.ts";
import type { ReviewPosition } from "./review-pages.ts";
import { listingValues, type SeenScope } from "./seen-listings-sql.ts";

export type SearchFilters = SeenScope & {
  from: Day | null;
  to: Day | null;
  ratings: readonly number[] | null;
  sentiment: SentimentLabel | null;
  /** Any of them. */
  topics: readonly string[] | null;
  country: string | null;
  language: string | null;
  version: string | null;
  editedOnly: boolean;
  /** null: with and without. */
  hasReply: boolean | null;
  /** Of the workspace's work on reviews. */
  tag: string | null;
  assigneeId: string | null;
  /** Texts, any of which must occur, in upper or lower case. */
  words: readonly string[];
};

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
  indexedCount: number | null;
};

type Search = {
  filters: SearchFilters;
  after: ReviewPosition | null;
  limit: number;
  scanMax: number;
};

/** Newest first, after `after`. Ends with `limit` found or `scanMax` scanned. */
export async function searchReviews(db: Db, search: Search): Promise<SearchedReviews> {
  const { filters, limit } = search;
  const parts = await readByApp(db, filters.apps, (apps) =>
    searchListings(db, { ...search, filters: { ...filters, apps }, isByIndex: false }),
  );
  if (parts.length === 1) return parts[0];
  const found = parts.flatMap((part) => part.found);
  const ends = parts.flatMap(({ last }) => last ?? []);
  const { page, last } = mergeFound({ found, ends }, { limit, order: "newestFirst" });
  const scannedCount = parts.reduce((sum, part) => sum + part.scannedCount, 0);
  return { found: page, scannedCount, last };
}

/**
 * The same among all reviews that have the words, by the search index; null where more than `scanMax` have them. Without
 * the index it takes as long as there are reviews: ask `readSearchIndex` first.
 */
export async function searchIndexedReviews(
  db: Db,
  search: Search,
): Promise<SearchedReviews | null> {
  const { isCut, ...searched } = await searchListings(db, { ...search, isByIndex: true });
  return isCut ? null : searched;
}

async function searchListings(
  db: Db,
  search: Search & { isByIndex: boolean },
): Promise<SearchedReviews & { isCut: boolean }> {
  const { filters, after, limit, scanMax, isByIndex } = search;
  const { from, before, beforeId } = pageBounds(filters, after);
  const text = writeStatement({ appCount: filters.apps.length, scanMax, isByIndex });
  // Planned for its values: how much it reads depends on them.
  const found = await queryRows<Row>(db, "", text, [
    ...listingValues(filters),
    from,
    before,
    beforeId,
    scanMax,
    limit,
    filters.ratings,
    filters.sentiment,
    filters.topics,
    filters.version,
    filters.editedOnly,
    filters.words.length === 0 ? null : filters.words.map(toPattern),
    filters.country,
    filters.language,
    filters.hasReply,
    filters.tag,
    filters.assigneeId,
  ]);
  const end = found.at(-1);
  const isCut = (end?.indexedCount ?? 0) > scanMax;
  const hits = found.filter(({ isHit }) => isHit);
  const isScanned = !isByIndex && (end?.scanned ?? 0) >= scanMax;
  const isFull = hits.length >= limit || isScanned;
  return {
    found: hits.map(({ listingId, id, micros }) => ({
      listingId,
      id,
      micros: BigInt(micros),
    })),
    scannedCount: end?.scanned ?? 0,
    last: isFull && end ? { micros: BigInt(end.micros), id: end.id } : null,
    isCut,
  };
}

/** How many of the newest `scanMax` reviews have all of these texts, whatever else is filtered. */
export async function countNewestWithAll(
  db: Db,
  sample: Omit<Search, "limit"> & { texts: readonly string[] },
): Promise<number> {
  const { filters, after, scanMax, texts } = sample;
  const counts = await readByApp(db, filters.apps, async (apps) => {
    const { from, before, beforeId } = pageBounds(filters, after);
    const row = await queryFirstRow<{ count: number }>(
      db,
      "",
      `${ofEachListing("$2")}with ${newestReviews({ appCount: apps.length, scanMax })}
       select count(*) as count from newest n join reviews r on r.listing_id = n.listing_id and r.id = n.id
       where ${hasAll("r", "$8::text[]")}`,
      [
        ...listingValues({ ...filters, apps }),
        ...[from, before, beforeId, scanMax, texts.map(toPattern)],
      ],
    );
    return row?.count ?? 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Searches for the text itself: no character of it is a wildcard. */
export function toPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Whether a review `r` has the tag and the assignee, where they are asked for; `$1` is the workspace. */
export function isWorkedOn({ tag, assigneeId }: { tag: string; assigneeId: string }): string {
  return `((${tag}::text is null and ${assigneeId}::uuid is null) or exists (
    select from review_work k where k.workspace_id = $1 and k.review_id = r.id
      and (${tag}::text is null or k.tags @> array[${tag}::text])
      and (${assigneeId}::uuid is null or k.assignee_id = ${assigneeId})
  ))`;
}

// The range is read from the index alone, and each review in it by one lookup of the primary key. Reading is
// lazy, from the newest on, so that a search that finds much ends early. The last row is where it ended.
const writeStatement = ({
  isByIndex,
  ...scan
}: {
  appCount: number;
  scanMax: number;
  isByIndex: boolean;
}): string => `${ofEachListing("$2")}with ${
  isByIndex ? indexedReviews("$14") : newestReviews(scan)
},
  scanned as (
    select n.*, row_number() over (order by n.date desc, n.id desc) as number from newest n
  ),
  hits as (
    select s.number from scanned s cross join lateral (
      select 1 from reviews r where r.listing_id = s.listing_id and r.id = s.id
        and (s.regions is null or coalesce(r.language_hint, nullif(r.country, ''), 'und') = any(s.regions))
        and ($9::smallint[] is null or r.rating = any($9))
        and ($10::text is null or r.sentiment = $10)
        and ($11::text[] is null or ${hasTopic({ topics: "r.topics", appId: "s.app_id", id: "r.id" }, "$11")})
        and ($12::text is null or r.version = $12)
        and (not $13::boolean or r.edited_at is not null)
        and ($14::text[] is null or r.body ilike any($14) or r.title ilike any($14)
          or r.author ilike any($14) or r.translated_text ilike any($14))
        and ($15::text is null or r.country = $15)
        and ($16::text is null or r.language = $16)
        and ($17::boolean is null or (r.reply_text is not null) = $17)
        and ${isWorkedOn({ tag: "$18", assigneeId: "$19" })}
      limit 1
    ) r
    order by s.number limit $8
  ),
  ended as (
    select case when count(*) >= $8 then max(number) else (select max(number) from scanned) end as at
    from hits
  )
  select s.listing_id as "listingId", s.id,
    ((extract(epoch from s.date) * 1000000)::bigint)::text as "micros",
    exists (select from hits h where h.number = s.number) as "isHit", s.number as scanned,
    ${isByIndex ? "(select count(*) from newest)" : "null::bigint"} as "indexedCount"
  from scanned s
  where s.number in (select number from hits) or s.number = (select at from ended)
  order by s.number`;
