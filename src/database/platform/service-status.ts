// Figures for the operator: whether the service is healthy, what is stuck and since when, and how large the tables are.
// They count queues and feeds, never reviews or deliveries that are over.

import sql, { raw, type Sql } from "sql-template-tag";
import type { StoreLoad } from "../../domain/feed/reading-round.ts";
import { providerKinds } from "../../domain/review/provider.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { areFunctionsOpen } from "../../lib/postgres/dangerous-functions.ts";
import { writeTableSizes } from "../cluster/table-sizes.ts";
import { isInLane, lanesSql } from "../collecting/feeds.ts";
import { type Db, queryFirstRow, queryRows, queryValue } from "../query.ts";
import { literal } from "../sql.ts";

/** Feeds of one store that fail for one reason. */
type FailingFeeds = { store: StoreId; reason: string; count: number; since: Date };

/** The most frequent first. */
export function listFailingFeeds(db: Db, limit: number): Promise<FailingFeeds[]> {
  return queryRows(db, "listFailingFeeds")`select l.store, coalesce(f.last_error, f.missing_part,
      f.stop_reason, '') as reason, count(*)::bigint as count, min(coalesce(f.good_at, l.created_at)) as since
    from feeds f join listings l on l.id = f.listing_id
    where f.outcome = 'unknown' or f.missing_part is not null
    group by 1, 2 order by 3 desc, 4 limit ${limit}`;
}

/** How the reading of one kind of feed goes: how many are late, and when one was last read well. */
type FeedClass = {
  store: StoreId;
  kind: string;
  count: number;
  /** Due for longer than it should be. */
  lateCount: number;
  /** Since when the longest waiting feed is due; null when none is. */
  dueSince: Date | null;
  lastGoodAt: Date | null;
};

export function listFeedClasses(
  db: Db,
  query: { now: Date; lateBefore: Date },
): Promise<FeedClass[]> {
  return queryRows(db, "listFeedClasses")`select store, kind, count(*)::bigint as count,
      count(*) filter (where next_due_at
        <= least(${query.now}::timestamptz, ${query.lateBefore}::timestamptz))::bigint as "lateCount",
      min(next_due_at) filter (where next_due_at <= ${query.now}) as "dueSince",
      max(good_at) as "lastGoodAt"
    from feeds group by 1, 2 order by 1, 2`;
}

/** The requests that the public feeds of each store need. A confirmed empty feed takes three, and once a day at most. */
export function readStoreLoads(
  db: Db,
  { intervalMinutes }: { intervalMinutes: number },
): Promise<StoreLoad[]> {
  return queryRows(db, "readStoreLoads")`select store,
      count(*) filter (where kind = 'reviews' and not is_slow)::bigint as "feedCount",
      ceil(sum(case when kind = 'ratings' then 1 when not is_slow then pages
        when outcome = 'ok' then 86400 / wait_seconds + pages * 86400 / full_wait_seconds
        else 3 * 86400 / wait_seconds end))::bigint as "dailyRequestCount",
      count(*) filter (where kind = 'reviews' and outcome is distinct from 'empty')::bigint as "wholeFeedCount",
      sum(case when kind = 'ratings' then 1 when outcome = 'empty' then 3 else pages end)::bigint
        as "wholeDailyRequestCount"
    from (
      select f.store, f.kind, f.outcome, greatest(f.full_page_count, 1) as pages, w.wait_seconds,
        greatest(coalesce(extract(epoch from f.full_crawl_due_at - f.full_crawl_at), 0), 86400) as full_wait_seconds,
        coalesce(w.wait_seconds > 1.2 * 60 * ${intervalMinutes}::numeric, false) as is_slow
      from feeds f
      cross join lateral (select extract(epoch from f.next_due_at - f.checked_at) as wait_seconds) w
      where not f.is_official
    ) as load
    group by store order by store`;
}

type FailingChannel = {
  id: string;
  name: string;
  host: string;
  reason: string | null;
  since: Date;
};

/** A paused channel sends nothing, so it does not fail. */
const failingChannels = sql`channel_health h join channels c on c.id = h.channel_id and not c.is_paused`;

/** The failing channels of all workspaces, those that fail longest first. */
export function listFailingChannels(db: Db, limit: number): Promise<FailingChannel[]> {
  return queryRows(db, "listFailingChannels")`select c.id, c.name, c.host,
    h.failing_reason as reason, h.failing_since as since
    from ${failingChannels} order by h.failing_since limit ${limit}`;
}

/** Jobs of a provider, and since when the longest waiting one is due; null when none is. */
type JobBacklog = { kind: string; dueCount: number; dueSince: Date | null; count: number };

export function listJobBacklogs(db: Db, { now }: { now: Date }): Promise<JobBacklog[]> {
  return queryRows(db, "listJobBacklogs")`select kind, count(*)::bigint as count,
      count(*) filter (where due_at <= ${now})::bigint as "dueCount",
      min(due_at) filter (where due_at <= ${now}) as "dueSince"
    from provider_jobs where kind = any(${providerKinds}::text[]) group by kind order by kind`;
}

/**
 * With indexes; a partitioned table counts as one. Rows are an estimate of the server. `bytesPerDay` is the
 * growth since the oldest size that was written down, null before there is one of an earlier day.
 */
export type TableSize = { name: string; bytes: number; rows: number; bytesPerDay: number | null };

/** The largest first. */
export async function listTableSizes(db: Db, limit: number): Promise<TableSize[]> {
  return queryRows(db, "listTableSizes")`select t.name, t.bytes, t.rows,
      ((t.bytes - o.bytes) / nullif(current_date - o.day, 0))::bigint as "bytesPerDay"
    from (${await writeTableSizes(db)}) t left join lateral (
      select bytes, day from table_sizes s where s.name = t.name order by day limit 1
    ) o on true
    order by 2 desc, 1 limit ${limit}`;
}

type ServiceMetrics = {
  /** Deliveries that wait; counted up to the limit. */
  pendingCount: number;
  /** How long the longest waiting channel has been due; 0 when none is. */
  deliveryLagSeconds: number;
  channelCount: number;
  failingChannelCount: number;
  /** How long the longest waiting feed has been due; 0 when none is. */
  feedLagSeconds: number;
  feeds: { outcome: string; count: number }[];
};

const firstDueIn = (isRetry: boolean): Sql =>
  sql`(select p.due_at from pending p
    where p.channel_id = q.channel_id and p.is_retry = ${literal(isRetry)}
      and p.due_at > '-infinity'
    order by p.due_at, p.id limit 1)`;

/**
 * The backlog is counted up to `pendingCountMax`: a larger count would cost more than it is worth.
 *
 * @throws AppError `unavailable` while the database is away
 */
export async function readServiceMetrics(
  db: Db,
  { now, pendingCountMax }: { now: Date; pendingCountMax: number },
): Promise<ServiceMetrics> {
  const feeds = await queryRows(db, "readServiceMetrics.feeds")<{ outcome: string; count: number }>`
    select coalesce(outcome, 'none') as outcome, count(*)::bigint as count
    from feeds group by outcome order by 1`;
  const metrics = await queryFirstRow(db, "readServiceMetrics")<Omit<ServiceMetrics, "feeds">>`
    select
      (select count(*)::bigint from
        (select 1 from pending limit ${pendingCountMax}) waiting) as "pendingCount",
      coalesce((select greatest(extract(epoch from ${now} - min(w.due_at)), 0)::float8 from (
        select next_due_at as due_at from channel_queue where lease_owner is null
        union all
        -- The first undelivered delivery of a channel that a worker holds.
        select least(${firstDueIn(false)}, ${firstDueIn(true)}) from channel_queue q
        where q.lease_owner is not null
      ) w), 0) as "deliveryLagSeconds",
      (select count(*)::bigint from channels) as "channelCount",
      (select count(*)::bigint from ${failingChannels}) as "failingChannelCount",
      coalesce((select greatest(extract(epoch from ${now} - min(next_due_at)), 0)::float8
        from (${lanesSql}) lanes cross join lateral (
          select w.next_due_at from feeds w where ${isInLane} order by w.next_due_at limit 1
        ) first), 0) as "feedLagSeconds"`;
  if (!metrics) throw new Error("a select without from gave no row");
  return { ...metrics, feeds };
}

/** Whether SQL users can call functions that stop the service; see `dangerous-functions.ts`. */
export async function areSqlUsersDangerous(db: Db): Promise<boolean> {
  const areOpen = await queryValue(db, "areSqlUsersDangerous")<boolean>`
    select exists (select from sql_users) and (${raw(areFunctionsOpen)}) as "areOpen"`;
  return areOpen === true;
}
