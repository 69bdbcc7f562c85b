// Counts over the reviews that match a search: how many, their stars and topics, and for each filter how many its
// choices would leave. The newest reviews of the date range are scanned, up to a limit.
import { readByApp } from "../distributed-reads.ts";
import { type Db, queryRows } from "../query.ts";
import { allTopics } from "./own-topic-sql.ts";
import {
  type Scan,
  type SearchFilters,
  searchConditions,
  withScanned,
} from "./search-filters-sql.ts";

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

function writeStatement(scan: Scan): { text: string; values: unknown[] } {
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
