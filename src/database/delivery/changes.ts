// Changes that users make to queued deliveries: send them again, and cancel what a channel no longer wants.
// The channel's version goes up, so that its holder reads anew before it sends. The channel and its row of
// the queue are locked before `pending`, as everywhere.
import sql, { type Sql } from "sql-template-tag";
import type { DueDelivery } from "../../domain/channel/delivery.ts";
import { type Db, execute, queryCount, queryFirstRow, queryRows, queryValue } from "../query.ts";
import { nextRowVersion, parameter, unnest } from "../sql.ts";
import { withinTransaction } from "../transaction.ts";
import { announceAgain, withdraw } from "./announcements.ts";
import { isWanted } from "./channels.ts";
import { listFilteredOut } from "./claim-deliveries.ts";
import { isFailing } from "./health.ts";

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
    const { id } = again;
    const channelId = await queryValue(db, "findDeliveryChannel")<string>`select channel_id
      from deliveries where id = ${id}
        and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})`;
    if (channelId === null) return 0;
    const one = writeRedeliverOne({ channelId, workspaceId, now }, id);
    return withinTransaction(db, async (tx) => {
      const queuedCount = await count(tx, "redeliverOne", one);
      if (queuedCount > 0) await announceAgain(tx, { ids: [id], now });
      return queuedCount;
    });
  }
  if ("expiredOfChannelId" in again) {
    const channelId = again.expiredOfChannelId;
    const unwantedIds = await listFilteredOut(db, { channelId, of: "expired", max: filteredMax });
    const target = { channelId, workspaceId, now };
    return count(db, "redeliverExpired", writeRedeliverExpired(target, unwantedIds));
  }
  const channelId = again.retryingOfChannelId;
  return count(db, "retryNow", writeRetryNow({ channelId, workspaceId, now }));
}

async function count(db: Db, name: string, statement: Sql): Promise<number> {
  return await queryCount(db, name)(statement);
}

/** The worker that claims the rest cancels the unwanted ones. */
const filteredMax = 10_000;

type Target = { channelId: string; workspaceId: string | null; now: Date };

/** The channel and its row of the queue, locked; the row is made if there is none, which locks it as well. */
function lockQueue(target: Target) {
  const { workspaceId } = target;
  const channelId = parameter(target.channelId);
  const now = parameter(target.now);
  const locked = sql`raised as materialized (
      update channels set version = ${nextRowVersion}
      where id = ${channelId} and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})
      returning id, host
    ),
    queue as materialized (
      insert into channel_queue as q (channel_id, next_due_at, is_failing, host)
      select id, ${now}, ${isFailing(sql`id`)}, host from raised
      on conflict (channel_id) do update set next_due_at = least(q.next_due_at, ${now})
      returning q.channel_id, q.lease_owner
    )`;
  // Locked, so that retention either sees the pending row or has deleted the delivery before.
  const stored = (id: Sql): Sql => sql`select d.id from deliveries d
    where d.channel_id = ${channelId} and d.id = ${id} for key share`;
  return { locked, stored, channelId, now };
}

function writeRedeliverOne(target: Target, deliveryId: string): Sql {
  const { locked, stored, channelId, now } = lockQueue(target);
  const id = parameter(deliveryId);
  return sql`with ${locked},
    stored as materialized (${stored(sql`${id}`)}),
    ended as (
      delete from ended_deliveries e using queue q
      where e.channel_id = q.channel_id and e.id = ${id} returning e.attempt_count
    ),
    counted as (
      select coalesce((select attempt_count from ended),
        (select max(number) from attempts where delivery_id = ${id}), 1) as attempt_count
    ),
    queued as (
      insert into pending as p (channel_id, id, due_at, queued_at, attempt_count)
      select q.channel_id, s.id, ${now}, ${now}, n.attempt_count from queue q, counted n, stored s
      -- Due, and a worker holds the channel: it may be on its way.
      where q.lease_owner is null or not exists (
        select from pending w
        where w.channel_id = ${channelId} and w.id = ${id} and w.due_at <= ${now}
      )
      on conflict (channel_id, id) do update set due_at = ${now}, queued_at = ${now}, retry_count = 0,
        is_retry = false, is_draft = false
      returning p.id
    )
    select count(*) from queued`;
}

function writeRedeliverExpired(target: Target, unwantedIds: readonly string[]): Sql {
  const { locked, stored, now } = lockQueue(target);
  return sql`with ${locked},
    -- What the channel does not want any more would be cancelled: it stays expired.
    ended as (
      delete from ended_deliveries e using queue q, channels c, deliveries d
      where e.channel_id = q.channel_id and e.status = 'expired'
        and c.id = q.channel_id and d.channel_id = q.channel_id and d.id = e.id
        and ${isWanted} and e.id <> all(${unwantedIds}::uuid[])
      returning e.channel_id, e.id, e.attempt_count
    ),
    queued as (
      insert into pending (channel_id, id, due_at, queued_at, attempt_count)
      select e.channel_id, s.id, ${now}, ${now}, e.attempt_count
      from ended e cross join lateral (${stored(sql`e.id`)}) s
      on conflict do nothing returning id
    )
    select count(*) from queued`;
}

/** The limit of one transaction: once the endpoint answers, the rest comes due by itself. */
const retriedMax = 10_000;

// Those that failed before, oldest first. Their give-up window and their place among the retries stay.
function writeRetryNow(target: Target): Sql {
  const { locked, channelId, now } = lockQueue(target);
  return sql`with ${locked},
    waiting as materialized (
      select p.id from queue q join pending p on p.channel_id = q.channel_id
      where p.is_retry and not p.is_draft and p.due_at > ${now} order by p.id limit ${retriedMax}
    ),
    queued as (
      update pending p set due_at = ${now} from waiting w
      where p.channel_id = ${channelId} and p.id = w.id returning p.id
    )
    select count(*) from queued`;
}

/**
 * Ends the wait of drafts that have come due: from now on their bodies are frozen. A translation that comes at
 * the same moment has either been put in before or comes too late.
 */
export async function closeDrafts(
  db: Db,
  drafts: readonly Pick<DueDelivery, "id" | "channelId">[],
): Promise<void> {
  const closed = unnest("g", drafts, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    id: ["uuid", ({ id }) => id],
  });
  await execute(db, "closeDrafts")`update pending p set is_draft = false from ${closed}
    where p.channel_id = g.channel_id and p.id = g.id`;
}

/** The limit of one transaction; the holder of the channel cancels the rest as it claims it. */
const cancelledMax = 10_000;

/**
 * Cancels what waits for a channel that no longer wants it, after a change in the same transaction; what arrives
 * nevertheless counts as delivered.
 *
 * @param cancel.isRaised the change has raised the channel's version
 */
export async function cancelDeliveries(
  db: Db,
  cancel: { channelId: string; now: Date; isRaised?: boolean },
): Promise<number> {
  const { channelId, now } = cancel;
  if (!cancel.isRaised) await raiseVersion(db, channelId);
  if (!(await lockQueueOfChannel(db, channelId))) return 0;
  const filteredOut = { channelId, of: "pending", max: cancelledMax } as const;
  const unwantedIds = await listFilteredOut(db, filteredOut);
  return cancelUnwanted(db, { channelId, now, unwantedIds });
}

/**
 * Cancels what a claim found unwanted, unless the channel was changed since: the next claim decides again then. Those
 * of which nothing is stored are only removed.
 */
export async function cancelClaimed(
  db: Db,
  cancel: { channelId: string; version: number; now: Date; unwantedIds: readonly string[] },
): Promise<number> {
  const { channelId, version, now, unwantedIds } = cancel;
  const same = await queryRows(db, "holdChannelVersion")`select from channels
    where id = ${channelId} and version = ${version} for share`;
  if (same.length === 0 || !(await lockQueueOfChannel(db, channelId))) return 0;
  return cancelUnwanted(db, { channelId, now, unwantedIds });
}

/** Without a row nothing waits. With one, no worker claims the channel or queues for it meanwhile. */
async function lockQueueOfChannel(db: Db, channelId: string): Promise<boolean> {
  const queue = await queryRows(db, "lockQueueOfChannel")`select from channel_queue
    where channel_id = ${channelId} for update`;
  return queue.length > 0;
}

type Unwanted = { channelId: string; now: Date; unwantedIds: readonly string[] };

async function cancelUnwanted(db: Db, unwanted: Unwanted): Promise<number> {
  const statement = writeCancel(unwanted);
  const counts = await queryFirstRow(
    db,
    "cancelDeliveries",
  )<Record<"cancelled" | "forgotten", number>>(statement);
  const { cancelled = 0, forgotten = 0 } = counts ?? {};
  // Waiting edits of reviews that don't count as announced any more.
  const edits = forgotten > 0 ? await cancelUnwanted(db, { ...unwanted, unwantedIds: [] }) : 0;
  return cancelled + edits;
}

/** A delivery that was sent again after it had arrived goes back to being delivered. */
function writeCancel(cancel: Unwanted): Sql {
  const channelId = parameter(cancel.channelId);
  const withdrawn = withdraw(sql`unsent`);
  return sql`with unwanted as materialized (
      select p.id, d.review_id, d.causes, d.event,
        p.attempt_count > 0 and ${hasArrived(sql`p.id`)} as has_arrived
      from channels c join pending p on p.channel_id = c.id
      left join deliveries d on d.channel_id = p.channel_id and d.id = p.id
      where c.id = ${channelId} and (p.id = any(${cancel.unwantedIds}::uuid[]) or not ${isWanted})
      limit ${cancelledMax}
    ),
    removed as (
      delete from pending p using unwanted u
      where p.channel_id = ${channelId} and p.id = u.id
      returning p.channel_id, p.id, p.attempt_count, u.event, u.review_id, u.causes, u.has_arrived
    ),
    unsent as materialized (select * from removed where event is not null and not has_arrived),
    ended as (
      insert into ended_deliveries (channel_id, id, status, finished_at, attempt_count)
      select channel_id, id, 'cancelled', ${cancel.now}, attempt_count from unsent on conflict do nothing
    ),
    forgotten as (${withdrawn.reviews}),
    forgotten_causes as (${withdrawn.causes})
    select (select count(*) from removed) as cancelled, (select count(*) from forgotten) as forgotten`;
}

/** By its log. One index lookup, which a plan for many must not replace by reading all attempts. */
const hasArrived = (id: Sql): Sql => sql`coalesce((
    select true from attempts where delivery_id = ${id} and reason is null limit 1
  ), false)`;

/** A worker that read the channel earlier finds another version right before signing. */
async function raiseVersion(db: Db, channelId: string): Promise<void> {
  await execute(db, "raiseChannelVersion")`update channels set version = ${nextRowVersion}
    where id = ${channelId}`;
}
