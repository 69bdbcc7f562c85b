// Changes that users make to queued deliveries: send them again, and cancel what a channel no longer wants.
// The channel's version goes up, so that its holder reads anew before it sends. The channel and its row of
// the queue are locked before `pending`, as everywhere.
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { readBuckets } from "./buckets.ts";
import { isWanted } from "./channels.ts";
import { isFailing } from "./health-row.ts";

/**
 * Sends deliveries again, with the same body and id: one, all expired ones of a channel, or those that failed and
 * wait for their next attempt; the delivery worker paces them like any backlog. One that is being sent right now is left
 * alone. Returns how many.
 */
export async function redeliver(
  db: Db,
  again: ({ id: string } | { expiredOfChannelId: string } | { retryingOfChannelId: string }) & {
    workspaceId: string | null;
    now: Date;
  },
): Promise<number> {
  const { workspaceId, now } = again;
  if ("id" in again) {
    const found = await queryFirstRow<{ channelId: string; bucket: number }>(
      db,
      "findDeliveryChannel",
      `select channel_id as "channelId", bucket from deliveries
       where id = $1 and bucket = $3 and ($2::uuid is null or workspace_id = $2)`,
      [again.id, workspaceId, (await readBuckets(db)).of(again.id)],
    );
    if (!found) return 0;
    const values = [found.bucket, found.channelId, workspaceId, now, again.id];
    return countOf(await queryFirstRow(db, "redeliverOne", redeliverOneText, values));
  }
  const isExpired = "expiredOfChannelId" in again;
  const channelId = isExpired ? again.expiredOfChannelId : again.retryingOfChannelId;
  const values = [(await readBuckets(db)).of(channelId), channelId, workspaceId, now];
  return countOf(
    isExpired
      ? await queryFirstRow(db, "redeliverExpired", redeliverExpiredText, values)
      : await queryFirstRow(db, "retryNow", retryNowText, values),
  );
}

function countOf(found: { count: number } | null): number {
  return found?.count ?? 0;
}

// The queue's row is made if there is none, which locks it as well.
const locked = `there as materialized (
    update channels set version = version + 1
    where id = $2 and ($3::uuid is null or workspace_id = $3) returning id, host
  ),
  queue as materialized (
    insert into channel_queue as q (bucket, channel_id, next_due_at, is_failing, host)
    select $1, id, $4, ${isFailing("id", "$1")}, host from there
    on conflict (channel_id, bucket) do update set next_due_at = least(q.next_due_at, $4)
    returning q.channel_id, q.lease_owner
  )`;

// Locked, so that retention either sees the pending row or has deleted the delivery before.
const stored = (id: string): string => `select d.id from deliveries d
    where d.bucket = $1 and d.channel_id = $2 and d.id = ${id} for key share`;

const redeliverOneText = `with ${locked},
  stored as materialized (${stored("$5")}),
  ended as (
    delete from ended_deliveries e using queue q
    where e.bucket = $1 and e.channel_id = q.channel_id and e.id = $5 returning e.attempt_count
  ),
  counted as (
    select coalesce((select attempt_count from ended),
      (select max(number) from attempts where bucket = $1 and delivery_id = $5), 1) as attempt_count
  ),
  queued as (
    insert into pending as p (bucket, channel_id, id, due_at, queued_at, attempt_count)
    select $1, q.channel_id, s.id, $4, $4, n.attempt_count from queue q, counted n, stored s
    -- Due, and a worker holds the channel: it may be on its way.
    where q.lease_owner is null or not exists (
      select from pending w
      where w.bucket = $1 and w.channel_id = $2 and w.id = $5 and w.due_at <= $4
    )
    on conflict (channel_id, id, bucket) do update set due_at = $4, queued_at = $4, retry_count = 0,
      is_retry = false, is_draft = false
    returning p.id
  )
  select count(*) from queued`;

const redeliverExpiredText = `with ${locked},
  ended as (
    delete from ended_deliveries e using queue q
    where e.bucket = $1 and e.channel_id = q.channel_id and e.status = 'expired'
    returning e.channel_id, e.id, e.attempt_count
  ),
  queued as (
    insert into pending (bucket, channel_id, id, due_at, queued_at, attempt_count)
    select $1, e.channel_id, s.id, $4, $4, e.attempt_count
    from ended e cross join lateral (${stored("e.id")}) s
    on conflict do nothing returning id
  )
  select count(*) from queued`;

/** So many in one transaction: with an endpoint that is back, the rest comes due by itself. */
const retriedMax = 10_000;

// Those that failed before, oldest first. Their give-up window and their place among the retries stay.
const retryNowText = `with ${locked},
  waiting as materialized (
    select p.id from queue q join pending p on p.channel_id = q.channel_id and p.bucket = $1
    where p.is_retry and not p.is_draft and p.due_at > $4 order by p.id limit ${retriedMax}
  ),
  queued as (
    update pending p set due_at = $4 from waiting w
    where p.bucket = $1 and p.channel_id = $2 and p.id = w.id returning p.id
  )
  select count(*) from queued`;

/** So many are cancelled in one transaction; the holder of the channel cancels the rest as it comes to it. */
const cancelledMax = 10_000;

/**
 * Cancels what waits for a channel that no longer wants it; what arrives nevertheless counts as delivered. Filters beside
 * apps, stars and topics are compared when a delivery is claimed, which names those that don't match in `unwantedIds`.
 */
export async function cancelDeliveries(
  db: Db,
  cancel: { channelId: string; now: Date; unwantedIds?: readonly string[] },
): Promise<number> {
  const { channelId, now, unwantedIds = [] } = cancel;
  const bucket = (await readBuckets(db)).of(channelId);
  await raiseVersion(db, { channelId, workspaceId: null });
  // Without a row nothing waits. With one, no worker claims the channel or queues for it meanwhile.
  const queue = await queryRows(
    db,
    "lockQueueOfChannel",
    "select from channel_queue where bucket = $1 and channel_id = $2 for update",
    [bucket, channelId],
  );
  if (queue.length === 0) return 0;
  const cancelled = await queryFirstRow<{ count: number }>(db, "cancelDeliveries", cancelText, [
    bucket,
    channelId,
    now,
    unwantedIds,
  ]);
  return countOf(cancelled);
}

const cancelText = `with unwanted as materialized (
    select p.id from channels c join pending p on p.channel_id = c.id and p.bucket = $1
    join deliveries d on d.channel_id = p.channel_id and d.id = p.id and d.bucket = $1
    where c.id = $2 and (p.id = any($4::uuid[]) or not ${isWanted}) limit ${cancelledMax}
  ),
  removed as (
    delete from pending p using unwanted u
    where p.bucket = $1 and p.channel_id = $2 and p.id = u.id returning p.id, p.attempt_count
  ),
  ended as (
    insert into ended_deliveries (bucket, channel_id, id, status, finished_at, attempt_count)
    select $1, $2, id, 'cancelled', $3, attempt_count from removed on conflict do nothing
  )
  select count(*) from removed`;

/** A worker that read the channel earlier finds another version right before signing. False when it is gone. */
async function raiseVersion(
  db: Db,
  channel: { channelId: string; workspaceId: string | null },
): Promise<boolean> {
  const count = await execute(
    db,
    "raiseChannelVersion",
    `update channels set version = version + 1
     where id = $1 and ($2::uuid is null or workspace_id = $2)`,
    [channel.channelId, channel.workspaceId],
  );
  return count === 1;
}
