// Figures of the Sources page: the outcomes of a channel's deliveries in total and by day, how many events its filters
// would have sent, and which channels were deleted after 410 Gone.
import type { DeliveryStatus } from "../../domain/delivery.ts";
import type { Day } from "../../lib/timestamp.ts";
import { ofListings } from "../cluster/distributed-sql.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import {
  listingValues,
  rollupValues,
  type SeenScope,
  seenListings,
  seenRollups,
} from "../reviews/followed-apps.ts";
import { type ReviewFilters, writeConditions } from "../reviews/review-filters.ts";
import { readBuckets } from "./buckets.ts";
import { stateOf, statusOf } from "./delivery-log.ts";

/** Counts the newest `limit` deliveries of each channel of a workspace, or of one channel. */
export async function countDeliveries(
  db: Db,
  query: { workspaceId: string; channelId: string | null; limit: number },
): Promise<{ channelId: string; status: DeliveryStatus; count: number }[]> {
  return inEachBucket(db, (bucket) =>
    queryRows(
      db,
      "countDeliveries",
      `select c.id as "channelId", d.status, count(*) as count
       from channels c cross join lateral (
         select ${statusOf} as status
         from (select id, channel_id from deliveries where channel_id = c.id and bucket = $3
           order by id desc limit $2) d ${stateOf("$3")}
       ) d
       where c.workspace_id = $1 and ($4::uuid is null or c.id = $4) group by 1, 2`,
      [query.workspaceId, query.limit, bucket, query.channelId],
    ),
  );
}

export async function listLastDeliveries(
  db: Db,
  query: { workspaceId: string; channelId: string | null },
): Promise<{ channelId: string; id: string; status: DeliveryStatus; createdAt: Date }[]> {
  return inEachBucket(db, (bucket) =>
    queryRows(
      db,
      "listLastDeliveries",
      `select c.id as "channelId", d.id, d.status, d.created_at as "createdAt"
       from channels c cross join lateral (
         select d.id, ${statusOf} as status, d.created_at
         from (select id, channel_id, created_at from deliveries
           where channel_id = c.id and bucket = $2 order by id desc limit 1) d ${stateOf("$2")}
       ) d
       where c.workspace_id = $1 and ($3::uuid is null or c.id = $3)`,
      [query.workspaceId, bucket, query.channelId],
    ),
  );
}

/** A channel has rows in its own bucket alone, so each is found once. */
async function inEachBucket<Row>(db: Db, read: (bucket: number) => Promise<Row[]>): Promise<Row[]> {
  const { all } = await readBuckets(db);
  return (await Promise.all(all.map(read))).flat();
}

type Choice = SeenScope & {
  stars: readonly number[] | null;
  topics: readonly string[] | null;
  from: Day;
};

/** Reviews since that day that a choice matches: without topics from the rollups alone. */
export async function countMatches(db: Db, choice: Choice): Promise<number> {
  const stars = choice.stars ?? [1, 2, 3, 4, 5];
  const { topics } = choice;
  const found =
    topics === null
      ? await queryFirstRow<{ count: number }>(db, "countMatchesByDay", matchesByDay, [
          ...rollupValues(choice),
          choice.from,
          stars,
        ])
      : await queryFirstRow<{ count: number }>(db, "countMatchesByTopic", matchesByTopic, [
          ...listingValues(choice),
          choice.from,
          stars,
          topics,
        ]);
  return found?.count ?? 0;
}

const matchesByDay = `${ofListings("$2")}select coalesce(sum((
       select sum(n) from unnest(array[d.stars_1, d.stars_2, d.stars_3, d.stars_4, d.stars_5])
         with ordinality as s (n, star) where star = any($5::integer[])
     )), 0)::integer as count
     from ${seenRollups}
     join review_days d on d.listing_id = s.listing_id and d.region = s.region and d.day >= $4::date`;

const isSeen = `(seen.regions is null
         or coalesce(r.language_hint, nullif(r.country, ''), 'und') = any(seen.regions))`;

const matchesByTopic = `${ofListings("$2")}select count(*) as count from (
       select distinct s.listing_id, t.review_id
       from ${seenListings} cross join lateral (
         select t.review_id, t.date, t.rating from review_topics t
         where t.listing_id = s.listing_id and t.topic = any($6::text[])
         union all
         select o.review_id, o.date, o.rating from own_topics n join own_topic_reviews o on o.topic_id = n.id
         where n.workspace_id = $1 and n.name = any($6::text[]) and o.app_id = a.id
       ) t
       where t.date >= $4::date and t.rating = any($5::smallint[])
         and (seen.regions is null or exists (
           select from reviews r where r.listing_id = s.listing_id and r.id = t.review_id and ${isSeen}
         ))
     ) m`;

/**
 * Edits since that day of reviews that are not older, matched by stars when they were new, and match the other filters as
 * they are.
 */
export async function countMatchedEdits(
  db: Db,
  choice: SeenScope & { from: Day; reviewFilters: ReviewFilters },
): Promise<number> {
  const { ratings, ...others } = choice.reviewFilters;
  const values: unknown[] = [...listingValues(choice), choice.from, ratings];
  const checks = writeConditions(
    { ...others, ratings: null },
    { appId: "a.id", add: (_, value) => `$${values.push(value)}` },
  );
  const found = await queryFirstRow<{ count: number }>(
    db,
    // Each set of filters is a statement of its own.
    "",
    `${ofListings("$2")}select count(*) as count
     from ${seenListings} join review_versions v on v.listing_id = s.listing_id
     join reviews r on r.listing_id = s.listing_id and r.id = v.review_id and ${isSeen}
     where v.replaced_at >= $4::date and r.first_seen_at >= $4::date
       and ($5::smallint[] is null or (
         select o.rating from review_versions o
         where o.listing_id = s.listing_id and o.review_id = v.review_id order by o.number limit 1
       ) = any($5::smallint[]))
       and ${Object.values(checks).concat("true").join(" and ")}`,
    values,
  );
  return found?.count ?? 0;
}

export type RetiredChannel = {
  id: string;
  channelId: string;
  at: Date;
  detail: Record<string, unknown>;
};

/** Channels that the service deleted since, newest first, without those that a user has dismissed. */
export function listRetiredChannels(
  db: Db,
  query: { workspaceId: string; since: Date },
): Promise<RetiredChannel[]> {
  return queryRows(
    db,
    "listRetiredChannels",
    `select t.id, t.subject as "channelId", t.at, t.detail from audit t
     where t.workspace_id = $1 and t.at >= $2 and t.action = 'channel.deleted'
       and t.actor = 'service' and not exists (
         select from audit n where n.subject = t.id::text and n.action = 'notice.dismissed'
       )
     order by t.at desc limit 50`,
    [query.workspaceId, query.since],
  );
}

// The outcomes of a channel's deliveries by day. Days are those on which a delivery was queued, and a busy day
// is counted up to a limit: a bar of shares needs no more.

export type DeliveryDay = {
  day: Day;
  /** All that were queued on it, at most the limit; the others are among them. */
  total: number;
  pending: number;
  expired: number;
  cancelled: number;
};

/** Oldest first, every day from the first to the last. */
export async function countDeliveryDays(
  db: Db,
  query: { channelId: string; workspaceId: string; fromDay: Day; toDay: Day; limit: number },
): Promise<DeliveryDay[]> {
  return queryRows(
    db,
    "countDeliveryDays",
    `select to_char(g.day, 'YYYY-MM-DD') as day,
       (select count(*) from (select from deliveries d where d.channel_id = c.id and d.bucket = $6
         and d.id >= b.first and d.id < b.after limit $5) t) as total,
       (select count(*) from (select from pending p where p.channel_id = c.id and p.bucket = $6
         and p.id >= b.first and p.id < b.after limit $5) t) as pending,
       e.expired, e.cancelled
     from channels c
     cross join generate_series($3::timestamp, $4::timestamp, interval '1 day') as g (day)
     cross join lateral (select id_floor(g.day at time zone 'UTC') as first,
       id_floor((g.day + interval '1 day') at time zone 'UTC') as after) b
     cross join lateral (
       select count(*) filter (where status = 'expired') as expired,
         count(*) filter (where status = 'cancelled') as cancelled
       from (select status from ended_deliveries e where e.channel_id = c.id and e.bucket = $6
         and e.id >= b.first and e.id < b.after limit $5) t
     ) e
     where c.id = $1 and c.workspace_id = $2 order by g.day`,
    [
      query.channelId,
      query.workspaceId,
      query.fromDay,
      query.toDay,
      query.limit,
      (await readBuckets(db)).of(query.channelId),
    ],
  );
}
