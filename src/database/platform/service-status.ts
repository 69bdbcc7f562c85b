// Figures for the operator: whether the service is healthy, what is stuck and since when, and how large the tables are.
// Each reads a bounded number of rows, whatever the size of the installation.

import { providerKinds } from "../../domain/provider.ts";
import type { StoreLoad } from "../../domain/reading-round.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { isDistributed } from "../cluster/distributed-reads.ts";
import { isInLane, lanesSql } from "../collecting/feeds.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";

/** Feeds of one store that fail for one reason. */
type FailingFeeds = { store: StoreId; reason: string; count: number; since: Date };

/** The most frequent first, of at most `countedMax` feeds that fail. */
export function listFailingFeeds(
  db: Db,
  { limit, countedMax }: { limit: number; countedMax: number },
): Promise<FailingFeeds[]> {
  return queryRows(
    db,
    "listFailingFeeds",
    `select l.store, coalesce(f.last_error, f.stop_reason, '') as reason, count(*)::bigint as count,
       min(coalesce(f.good_at, l.created_at)) as since
     from (select * from feeds where outcome = 'unknown' limit $2) f join listings l on l.id = f.listing_id
     group by 1, 2 order by 3 desc, 4 limit $1`,
    [limit, countedMax],
  );
}

/** How the reading of one kind of feed goes: what is late, and when something was last read well. */
type FeedClass = {
  store: StoreId;
  kind: string;
  /** An estimate where there are very many. */
  count: number;
  /** Due for longer than it should be; an estimate where very many are. */
  lateCount: number;
  /** Since when the longest waiting feed is due; null when none is. */
  dueSince: Date | null;
  lastGoodAt: Date | null;
};

/** The longest waiting feeds that are looked at, of each lane. */
const dueFeedsMax = 10_000;

export function listFeedClasses(
  db: Db,
  query: { now: Date; lateBefore: Date; countedMax?: number; dueMax?: number },
): Promise<FeedClass[]> {
  const { now, lateBefore, countedMax = countedFeedsMax, dueMax = dueFeedsMax } = query;
  return queryRows(
    db,
    "listFeedClasses",
    `with ${writeFeedShare("$3")},
     known as (
       select f.store, f.kind, ${ofAllFeeds("count(*)")} as count,
         ${ofAllFeeds("count(*) filter (where f.next_due_at <= $2)")} as late_count, max(f.good_at) as last_good_at
       from ${someFeeds} group by 1, 2
     ),
     due as (
       select w.store, w.kind, count(*)::bigint as count, max(w.number) >= $4::integer as is_cut,
         count(*) filter (where w.next_due_at <= $2)::bigint as late_count, min(w.next_due_at) as since
       from (${lanesSql}) lanes cross join lateral (
         select w.store, w.kind, w.next_due_at, row_number() over (order by w.next_due_at) as number
         from feeds w where ${isInLane} and w.next_due_at <= $1 order by w.next_due_at limit $4::integer
       ) w group by 1, 2
     )
     select store, kind, greatest(k.count, d.count, 0) as count,
       case when d.is_cut then greatest(k.late_count, d.late_count) else coalesce(d.late_count, 0) end as "lateCount",
       d.since as "dueSince", k.last_good_at as "lastGoodAt"
     from known k full join due d using (store, kind) order by store, kind`,
    [now, lateBefore, countedMax, dueMax],
  );
}

/**
 * What the public pages of each store are read for; an estimate where there are very many feeds. A confirmed empty feed
 * takes three requests, and once a day at most.
 */
export function readStoreLoads(
  db: Db,
  {
    intervalMinutes,
    countedMax = countedFeedsMax,
  }: { intervalMinutes: number; countedMax?: number },
): Promise<StoreLoad[]> {
  const dailyRequests = `sum(case when kind = 'ratings' then 1
         when not is_slow then pages
         when outcome = 'ok' then 86400 / wait_seconds + pages * 86400 / full_wait_seconds
         else 3 * 86400 / wait_seconds end)`;
  return queryRows(
    db,
    "readStoreLoads",
    `with ${writeFeedShare("$2")}
     select store, ${ofAllFeeds("count(*) filter (where kind = 'reviews' and not is_slow)")} as "feedCount",
       ceil(${dailyRequests} / (select share from share)::numeric)::bigint as "dailyRequestCount",
       ${ofAllFeeds("count(*) filter (where kind = 'reviews' and outcome is distinct from 'empty')")} as "wholeFeedCount",
       ${ofAllFeeds("sum(case when kind = 'ratings' then 1 when outcome = 'empty' then 3 else pages end)")}
         as "wholeDailyRequestCount"
     from (
       select f.store, f.kind, f.outcome, greatest(f.full_page_count, 1) as pages, w.wait_seconds,
         greatest(coalesce(extract(epoch from f.full_crawl_due_at - f.full_crawl_at), 0), 86400) as full_wait_seconds,
         coalesce(w.wait_seconds > 1.2 * 60 * $1::numeric, false) as is_slow
       from ${someFeeds}
       cross join lateral (select extract(epoch from f.next_due_at - f.checked_at) as wait_seconds) w
       where not f.is_official
     ) as load
     group by store order by store`,
    [intervalMinutes, countedMax],
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

/**
 * Jobs of a provider that are due, and since when the longest waiting one is; null when none is. Counted up to a limit
 * for each kind, once for those that are urgent and once for the others.
 */
type JobBacklog = { kind: string; dueCount: number; dueSince: Date | null; count: number };

const countedJobsMax = 100_000;

export async function listJobBacklogs(
  db: Db,
  { now, countedMax = countedJobsMax }: { now: Date; countedMax?: number },
): Promise<JobBacklog[]> {
  if (await isDistributed(db)) return countJobs(db, now);
  return queryRows(
    db,
    "listJobBacklogs",
    `select k.kind, count(*)::bigint as count, count(*) filter (where j.due_at <= $1)::bigint as "dueCount",
       min(j.due_at) filter (where j.due_at <= $1) as "dueSince"
     from unnest($2::text[]) k (kind) cross join (values (true), (false)) as u (is_urgent)
     cross join lateral (
       select p.due_at from provider_jobs p where p.kind = k.kind and p.is_urgent = u.is_urgent
       order by p.due_at limit $3
     ) j group by k.kind order by k.kind`,
    [now, providerKinds, countedMax],
  );
}

/** All of them: several servers count their own at the same time, and can't look at a few of each kind. */
function countJobs(db: Db, now: Date): Promise<JobBacklog[]> {
  return queryRows(
    db,
    "countJobs",
    `select kind, count(*)::bigint as count,
       count(*) filter (where due_at <= $1)::bigint as "dueCount",
       min(due_at) filter (where due_at <= $1) as "dueSince"
     from provider_jobs where kind = any($2::text[]) group by kind order by kind`,
    [now, providerKinds],
  );
}

/**
 * With indexes; a partitioned table counts as one. Rows are an estimate of the server. `bytesPerDay` is the
 * growth since the oldest size that was written down, null before there is one of an earlier day.
 */
export type TableSize = { name: string; bytes: number; rows: number; bytesPerDay: number | null };

/** The largest first. */
export async function listTableSizes(db: Db, limit: number): Promise<TableSize[]> {
  return queryRows(
    db,
    "listTableSizes",
    `select t.name, t.bytes, t.rows,
       ((t.bytes - o.bytes) / nullif(current_date - o.day, 0))::bigint as "bytesPerDay"
     from (${await writeTableSizes(db)}) t left join lateral (
       select bytes, day from table_sizes s where s.name = t.name order by day limit 1
     ) o on true
     order by 2 desc, 1 limit $1`,
    [limit],
  );
}

// Figures that an operator watches: the backlog, how late it is, what fails. Cheap enough for a query every
// few seconds, whatever the size of the database.

type ServiceMetrics = {
  /** Deliveries that wait; counted up to the limit. */
  pendingCount: number;
  /** How long the longest waiting channel has been due; 0 when none is. */
  deliveryLagSeconds: number;
  channelCount: number;
  failingChannelCount: number;
  /** How long the longest waiting feed has been due; 0 when none is. */
  feedLagSeconds: number;
  /** An estimate where there are very many. */
  feeds: { outcome: string; count: number }[];
};

// Not a join: Citus takes no lane along to other servers.
const firstDueIn = (isRetry: boolean): string =>
  `(select p.due_at from pending p
    where p.channel_id = q.channel_id and p.bucket = q.bucket and p.is_retry = ${isRetry}
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
  const feeds = await queryRows<{ outcome: string; count: number }>(
    db,
    "readServiceMetrics.feeds",
    `with ${writeFeedShare("$1")}
     select coalesce(f.outcome, 'none') as outcome, ${ofAllFeeds("count(*)")} as count
     from ${someFeeds} group by f.outcome order by 1`,
    [countedFeedsMax],
  );
  const metrics = await queryFirstRow<Omit<ServiceMetrics, "feeds">>(
    db,
    "readServiceMetrics",
    `select
       (select count(*)::bigint from
         (select 1 from pending limit $2) waiting) as "pendingCount",
       coalesce((select greatest(extract(epoch from $1 - min(w.due_at)), 0)::float8 from (
         select next_due_at as due_at from channel_queue where lease_owner is null
         union all
         -- Of a channel that somebody delivers for, the first that is not delivered yet.
         select least(${firstDueIn(false)}, ${firstDueIn(true)}) from channel_queue q
         where q.lease_owner is not null
       ) w), 0) as "deliveryLagSeconds",
       (select count(*)::bigint from channels) as "channelCount",
       (select count(*)::bigint from channel_health) as "failingChannelCount",
       coalesce((select greatest(extract(epoch from $1 - min(next_due_at)), 0)::float8
         from (${lanesSql}) lanes cross join lateral (
           select w.next_due_at from feeds w where ${isInLane} order by w.next_due_at limit 1
         ) first), 0) as "feedLagSeconds"`,
    [now, pendingCountMax],
  );
  if (!metrics) throw new Error("a select without from gave no row");
  return { ...metrics, feeds };
}

// Counts over all feeds: of very many some of the table's pages are read, as many as hold so many feeds, and what they
// say is multiplied. Of fewer all are read, and the counts are exact.

const countedFeedsMax = 100_000;

/** A common table expression with the part that is read; `max` is an expression. */
const writeFeedShare = (max: string): string => `share as materialized (
      select least(1, ${max}::float8 / greatest(1, reltuples)) as share from pg_class where oid = 'feeds'::regclass
    )`;

const someFeeds = "feeds f tablesample system (100 * (select share from share))";

/** Of all feeds, from a count or sum of some. */
const ofAllFeeds = (counted: string): string =>
  `round(${counted} / (select share from share))::bigint`;

// What each table holds, for what shows it and what writes it down.

/** With indexes; a partitioned table counts as one. Rows are an estimate of the server. */
export async function writeTableSizes(db: Db): Promise<string> {
  return (await isDistributed(db)) ? allTableSizesSql : tableSizesSql;
}

const tableSizesSql = `
  select coalesce(p.relname, c.relname)::text as name, sum(pg_total_relation_size(c.oid))::bigint as bytes,
    sum(greatest(c.reltuples, 0))::bigint as rows
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  group by 1`;

// On each server, of its shards.
const shardSizesSql = `
  select json_agg(t) from (
    select coalesce(p.relname, l.relname)::text as name, o.partmethod = ''n'' as is_copied,
      sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(greatest(c.reltuples, 0))::bigint as rows
    from pg_dist_shard s join pg_dist_partition o on o.logicalrelid = s.logicalrelid
      join pg_class l on l.oid = s.logicalrelid
      left join pg_inherits i on i.inhrelid = l.oid left join pg_class p on p.oid = i.inhparent
      join pg_class c on c.oid = to_regclass(shard_name(s.logicalrelid, s.shardid)) and c.relkind = ''r''
    group by 1, 2
  ) t`;

/** The same over the servers of a Citus. Rows of which each server has a copy count once, their bytes on each. */
const allTableSizesSql = `
  select name, sum(bytes)::bigint as bytes,
    (case when bool_or(is_copied) then max(rows) else sum(rows) end)::bigint as rows
  from (
    select name, bytes, rows, false as is_copied from (${tableSizesSql}) l
    union all
    select s.name, s.bytes, s.rows, s.is_copied
    from run_command_on_all_nodes('${shardSizesSql}') n
    cross join lateral json_to_recordset(nullif(n.result, '')::json)
      s (name text, bytes bigint, rows bigint, is_copied boolean)
  ) t
  group by name`;
