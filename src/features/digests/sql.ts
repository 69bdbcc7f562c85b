// The parts of a digest: daily counts from the rollups, and the newest texts of a range of days. The cost
// depends on the days and on a limit of texts, never on the number of reviews.
import sql, { join, type Sql } from "sql-template-tag";
import { readListings } from "../../database/cluster/coordinator.ts";
import { type Db, queryValue } from "../../database/query.ts";
import {
  type AppScope,
  regionColumn,
  type ScopedApp,
  scopeListings,
  scopeRollups,
} from "../../database/reviews/followed-apps.ts";
import { writeConditions } from "../../database/reviews/review-filters.ts";
import type { DailyCount } from "../../domain/changes/digest.ts";
import type { ReviewFilters } from "../../domain/review/review-filter.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";

type Scope = { workspaceId: string; app: ScopedApp };

/**
 * Days with a count; of a topic, `negative` are the negative reviews that mention it, as the list has them. A subject
 * without reviews on a day has no row. At most `limit`, the newest days first.
 */
export function listDailyCounts(
  db: Db,
  query: Scope & { from: Day; to: Day; limit: number },
): Promise<DailyCount[]> {
  const scoped = scopeRollups(scopeOf(query));
  const isInRange = writeRange(query);
  return readListings(db, "listDailyCounts", {
    ...scoped,
    tables: ["review_days", "topic_days", "facet_days"],
  })`
    select c.subject, c.value, c.day, sum(c.total)::integer as total,
      sum(c.negative)::integer as negative
    from ${scoped.rows}
    cross join lateral (
      select 'reviews' as subject, '' as value, d.day, d.total, d.negative from review_days d where ${isInRange}
      union all
      select 'topic', d.topic, d.day, d.total, d.negative_reviews from topic_days d where ${isInRange}
      union all
      select d.facet, d.value, d.day, d.total, d.negative from facet_days d where ${isInRange}
    ) c
    group by c.subject, c.value, c.day order by c.day desc, c.subject, c.value limit ${query.limit}`;
}

/** Days `d` of the regions `s`. */
function writeRange({ from, to }: { from: Day; to: Day }): Sql {
  return sql`d.listing_id = s.listing_id and d.region = s.region and d.day between ${from}::date and ${to}::date`;
}

/** Days with reviews of apps of a workspace, in all and by topic ("" is in all), and how many of them are negative. */
export function countTopicDays(
  db: Db,
  query: AppScope & { from: Day; to: Day },
): Promise<{ appId: string; topic: string; day: Day; total: number; negative: number }[]> {
  const scoped = scopeRollups(query);
  const isInRange = writeRange(query);
  return readListings(db, "countTopicDays", { ...scoped, tables: ["review_days", "topic_days"] })`
    select a.id as "appId", c.topic, c.day, sum(c.total)::integer as total,
      sum(c.negative)::integer as negative
    from ${scoped.rows}
    cross join lateral (
      select '' as topic, d.day, d.total, d.negative from review_days d where ${isInRange}
      union all
      select d.topic, d.day, d.total, d.negative_reviews from topic_days d where ${isInRange}
      offset 0
    ) c
    group by 1, 2, 3`;
}

function scopeOf({ workspaceId, app }: Scope): AppScope {
  return { workspaceId, apps: [app] };
}

/** Digests read about 200 words. */
const textMax = 1_200;

// The newest of each region are index ranges; only those that are newest of all are looked up, one by one.
/**
 * Reviews with a text that match, newest first, at most `limit`, among the newest `scanMax` of those days; with the
 * beginnings of their texts. A list of `DigestReview` as JSON, which a thread parses: there may be thousands.
 *
 * @param query.filters their days are those of the digest
 */
export async function listDigestReviews(
  db: Db,
  query: Scope & { from: Day; to: Day; filters?: ReviewFilters; scanMax: number; limit: number },
): Promise<string> {
  const { filters = {}, scanMax, limit } = query;
  const scoped = scopeListings(scopeOf(query));
  const keys = { workspaceId: query.workspaceId, appId: sql`a.id` };
  const checks = [sql`r.body <> ''`, ...Object.values(writeConditions(filters, keys))];
  const isInRange = sql`r.listing_id = s.listing_id and r.date >= ${`${query.from}T00:00:00Z`}::timestamptz
    and r.date < ${`${addDays(query.to, 1)}T00:00:00Z`}::timestamptz`;
  // Each set of filters is a statement of its own.
  const name = checks.length > 1 ? "" : "listDigestReviews";
  const read = readListings(db, name, { ...scoped, tables: ["reviews"] });
  const [found] = await read<{ reviews: string }>`
    select coalesce(json_agg(to_json(f) order by f.date desc, f.id desc), '[]')::text as reviews
    from (select r.id, r.rating, left(r.title, ${textMax}) as title, left(r.body, ${textMax}) as text, r.author,
      left(r.translated_text, ${textMax}) as "translatedText", r.version, r.country, r.date,
      coalesce(r.language, 'und') as language, r.sentiment, coalesce(r.sentiment_score, 0) as score, r.topics
    from ${scoped.rows}
    cross join lateral (
      select n.date, n.id from (
        (select r.date, r.id from reviews r where followed.regions is null and ${isInRange}
         order by r.date desc, r.id desc limit ${scanMax})
        union all
        (select o.date, o.id from unnest(followed.regions) g (region) cross join lateral (
           select r.date, r.id from reviews r
           where ${isInRange} and ${regionColumn} = g.region
           order by r.date desc, r.id desc limit ${scanMax}
         ) o)
      ) n order by n.date desc, n.id desc limit ${scanMax}
    ) n
    cross join lateral (
      select * from reviews where listing_id = s.listing_id and id = n.id offset 0
    ) r
    where ${join(checks, " and ")}
    order by r.date desc, r.id desc limit ${limit}) f`;
  return found?.reviews ?? "[]";
}

/** The day on which a version was first seen in a review of the app; null for one that no review names. */
export function findVersionDay(db: Db, query: Scope & { version: string }): Promise<Day | null> {
  return queryValue(db, "findVersionDay")<Day>`select v.first_day as day from apps a
      join app_versions v on v.listing_id = ${query.app.listingId}
    where a.workspace_id = ${query.workspaceId} and a.id = ${query.app.id}
      and a.listing_id = ${query.app.listingId} and v.version = ${query.version}`;
}
