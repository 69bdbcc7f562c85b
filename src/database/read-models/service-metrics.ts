// What an operator watches: how much waits, how late it is, what fails. Cheap enough to be asked every
// few seconds, whatever the size of the database.
import { type Db, firstRow, rows } from "../db.ts";

export type ServiceFigures = {
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

/** Counts a backlog up to `pendingCountMax`: counting on would cost more than it tells. */
export async function readServiceFigures(
  db: Db,
  { now, pendingCountMax }: { now: Date; pendingCountMax: number },
): Promise<ServiceFigures> {
  const feeds = await rows<{ outcome: string; count: number }>(
    db,
    "readServiceFigures.feeds",
    `select coalesce(outcome, 'none') as outcome, count(*)::bigint as count
     from feeds group by outcome order by 1`,
    [],
  );
  const figures = await firstRow<Omit<ServiceFigures, "feeds">>(
    db,
    "readServiceFigures",
    `select
       (select count(*)::bigint from
         (select from pending limit $2) waiting) as "pendingCount",
       coalesce((select greatest(extract(epoch from $1 - min(next_due_at)), 0)::float8
         from channel_queue), 0) as "deliveryLagSeconds",
       (select count(*)::bigint from channels) as "channelCount",
       (select count(failing_since)::bigint from channels) as "failingChannelCount",
       coalesce((select greatest(extract(epoch from $1 - min(next_due_at)), 0)::float8
         from feeds), 0) as "feedLagSeconds"`,
    [now, pendingCountMax],
  );
  if (!figures) throw new Error("a select without from gave no row");
  return { ...figures, feeds };
}
