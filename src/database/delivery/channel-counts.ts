// Figures of the Sources page: the outcomes of a channel's deliveries in total and by day, how many events its filters
// would have sent, and which channels were deleted after 410 Gone.
import sql, { join } from "sql-template-tag";
import type { DeliveryStatus } from "../../domain/channel/delivery.ts";
import { type ReviewFilters, valuesOf } from "../../domain/review/review-filter.ts";
import type { Day } from "../../lib/timestamp.ts";
import { readListings } from "../cluster/coordinator.ts";
import { type Db, queryRows } from "../query.ts";
import {
  type AppScope,
  regionColumn,
  scopeListings,
  scopeRollups,
} from "../reviews/followed-apps.ts";
import { writeConditions } from "../reviews/review-filters.ts";
import { state, statusOf } from "./delivery-log.ts";

/** Counts the newest `limit` deliveries of each channel of a workspace, or of one channel. */
export function countDeliveries(
  db: Db,
  query: { workspaceId: string; channelId: string | null; limit: number },
): Promise<{ channelId: string; status: DeliveryStatus; count: number }[]> {
  const { workspaceId, channelId, limit } = query;
  return queryRows(db, "countDeliveries")`select c.id as "channelId", d.status, count(*) as count
    from channels c cross join lateral (
      select ${statusOf} as status
      from (select id, channel_id from deliveries where channel_id = c.id order by id desc limit ${limit}) d ${state}
    ) d
    where c.workspace_id = ${workspaceId} and (${channelId}::uuid is null or c.id = ${channelId}) group by 1, 2`;
}

export function listLastDeliveries(
  db: Db,
  query: { workspaceId: string; channelId: string | null },
): Promise<{ channelId: string; id: string; status: DeliveryStatus; createdAt: Date }[]> {
  const { workspaceId, channelId } = query;
  return queryRows(db, "listLastDeliveries")`select c.id as "channelId", d.id, d.status,
    d.created_at as "createdAt" from channels c cross join lateral (
      select d.id, ${statusOf} as status, d.created_at
      from (select id, channel_id, created_at from deliveries
        where channel_id = c.id order by id desc limit 1) d ${state}
    ) d
    where c.workspace_id = ${workspaceId} and (${channelId}::uuid is null or c.id = ${channelId})`;
}

type Choice = AppScope & {
  stars: readonly number[] | null;
  topics: readonly string[] | null;
  from: Day;
};

/** Reviews since that day that a choice matches: without topics from the rollups alone. */
export async function countMatches(db: Db, choice: Choice): Promise<number> {
  const [found] =
    choice.topics === null
      ? await countByDay(db, choice)
      : await countByTopic(db, choice, choice.topics);
  return found?.count ?? 0;
}

type Count = { count: number };

const allStars = [1, 2, 3, 4, 5];

function countByDay(db: Db, choice: Choice): Promise<Count[]> {
  const scoped = scopeRollups(choice);
  return readListings(db, "countMatchesByDay", { ...scoped, tables: ["review_days"] })`
    select coalesce(sum((
      select sum(n) from unnest(array[d.stars_1, d.stars_2, d.stars_3, d.stars_4, d.stars_5])
        with ordinality as s (n, star) where star = any(${choice.stars ?? allStars}::integer[])
    )), 0)::integer as count
    from ${scoped.rows}
    join review_days d on d.listing_id = s.listing_id and d.region = s.region and d.day >= ${choice.from}::date`;
}

const isFollowed = sql`(followed.regions is null or ${regionColumn} = any(followed.regions))`;

function countByTopic(db: Db, choice: Choice, topics: readonly string[]): Promise<Count[]> {
  const scoped = scopeListings(choice);
  const tables = ["review_topics", "reviews"] as const;
  return readListings(db, "countMatchesByTopic", {
    ...scoped,
    tables,
  })`select count(*) as count from (
      select distinct s.listing_id, t.review_id
      from ${scoped.rows} cross join lateral (
        select t.review_id, t.date, t.rating from review_topics t
        where t.listing_id = s.listing_id and t.topic = any(${topics}::text[])
        union all
        select o.review_id, o.date, o.rating from own_topics n join own_topic_reviews o on o.topic_id = n.id
        where n.workspace_id = ${choice.workspaceId} and n.name = any(${topics}::text[]) and o.app_id = a.id
      ) t
      where t.date >= ${choice.from}::date and t.rating = any(${choice.stars ?? allStars}::smallint[])
        and (followed.regions is null or exists (
          select from reviews r where r.listing_id = s.listing_id and r.id = t.review_id and ${isFollowed}
        ))
    ) m`;
}

/**
 * Edits since that day of reviews that are not older, matched by stars when they were new, and match the other filters as
 * they are.
 */
export async function countMatchedEdits(
  db: Db,
  choice: AppScope & { from: Day; reviewFilters: ReviewFilters },
): Promise<number> {
  const { rating: _, ...others } = choice.reviewFilters;
  const ratings = valuesOf(choice.reviewFilters, "rating");
  const { from } = choice;
  const scoped = scopeListings(choice);
  const checks = Object.values(
    writeConditions(others, { appId: sql`a.id`, workspaceId: choice.workspaceId }),
  );
  // Each set of filters is a statement of its own.
  const read = readListings(db, "", { ...scoped, tables: ["review_versions", "reviews"] });
  const [found] = await read<Count>`select count(*) as count
    from ${scoped.rows} join review_versions v on v.listing_id = s.listing_id
    join reviews r on r.listing_id = s.listing_id and r.id = v.review_id and ${isFollowed}
    where v.replaced_at >= ${from}::date and r.first_seen_at >= ${from}::date
      and (${ratings}::smallint[] is null or (
        select o.rating from review_versions o
        where o.listing_id = s.listing_id and o.review_id = v.review_id order by o.number limit 1
      ) = any(${ratings}::smallint[]))
      and ${join([...checks, sql`true`], " and ")}`;
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
  return queryRows(db, "listRetiredChannels")`select t.id, t.subject as "channelId", t.at, t.detail
    from audit t where t.workspace_id = ${query.workspaceId} and t.at >= ${query.since}
      and t.action = 'channel.deleted'
      and t.actor in ('system', 'service') and not exists (
        select from audit n where n.subject = t.id::text and n.action = 'notice.dismissed'
      )
    order by t.at desc limit 50`;
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
  const { limit } = query;
  return queryRows(db, "countDeliveryDays")`select to_char(g.day, 'YYYY-MM-DD') as day,
      (select count(*) from (select from deliveries d where d.channel_id = c.id
        and d.id >= b.first and d.id < b.after limit ${limit}) t) as total,
      (select count(*) from (select from pending p where p.channel_id = c.id
        and p.id >= b.first and p.id < b.after limit ${limit}) t) as pending,
      e.expired, e.cancelled
    from channels c
    cross join generate_series(${query.fromDay}::timestamp, ${query.toDay}::timestamp, interval '1 day') as g (day)
    cross join lateral (select id_floor(g.day at time zone 'UTC') as first,
      id_floor((g.day + interval '1 day') at time zone 'UTC') as after) b
    cross join lateral (
      select count(*) filter (where status = 'expired') as expired,
        count(*) filter (where status = 'cancelled') as cancelled
      from (select status from ended_deliveries e where e.channel_id = c.id
        and e.id >= b.first and e.id < b.after limit ${limit}) t
    ) e
    where c.id = ${query.channelId} and c.workspace_id = ${query.workspaceId} order by g.day`;
}
