// What became of a channel's deliveries, day by day. Days are those on which a delivery was queued, and a busy day
// is counted up to a limit: a bar of shares needs no more.
import type { Day } from "../../lib/timestamp.ts";
import { readBuckets } from "../delivery/buckets.ts";
import { type Db, queryRows } from "../query.ts";

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
      ...[query.channelId, query.workspaceId, query.fromDay, query.toDay, query.limit],
      (await readBuckets(db)).of(query.channelId),
    ],
  );
}
