// The queue's way in: deliveries are queued once per event, and each channel with work has one narrow
// row in channel_queue. Locks are taken in the order channels, deliveries, channel_queue.

import type { NewDelivery } from "../../domain/delivery.ts";
import { uuidV7Floor } from "../../lib/uuid.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/**
 * Queues deliveries for channels that still exist; those of a channel deleted meanwhile are dropped.
 * Returns how many were queued.
 */
export async function enqueueDeliveries(
  db: Db,
  queue: { deliveries: readonly NewDelivery[]; now: Date },
): Promise<number> {
  const { deliveries, now } = queue;
  if (deliveries.length === 0) return 0;
  const queued = await queryFirstRow<{ count: number }>(
    db,
    "enqueueDeliveries",
    `with there as (
       select id, failing_since, host from channels where id = any($2::uuid[]) order by id for key share
     ),
     queued as (
       insert into deliveries (id, channel_id, workspace_id, app_id, review_id, event, body,
         is_test, rating, topics, status, created_at, queued_at, due_at)
       select n.id, n.channel_id, n.workspace_id, n.app_id, n.review_id, n.event, n.body,
         n.is_test, n.rating, case when n.topics is not null
           then array(select jsonb_array_elements_text(n.topics)) end, 'pending', $9, $9,
         coalesce(n.held_until, $9)
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[],
         $7::bytea[], $8::boolean[], $10::smallint[], $11::jsonb[], $12::timestamptz[])
         as n (id, channel_id, workspace_id, app_id, review_id, event, body, is_test, rating, topics,
           held_until)
       join there t on t.id = n.channel_id
       returning id
     ),
     advanced as (
       insert into channel_queue as q (channel_id, next_due_at, is_failing, host)
       select id, $9, failing_since is not null, host from there order by id
       on conflict (channel_id) do update set
         next_due_at = least(q.next_due_at, excluded.next_due_at)
     )
     select count(*) from queued`,
    [
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.channelId),
      deliveries.map((delivery) => delivery.workspaceId),
      deliveries.map((delivery) => delivery.appId),
      deliveries.map((delivery) => delivery.reviewId),
      deliveries.map((delivery) => delivery.event),
      deliveries.map((delivery) => delivery.body),
      deliveries.map((delivery) => delivery.isTest),
      now,
      deliveries.map(({ filterable }) => filterable?.rating ?? null),
      // Lists of different lengths don't fit into one array of arrays.
      deliveries.map(({ filterable }) => filterable && JSON.stringify(filterable.topics)),
      deliveries.map(({ heldUntil }) => heldUntil ?? null),
    ],
  );
  return queued?.count ?? 0;
}

/** Makes sure that these channels are looked at no later than this. Each channel once. */
export async function advanceQueue(
  db: Db,
  due: readonly { channelId: string; dueAt: Date }[],
): Promise<void> {
  if (due.length === 0) return;
  await queryRows(
    db,
    "advanceQueue",
    `with there as (
       select id, failing_since, host from channels where id = any($1::uuid[])
       order by id for key share
     )
     insert into channel_queue as q (channel_id, next_due_at, is_failing, host)
     select t.id, d.due_at, t.failing_since is not null, t.host
     from unnest($1::uuid[], $2::timestamptz[]) as d (channel_id, due_at)
     join there t on t.id = d.channel_id
     order by t.id
     on conflict (channel_id) do update set
       next_due_at = least(q.next_due_at, excluded.next_due_at), is_failing = excluded.is_failing
     where q.next_due_at > excluded.next_due_at or q.is_failing <> excluded.is_failing`,
    [due.map((one) => one.channelId), due.map((one) => one.dueAt)],
  );
}

/**
 * Finds channels whose queue row is missing or late and puts them right; returns how many. Nothing
 * should ever be found, but a delivery that nobody looks at would be lost.
 */
export async function repairQueue(db: Db, now: Date): Promise<number> {
  return execute(
    db,
    "repairQueue",
    // A few index probes per channel with work, however many deliveries it has. What is leased is
    // looked at once its lease has ended.
    `with recursive busy (channel_id) as (
       (select channel_id from deliveries where status = 'pending' order by channel_id limit 1)
       union all
       select n.channel_id from busy b cross join lateral (
         select channel_id from deliveries
         where status = 'pending' and channel_id > b.channel_id order by channel_id limit 1
       ) n
     ),
     heads as (
       select b.channel_id, min(h.due_at) as due_at
       from busy b cross join (values (false), (true)) lane (is_retry) cross join lateral (
         select due_at from deliveries
         where channel_id = b.channel_id and status = 'pending' and is_retry = lane.is_retry
           and (leased_until is null or leased_until <= $1)
         order by due_at limit 1
       ) h
       group by b.channel_id
     )
     insert into channel_queue as q (channel_id, next_due_at, is_failing, host)
     select h.channel_id, h.due_at, c.failing_since is not null, c.host
     from heads h join channels c on c.id = h.channel_id
     left join channel_queue k on k.channel_id = h.channel_id
     -- A channel that was served a moment ago is due, behind those that wait.
     where k.channel_id is null or k.next_due_at > greatest(h.due_at, $1)
     order by h.channel_id
     on conflict (channel_id) do update set
       next_due_at = least(q.next_due_at, excluded.next_due_at)`,
    [now],
  );
}

/** Deletes finished deliveries of before that moment, oldest first; returns how many. */
export async function deleteOldDeliveries(
  db: Db,
  batch: { before: Date; limit: number },
): Promise<number> {
  return execute(
    db,
    "deleteOldDeliveries",
    `delete from deliveries where id in (
       select id from deliveries where id < $3 and finished_at < $1
       order by id limit $2 for update skip locked
     )`,
    // Ids are in the order of their making: those of before are the head of the primary key.
    [batch.before, batch.limit, uuidV7Floor(batch.before)],
  );
}
