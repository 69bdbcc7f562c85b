// What an operator needs to see whether the service is healthy, what is stuck and since when. For a look now
// and then: some of it counts whole tables of feeds and channels.
import type { StoreLoad } from "../../domain/reading-round.ts";
import { type Db, queryRows } from "../query.ts";
import { tableSizesSql } from "../table-sizes-sql.ts";

/** Feeds of one store that fail for one reason. */
export type FailingFeeds = { store: string; reason: string; count: number; since: Date };

/** The oldest failures first. */
export function listFailingFeeds(db: Db, limit: number): Promise<FailingFeeds[]> {
  return queryRows(
    db,
    "listFailingFeeds",
    `select l.store, coalesce(f.last_error, f.stop_reason, '') as reason, count(*)::bigint as count,
       min(coalesce(f.good_at, l.created_at)) as since
     from feeds f join listings l on l.id = f.listing_id
     where f.outcome = 'unknown' group by 1, 2 order by 3 desc, 4 limit $1`,
    [limit],
  );
}

/** How the reading of one kind of feed goes: what is late, and when something was last read well. */
export type FeedClass = {
  store: string;
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
  return queryRows(
    db,
    "listFeedClasses",
    `select l.store, f.kind, count(*)::bigint as count,
       count(*) filter (where f.next_due_at <= $2)::bigint as "lateCount",
       min(f.next_due_at) filter (where f.next_due_at <= $1) as "dueSince",
       max(f.good_at) as "lastGoodAt"
     from feeds f join listings l on l.id = f.listing_id group by 1, 2 order by 1, 2`,
    [query.now, query.lateBefore],
  );
}

/**
 * What the public pages of each store are read for. A confirmed empty feed takes three requests, and once a day at
 * most.
 */
export function readStoreLoads(
  db: Db,
  { intervalMinutes }: { intervalMinutes: number },
): Promise<StoreLoad[]> {
  return queryRows(
    db,
    "readStoreLoads",
    `select store, count(*) filter (where kind = 'reviews' and not is_slow)::bigint as "feedCount",
       ceil(sum(case when kind = 'ratings' then 1
         when not is_slow then pages
         when outcome = 'ok' then 86400 / wait_seconds + pages * 86400 / full_wait_seconds
         else 3 * 86400 / wait_seconds end))::bigint as "dailyRequestCount",
       count(*) filter (where kind = 'reviews' and outcome is distinct from 'empty')::bigint as "wholeFeedCount",
       sum(case when kind = 'ratings' then 1 when outcome = 'empty' then 3 else pages end)::bigint
         as "wholeDailyRequestCount"
     from (
       select f.store, f.kind, f.outcome, greatest(f.full_page_count, 1) as pages, w.wait_seconds,
         greatest(coalesce(extract(epoch from f.full_crawl_due_at - f.full_crawl_at), 0), 86400) as full_wait_seconds,
         coalesce(w.wait_seconds > 1.2 * 60 * $1::numeric, false) as is_slow
       from feeds f
       cross join lateral (select extract(epoch from f.next_due_at - f.checked_at) as wait_seconds) w
       where not f.is_official
     ) as load
     group by store order by store`,
    [intervalMinutes],
  );
}

export type FailingChannel = {
  id: string;
  name: string;
  host: string;
  reason: string | null;
  since: Date;
};

/** Of all workspaces, those that fail longest first. */
export function listFailingChannels(db: Db, limit: number): Promise<FailingChannel[]> {
  return queryRows(
    db,
    "listFailingChannels",
    `select c.id, c.name, c.host, h.failing_reason as reason, h.failing_since as since
     from channel_health h join channels c on c.id = h.channel_id order by h.failing_since limit $1`,
    [limit],
  );
}

/** Jobs of a provider that are due, and since when the longest waiting one is; null when none is. */
export type JobBacklog = { kind: string; dueCount: number; dueSince: Date | null; count: number };

export function listJobBacklogs(db: Db, now: Date): Promise<JobBacklog[]> {
  return queryRows(
    db,
    "listJobBacklogs",
    `select kind, count(*)::bigint as count, count(*) filter (where due_at <= $1)::bigint as "dueCount",
       min(due_at) filter (where due_at <= $1) as "dueSince"
     from provider_jobs group by kind order by kind`,
    [now],
  );
}

/**
 * With indexes; a partitioned table counts as one. Rows are an estimate of the server. `bytesPerDay` is the
 * growth since the oldest size that was written down, null before there is one of an earlier day.
 */
export type TableSize = { name: string; bytes: number; rows: number; bytesPerDay: number | null };

/** The largest first. */
export function listTableSizes(db: Db, limit: number): Promise<TableSize[]> {
  return queryRows(
    db,
    "listTableSizes",
    `select t.name, t.bytes, t.rows,
       ((t.bytes - o.bytes) / nullif(current_date - o.day, 0))::bigint as "bytesPerDay"
     from (${tableSizesSql}) t left join lateral (
       select bytes, day from table_sizes s where s.name = t.name order by day limit 1
     ) o on true
     order by 2 desc, 1 limit $1`,
    [limit],
  );
}
