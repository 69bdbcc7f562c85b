// Counts over the reviews that match a search: how many, their stars and topics, and for each filter how many its
// choices would leave. The newest reviews of the date range are scanned, up to a limit; or, by the search index, all that
// have the words.
import { readByApp } from "../distributed-reads.ts";
import { ofEachListing } from "../distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { indexedReviews } from "./indexed-reviews-sql.ts";
import { newestReviews } from "./newest-reviews-sql.ts";
import { allTopics } from "./own-topic-sql.ts";
import { pageBounds } from "./page-bounds-sql.ts";
import { isWorkedOn, type SearchFilters, toPattern } from "./review-search.ts";
import { listingValues } from "./seen-listings-sql.ts";

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

export type FacetCount = { facet: CountedFacet; value: string; count: number };

/** The most frequent values first, at most 60 of each. */
export async function countFacets(
  db: Db,
  { filters, scanMax }: { filters: SearchFilters; scanMax: number },
): Promise<FacetCount[]> {
  const [only, ...others] = await readByApp(db, filters.apps, (apps) =>
    countFacetsOf(db, { filters: { ...filters, apps }, scanMax, isByIndex: false }),
  );
  return others.length === 0 ? only : addUp([only, ...others].flat());
}

/** The same of all reviews that have the words, by the search index; null where more than `scanMax` have them. */
export async function countIndexedFacets(
  db: Db,
  query: { filters: SearchFilters; scanMax: number },
): Promise<FacetCount[] | null> {
  const counts = await countFacetsOf(db, { ...query, isByIndex: true });
  const scanned = counts.find(({ facet }) => facet === "scanned");
  return (scanned?.count ?? 0) > query.scanMax ? null : counts;
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
  { filters, scanMax, isByIndex }: { filters: SearchFilters; scanMax: number; isByIndex: boolean },
): Promise<FacetCount[]> {
  const { from, before, beforeId } = pageBounds(filters, null);
  const text = writeStatement({ appCount: filters.apps.length, scanMax, isByIndex });
  // Planned for its values: how much it reads depends on them.
  return queryRows(db, "", text, [
    ...[...listingValues(filters), from, before, beforeId, scanMax],
    ...[filters.ratings, filters.sentiment, filters.topics, filters.version, filters.editedOnly],
    filters.words.length === 0 ? null : filters.words.map(toPattern),
    ...[filters.country, filters.language, filters.hasReply, filters.tag, filters.assigneeId],
  ]);
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

const writeStatement = ({
  isByIndex,
  ...scan
}: {
  appCount: number;
  scanMax: number;
  isByIndex: boolean;
}): string => `${ofEachListing("$2")}with ${
  isByIndex ? indexedReviews("$13") : newestReviews(scan)
},
  scanned as (select * from newest),
  checked as (
    select r.rating, r.sentiment, k.topics, r.country, r.language, r.version,
      ($8::smallint[] is null or r.rating = any($8)) as is_rating,
      ($9::text is null or r.sentiment = $9) is true as is_sentiment,
      ($10::text[] is null or k.topics && $10) as is_topic,
      ($11::text is null or r.version = $11) as is_version,
      ($14::text is null or r.country = $14) as is_country,
      ($15::text is null or r.language = $15) is true as is_language
    from scanned s join reviews r on r.listing_id = s.listing_id and r.id = s.id
    cross join lateral (select case when (select count(*) = 0 from own_topics where workspace_id = $1)
      then r.topics else ${allTopics({ topics: "r.topics", appId: "s.app_id", id: "r.id" })} end as topics) k
    where (not $12::boolean or r.edited_at is not null)
      and (s.regions is null
        or coalesce(r.language_hint, nullif(r.country, ''), 'und') = any(s.regions))
      and ($13::text[] is null or r.body ilike any($13) or r.title ilike any($13)
        or r.author ilike any($13) or r.translated_text ilike any($13))
      and ($16::boolean is null or (r.reply_text is not null) = $16)
      and ${isWorkedOn({ tag: "$17", assigneeId: "$18" })}
  )
  ${choices.map(countOf).join(" union all ")}
  union all (select 'matching_rating', rating::text, count(*) from checked
    where ${matching(null)} group by 2)
  union all (select 'matching_topic', t.value, count(*) from checked
    cross join unnest(topics) as t (value) where ${matching(null)}
    group by 2 order by 3 desc, 2 limit 5)
  union all (select 'scanned', '', count(*) from scanned)`;
