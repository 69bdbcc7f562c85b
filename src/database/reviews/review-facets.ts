// Counts over the reviews that match filters: how many, their stars and topics, and for each filter how many its choices
// would leave. The newest reviews of the date range are scanned, up to a limit.
import sql, { join, raw, type Sql } from "sql-template-tag";
import type { ReviewFilters } from "../../domain/review/review-filter.ts";
import { readByApp } from "../cluster/coordinator.ts";
import { type Db, queryRows } from "../query.ts";
import type { AppScope } from "./followed-apps.ts";
import { allTopics, writeConditions } from "./review-filters.ts";
import { isFollowed, keysOf, writeApps } from "./review-page-sql.ts";
import { listByDate, wholeRange, writeScanned } from "./review-ranges.ts";

export type CountedFacet =
  | "rating"
  | "sentiment"
  | "topic"
  | "country"
  | "language"
  | "version"
  | "matching_rating"
  | "matching_topic"
  /** The number of scanned reviews. */
  | "scanned";

type FacetCount = { facet: CountedFacet; value: string; count: number };

export type ScopedFilters = AppScope & ReviewFilters;

/** `scanMax` is how many of the newest reviews are looked at. */
type Scan = { filters: ScopedFilters; scanMax: number };

/** The most frequent values first, at most 60 of each. */
export async function countFacets(db: Db, { filters, scanMax }: Scan): Promise<FacetCount[]> {
  if (filters.apps.length === 0) return [];
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
  return queryRows(db, "")(writeFacets(scan));
}

const choices = ["rating", "sentiment", "topic", "country", "language", "version"] as const;

type Choice = (typeof choices)[number];

/** The rows that match every choice but the one that is counted. */
function matching(but: Choice | null): Sql {
  const others = choices.filter((choice) => choice !== but);
  return join(
    others.map((choice) => raw(`is_${choice}`)),
    " and ",
  );
}

function countOf(choice: Choice): Sql {
  const isTopic = choice === "topic";
  const source = isTopic ? sql`checked cross join unnest(topics) as t (value)` : sql`checked`;
  const value = isTopic ? sql`t.value` : raw(`${choice}::text`);
  return sql`(select ${raw(`'${choice}'`)} as facet, ${value} as value, count(*) as count from ${source}
    where ${matching(choice)} and ${value} <> '' group by 2 order by 3 desc, 2 limit 60)`;
}

function writeFacets({ filters, scanMax }: Scan): Sql {
  const { apps } = filters;
  const keys = keysOf(filters);
  const conditions = writeConditions(filters, keys);
  const { rating, sentiment, topic, country, language, version, ...others } = conditions;
  const is = (condition = sql`true`): Sql => sql`(${condition}) is true`;
  const list = listByDate(filters, null);
  const ranges = [wholeRange(list, keys)];
  return sql`with ${writeApps(apps, keys)},
  ${writeScanned(list, { ranges, countMax: scanMax, appCount: apps.length })},
  checked as (
    select r.rating, r.sentiment, k.topics, r.country, r.language, r.version,
      ${is(rating)} as is_rating,
      ${is(sentiment)} as is_sentiment,
      ${is(topic)} as is_topic,
      ${is(version)} as is_version,
      ${is(country)} as is_country,
      ${is(language)} as is_language
    from scanned a join reviews r on r.listing_id = ${keys.listingId} and r.id = a.id
    cross join lateral (select case
      when (select count(*) = 0 from own_topics where workspace_id = ${keys.workspaceId}) then r.topics
      else ${allTopics({ topics: sql`r.topics`, id: sql`r.id` }, keys)} end as topics) k
    where ${join([isFollowed, ...Object.values(others)], " and ")}
  )
  ${join(choices.map(countOf), " union all ")}
  union all (select 'matching_rating', rating::text, count(*) from checked
    where ${matching(null)} group by 2)
  union all (select 'matching_topic', t.value, count(*) from checked
    cross join unnest(topics) as t (value) where ${matching(null)}
    group by 2 order by 3 desc, 2 limit 5)
  union all (select 'scanned', '', count(*) from scanned)`;
}
