// Plain successes in a batch of outcomes, as its statements see them: what is taken from the queue, and one row for
// those of each channel.
import type { FinishedAttempt } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";

/** `plain` are those of `attempts` that say no more than that they arrived. */
export type PlainBatch = {
  bucket: number;
  workerId: number;
  attempts: readonly FinishedAttempt[];
  plain: readonly FinishedAttempt[];
  awaitsDisk: boolean;
};

/** Channels that were locked, those that are held at all, and how many deliveries no longer wait. */
export type TakenOutcomes = { mine: string[]; held: string[]; count: number };
export type TakenRow = { mine: string[] | null; held: string[] | null; count: number };

/** Common table expressions with `takenValues` as their parameters. */
export const taken = `mine as materialized (
    select channel_id from channel_queue
    where bucket = $1 and lease_owner = $2 and channel_id = any($3::uuid[])
    order by channel_id for key share skip locked
  ),
  held as materialized (select array(select channel_id from mine) as ids),
  given as materialized (
    select g.channel_id, g.id from unnest($4::uuid[], $5::uuid[]) g (channel_id, id), held
    where g.channel_id = any(held.ids)
  ),
  gone as (
    delete from pending p using given g
    where p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
    returning 1
  )`;

/** Of a `TakenRow`. */
export const takenColumns = `(select array_agg(channel_id) from mine) as mine,
    (select array_agg(channel_id) from channel_queue
     where bucket = $1 and lease_owner = $2 and channel_id = any($3::uuid[])) as held,
    (select count(*) from gone) as count`;

export function takenValues({ bucket, workerId, attempts, plain }: PlainBatch): unknown[] {
  return [
    bucket,
    workerId,
    toArrayText([...new Set(attempts.map(({ channelId }) => channelId))]),
    toArrayText(plain.map(({ channelId }) => channelId)),
    toArrayText(plain.map(({ deliveryId }) => deliveryId)),
  ];
}

export function toTaken(found: TakenRow | null): TakenOutcomes {
  return { mine: found?.mine ?? [], held: found?.held ?? [], count: found?.count ?? 0 };
}

/** Deliveries of one channel that arrived at the first attempt, by id. */
export type DeliveredPage = {
  channelId: string;
  ids: string[];
  startedAt: Date[];
  durations: number[];
  statuses: number[];
};

export function toPages(attempts: readonly FinishedAttempt[]): DeliveredPage[] {
  const pages = new Map<string, DeliveredPage>();
  const inOrder = [...attempts].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  for (const { channelId, deliveryId, startedAt, durationMs, status } of inOrder) {
    let page = pages.get(channelId);
    if (!page) {
      page = { channelId, ids: [], startedAt: [], durations: [], statuses: [] };
      pages.set(channelId, page);
    }
    page.ids.push(deliveryId);
    page.startedAt.push(startedAt);
    page.durations.push(Math.round(durationMs));
    page.statuses.push(status ?? 0);
  }
  return [...pages.values()];
}
