// The queue's entrance: a delivery is written once, `pending` says that it waits, and each channel with work
// has one narrow row in channel_queue, which is locked before `pending`. Channels are not locked: `repairQueue`
// finds deliveries that are queued while their channel is being deleted.

import sql, { type Sql } from "sql-template-tag";
import type { NewDelivery } from "../../domain/channel/delivery.ts";
import { type Db, execute, queryCount } from "../query.ts";
import { parameter, unnest } from "../sql.ts";
import { announce } from "./announcements.ts";
import { isFailing } from "./health.ts";

/**
 * Queues deliveries for channels that still exist, in the transaction that saves what they report, and enters in the
 * ledger what they announce; those of a channel deleted meanwhile are dropped. Returns how many were queued.
 */
export async function enqueueDeliveries(
  db: Db,
  queue: { deliveries: readonly NewDelivery[]; now: Date },
): Promise<number> {
  // Rows of channels are locked in one order over all parts.
  const ordered = queue.deliveries.toSorted((one, other) =>
    one.channelId === other.channelId ? 0 : one.channelId < other.channelId ? -1 : 1,
  );
  const announcements = ordered.filter(isAnnouncement);
  if (announcements.length > 0) await announce(db, { announcements, now: queue.now });
  let queuedCount = 0;
  for (const deliveries of splitByBytes(ordered)) {
    const statement = writeQueue({ ...queue, deliveries });
    queuedCount += await queryCount(db, "enqueueDeliveries")(statement);
  }
  return queuedCount;
}

/** An edit counts once it has arrived: it is sent only while its review is announced by another delivery. */
function isAnnouncement({ isTest, event, reviewId, causes }: NewDelivery): boolean {
  const isOfReview = event === "review.created" && reviewId !== null;
  return !isTest && (isOfReview || causes !== undefined);
}

/** A page of long reviews for many channels is some hundred megabytes, and writing a statement is one turn of the thread. */
const partBytesMax = 500_000;
const partRowsMax = 500;

function* splitByBytes(deliveries: readonly NewDelivery[]): Generator<NewDelivery[]> {
  let part: NewDelivery[] = [];
  let byteCount = 0;
  for (const delivery of deliveries) {
    part.push(delivery);
    byteCount += delivery.body.length;
    if (byteCount < partBytesMax && part.length < partRowsMax) continue;
    yield part;
    [part, byteCount] = [[], 0];
  }
  if (part.length > 0) yield part;
}

// No delivery is due later than the database's own time: a clock that is ahead must not hold it back. Its window for
// retries begins by the given time: a clock of the database that is behind for a moment must not end it.
//
// The worker that holds the channel resets next_due_at and reads `pending` afterwards. The row of the queue is locked
// here even when it is due already, so the holder can't reset it without seeing these deliveries.
function writeQueue(queue: { deliveries: readonly NewDelivery[]; now: Date }): Sql {
  const now = parameter(queue.now);
  const { deliveries } = queue;
  const rows = unnest("n", deliveries, {
    id: ["uuid", ({ id }) => id],
    channel_id: ["uuid", ({ channelId }) => channelId],
    workspace_id: ["uuid", ({ workspaceId }) => workspaceId],
    app_id: ["uuid", ({ appId }) => appId],
    review_id: ["uuid", ({ reviewId }) => reviewId],
    event: ["text", ({ event }) => event],
    body: ["bytea", ({ body }) => body],
    is_test: ["boolean", ({ isTest }) => isTest],
    rating: ["smallint", ({ filterable }) => filterable?.rating ?? null],
    // Lists of different lengths don't fit into one array of arrays.
    topics: ["jsonb", ({ filterable }) => filterable && JSON.stringify(filterable.topics)],
    held_until: ["timestamptz", ({ heldUntil }) => heldUntil ?? null],
    causes: ["jsonb", ({ causes }) => (causes ? JSON.stringify(causes) : null)],
    facts: ["jsonb", ({ filterable }) => filterable && JSON.stringify(filterable.facts)],
  });
  return sql`with given as materialized (
      select *, date_trunc('milliseconds', least(${now}, statement_timestamp())) as due_at from ${rows}
    ),
    existing as materialized (
      select id, host from channels where id = any(${deliveries.map(({ channelId }) => channelId)}::uuid[])
    ),
    queued as (
      insert into deliveries (id, channel_id, workspace_id, app_id, review_id, event, body,
        is_test, rating, topics, causes, facts, created_at)
      select n.id, n.channel_id, n.workspace_id, n.app_id, n.review_id, n.event, n.body,
        n.is_test, n.rating, ${toTextArray(sql`n.topics`)}, ${toTextArray(sql`n.causes`)}, n.facts, ${now}
      from given n join existing c on c.id = n.channel_id
      returning id
    ),
    waiting as (
      insert into pending (channel_id, id, is_draft, due_at, queued_at)
      select n.channel_id, n.id, n.held_until is not null,
        n.due_at + coalesce(n.held_until - ${now}, interval '0'), ${now}
      from given n join existing c on c.id = n.channel_id
    ),
    advanced as (${advanceTo(sql`(select min(due_at) from given)`, sql`existing c`)})
    select count(*) from queued`;
}

const toTextArray = (list: Sql): Sql =>
  sql`case when ${list} is not null then array(select jsonb_array_elements_text(${list})) end`;

/** Makes sure that these channels are looked at no later than this. Each channel once. */
export async function advanceQueue(
  db: Db,
  due: readonly { channelId: string; dueAt: Date }[],
): Promise<void> {
  const rows = unnest("d", due, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    due_at: ["timestamptz", ({ dueAt }) => dueAt],
  });
  const statement = advanceTo(sql`d.due_at`, sql`${rows} join channels c on c.id = d.channel_id`);
  await execute(db, "advanceQueue")(statement);
}

/** Channels `c` are due no later than that moment. */
export function advanceTo(dueAt: Sql, channels: Sql): Sql {
  return sql`insert into channel_queue as q (channel_id, next_due_at, is_failing, host)
    select c.id, ${dueAt}, ${isFailing(sql`c.id`)}, c.host from ${channels} order by c.id
    on conflict (channel_id) do update set next_due_at = excluded.next_due_at
    where q.next_due_at > excluded.next_due_at`;
}
