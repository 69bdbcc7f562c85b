// The parts of a digest: daily counts from the rollups, and the newest texts of a range of days. The cost
// depends on the days and on a limit of texts, never on the number of reviews.
import type { DailyCount, DigestReview } from "../../domain/digest.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { ofListings } from "../cluster/distributed-sql.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import {
  listingValues,
  rollupValues,
  type SeenApp,
  type SeenScope,
  seenListings,
  seenRollups,
} from "./followed-apps.ts";

type Scope = { workspaceId: string; app: SeenApp };

/**
 * Days with a count; of a topic, `negative` are the bad opinions, or its negative reviews where a provider gave no
 * opinions. A subject without reviews on a day has no row. At most `limit`, the newest days first.
 */
export function listDailyCounts(
  db: Db,
  query: Scope & { from: Day; to: Day; limit: number },
): Promise<DailyCount[]> {
  return queryRows(
    db,
    "listDailyCounts",
    `${ofListings("$2")}select c.subject, c.value, c.day, sum(c.total)::integer as total, sum(c.negative)::integer as negative
     from ${seenRollups}
     cross join lateral (
       select 'reviews' as subject, '' as value, d.day, d.total, d.negative from review_days d
       where d.listing_id = s.listing_id and d.region = s.region and d.day between $4::date and $5::date
       union all
       select 'topic', d.topic, d.day, d.total,
         case when d.positive + d.negative = 0 then d.negative_reviews else d.negative end
       from topic_days d
       where d.listing_id = s.listing_id and d.region = s.region and d.day between $4::date and $5::date
       union all
       select d.facet, d.value, d.day, d.total, d.negative from facet_days d
       where d.listing_id = s.listing_id and d.region = s.region and d.day between $4::date and $5::date
     ) c
     group by c.subject, c.value, c.day order by c.day desc, c.subject, c.value limit $6`,
    [...rollupValues(scopeOf(query)), query.from, query.to, query.limit],
  );
}

/** Days with reviews of apps of a workspace, in all and by topic ("" is in all), and how many of them are negative. */
export function countTopicDays(
  db: Db,
  query: SeenScope & { from: Day; to: Day },
): Promise<{ appId: string; topic: string; day: Day; total: number; negative: number }[]> {
  return queryRows(
    db,
    "countTopicDays",
    `${ofListings("$2")}select a.id as "appId", c.topic, c.day, sum(c.total)::integer as total,
       sum(c.negative)::integer as negative
     from ${seenRollups}
     cross join lateral (
       select '' as topic, d.day, d.total, d.negative from review_days d
       where d.listing_id = s.listing_id and d.region = s.region and d.day between $4::date and $5::date
       union all
       select d.topic, d.day, d.total, d.negative_reviews from topic_days d
       where d.listing_id = s.listing_id and d.region = s.region and d.day between $4::date and $5::date
       offset 0
     ) c
     group by 1, 2, 3`,
    [...rollupValues(query), query.from, query.to],
  );
}

function scopeOf({ workspaceId, app }: Scope): SeenScope {
  return { workspaceId, apps: [app] };
}

const inRange = "r.date >= $4::timestamptz and r.date < $5::timestamptz";

// The newest of each region are index ranges; only those that are newest of all are looked up, one by one.
/** Those of the newest reviews, at most `limit`, that have a text; newest first. */
export function listDigestReviews(
  db: Db,
  query: Scope & { from: Day; to: Day; limit: number },
): Promise<DigestReview[]> {
  return queryRows(
    db,
    "listDigestReviews",
    `${ofListings("$2")}select r.id, r.rating, r.title, r.body as text, r.author,
       r.translated_text as "translatedText", r.reply_text is not null as "hasReply", r.version, r.country, r.date,
       coalesce(r.language, 'und') as language, r.sentiment, coalesce(r.sentiment_score, 0) as score, r.topics
     from ${seenListings}
     cross join lateral (
       select n.date, n.id from (
         (select r.date, r.id from reviews r
          where seen.regions is null and r.listing_id = s.listing_id and ${inRange}
          order by r.date desc, r.id desc limit $6)
         union all
         (select o.date, o.id from unnest(seen.regions) g (region) cross join lateral (
            select r.date, r.id from reviews r
            where r.listing_id = s.listing_id and ${inRange}
              and coalesce(r.language_hint, nullif(r.country, ''), 'und') = g.region
            order by r.date desc, r.id desc limit $6
          ) o)
       ) n order by n.date desc, n.id desc limit $6
     ) n
     cross join lateral (
       select * from reviews where listing_id = s.listing_id and id = n.id offset 0
     ) r
     where r.body <> ''
     order by r.date desc, r.id desc`,
    [
      ...listingValues(scopeOf(query)),
      `${query.from}T00:00:00Z`,
      `${addDays(query.to, 1)}T00:00:00Z`,
      query.limit,
    ],
  );
}

/** The day on which a version was first seen in a review of the app; null for one that no review names. */
export async function findVersionDay(
  db: Db,
  query: Scope & { version: string },
): Promise<Day | null> {
  const found = await queryFirstRow<{ day: Day }>(
    db,
    "findVersionDay",
    `select v.first_day as day from apps a join app_versions v on v.listing_id = $4
     where a.workspace_id = $1 and a.id = $2 and a.listing_id = $4 and v.version = $3`,
    [query.workspaceId, query.app.id, query.version, query.app.listingId],
  );
  return found?.day ?? null;
}
