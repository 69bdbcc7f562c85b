// What an operator needs to see whether the service is healthy, what is stuck and since when. Each reads a bounded
// number of rows, whatever the size of the installation.
import { providerKinds } from "../../domain/provider.ts";
import type { StoreLoad } from "../../domain/reading-round.ts";
import { isDistributed } from "../distributed-reads.ts";
import { type Db, queryRows } from "../query.ts";
import { isInLane, lanesSql } from "../repositories/feed-lane-sql.ts";
import { writeTableSizes } from "../table-sizes-sql.ts";
import { countedFeedsMax, ofAllFeeds, someFeeds, writeFeedShare } from "./feed-sample-sql.ts";

/** Feeds of one store that fail for one reason. */
export type FailingFeeds = { store: string; reason: string; count: number; since: Date };

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
export type FeedClass = {
  store: string;
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
export type JobBacklog = { kind: string; dueCount: number; dueSince: Date | null; count: number };

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
