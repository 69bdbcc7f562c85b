// Figures that an operator watches: the backlog, how late it is, what fails. Cheap enough for a query every
// few seconds, whatever the size of the database.
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { isInLane, lanesSql } from "../repositories/feed-lane-sql.ts";
import { countedFeedsMax, ofAllFeeds, someFeeds, writeFeedShare } from "./feed-sample-sql.ts";

export type ServiceMetrics = {
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
