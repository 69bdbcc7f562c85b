// Counts over the reviews that match filters: how many, their stars and topics, and for each filter how many its choices
// would leave. The newest reviews of the date range are scanned, up to a limit.
import { readByApp } from "../cluster/distributed-reads.ts";
import { ofEachListing } from "../cluster/distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { listingValues, type SeenScope } from "./followed-apps.ts";
import {
  allTopics,
  type CheckedFilter,
  type ReviewFilters,
  writeConditions,
} from "./review-filters.ts";
import { newestReviews, pageBounds, regionColumn } from "./review-ranges.ts";

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

export type ScopedFilters = SeenScope & ReviewFilters;

/** `scanMax` is how many of the newest reviews are looked at. */
type Scan = { filters: ScopedFilters; scanMax: number };

/** The most frequent values first, at most 60 of each. */
export async function countFacets(db: Db, { filters, scanMax }: Scan): Promise<FacetCount[]> {
  const [only, ...others] = await readByApp(db, filters.apps, (apps) =>
    countFacetsOf(db, { filters: { ...filters, apps }, scanMax }),
  );
  return others.length === 0 ? only : addUp([only, ...others].flat());
}

/** The values of several apps, most frequent first. */
function addUp(counts: readonly FacetCount[]): FacetCount[] {
  const sums = new Map<string, FacetCount>();
  for (const { facet, value, count } of counts) {
    const key = `${facet} ${value}`;
    sums.set(key, { facet, value, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].sort((one, other) => other.count - one.count);
}

function countFacetsOf(db: Db, scan: Scan): Promise<FacetCount[]> {
  // Planned for its values: how much it reads depends on them.
  const { text, values } = writeStatement(scan);
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

function writeStatement({ filters, scanMax }: Scan): { text: string; values: unknown[] } {
  const { from, before, beforeId } = pageBounds(filters, null);
  // `$1` to `$7`: which reviews are looked at.
  const values: unknown[] = [...listingValues(filters), from, before, beforeId, scanMax];
  const add = (_: CheckedFilter, value: unknown): string => `$${values.push(value)}`;
  const conditions = writeConditions(filters, { appId: "s.app_id", add });
  const isFollowed = `(s.regions is null or ${regionColumn} = any(s.regions))`;
  const { ratings, sentiments, topics, countries, languages, versions, ...others } = conditions;
  const is = (condition = "true"): string => `(${condition}) is true`;
  const newest = newestReviews({ appCount: filters.apps.length, scanMax });
  const text = `${ofEachListing("$2")}with ${newest},
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
