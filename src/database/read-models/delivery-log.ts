// The delivery log of a channel: what people see, send again and cancel.
import type { DeliveryStatus, LoggedAttempt, LoggedDelivery } from "../../domain/delivery.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { isWanted } from "./delivery-filter.ts";

const columns = `d.id, d.channel_id as "channelId", d.app_id as "appId", d.review_id as "reviewId",
  d.event, d.is_test as "isTest", d.status, d.created_at as "createdAt", d.due_at as "dueAt",
  d.attempt_count as "attemptCount", d.finished_at as "finishedAt",
  l.status as "lastStatus", l.reason as "lastReason"`;
const source = `deliveries d left join lateral (
    select status, reason from attempts where delivery_id = d.id order by number desc limit 1
  ) l on true`;

/** Newest first; a null workspace means any: for the operator alone. */
export function listDeliveries(
  db: Db,
  wanted: {
    channelId: string;
    workspaceId: string | null;
    status: DeliveryStatus | null;
    /** The id of the last delivery of the page before; null for the first page. */
    beforeId: string | null;
    limit: number;
  },
): Promise<LoggedDelivery[]> {
  return queryRows(
    db,
    "listDeliveries",
    `select ${columns} from ${source}
     where d.channel_id = $1 and ($2::uuid is null or d.workspace_id = $2)
       and ($3::text is null or d.status = $3) and ($4::uuid is null or d.id < $4)
     order by d.id desc limit $5`,
    [wanted.channelId, wanted.workspaceId, wanted.status, wanted.beforeId, wanted.limit],
  );
}

/** One delivery with the bytes of its body and every attempt, oldest first. */
export async function findDelivery(
  db: Db,
  wanted: { id: string; workspaceId: string | null },
): Promise<(LoggedDelivery & { body: Buffer; attempts: LoggedAttempt[] }) | null> {
  const found = await queryFirstRow<LoggedDelivery & { body: Buffer }>(
    db,
    "findDelivery",
    `select ${columns}, d.body from ${source}
     where d.id = $1 and ($2::uuid is null or d.workspace_id = $2)`,
    [wanted.id, wanted.workspaceId],
  );
  return found && { ...found, attempts: await listAttempts(db, wanted.id) };
}

function listAttempts(db: Db, deliveryId: string): Promise<LoggedAttempt[]> {
  return queryRows(
    db,
    "listAttempts",
    `select number, started_at as "startedAt", duration_ms as "durationMs", status, reason, answer
     from attempts where delivery_id = $1 order by number`,
    [deliveryId],
  );
}

/**
 * Sends deliveries again, with the same body and id: one, or all expired ones of a channel, which the
 * engine paces like any backlog. Those on the wire right now are left alone. Returns how many.
 */
export async function redeliver(
  db: Db,
  again: ({ id: string } | { expiredOfChannelId: string }) & {
    workspaceId: string | null;
    now: Date;
  },
): Promise<number> {
  const id = "id" in again ? again.id : null;
  const channelId = "id" in again ? null : again.expiredOfChannelId;
  const queued = await queryFirstRow<{ count: number }>(
    db,
    "redeliver",
    `with wanted as (
       select d.id, d.channel_id from deliveries d
       where (d.id = $1 or (d.channel_id = $2 and d.status = 'expired'))
         and ($3::uuid is null or d.workspace_id = $3)
     ),
     there as (
       select id, failing_since, host from channels where id in (select channel_id from wanted)
       order by id for no key update
     ),
     queued as (
       update deliveries d set status = 'pending', queued_at = $4, due_at = $4, retry_count = 0,
         is_retry = false, lease_token = null, leased_until = null, finished_at = null
       from wanted w, there t where d.id = w.id and t.id = w.channel_id
         and (d.status <> 'pending' or d.leased_until is null or d.leased_until <= $4)
       returning d.channel_id
     ),
     advanced as (
       insert into channel_queue as q (channel_id, next_due_at, is_failing, host)
       select id, $4, failing_since is not null, host
       from there where id in (select channel_id from queued)
       on conflict (channel_id) do update set
         next_due_at = least(q.next_due_at, excluded.next_due_at)
     )
     select count(*) from queued`,
    [id, channelId, again.workspaceId, again.now],
  );
  return queued?.count ?? 0;
}

/**
 * Cancels what waits for channels that no longer want it. What is leased is left alone, except by the
 * holder of the lease, who asks again before it goes on the wire.
 */
export async function cancelDeliveries(
  db: Db,
  cancel: {
    channelIds: readonly string[];
    held: readonly { id: string; leaseToken: string }[];
    now: Date;
  },
): Promise<number> {
  const cancelled = await queryFirstRow<{ count: number }>(
    db,
    "cancelDeliveries",
    `with there as (
       select id, events, apps, stars, topics from channels where id = any($1::uuid[])
       order by id for no key update
     ),
     cancelled as (
       update deliveries d set status = 'cancelled', finished_at = $2, lease_token = null,
         leased_until = null
       from there c
       where d.channel_id = c.id and d.status = 'pending' and not ${isWanted} and (
         d.leased_until is null or d.leased_until <= $2
         or (d.id, d.lease_token) in (select * from unnest($3::uuid[], $4::uuid[]))
       )
       returning d.id
     )
     select count(*) from cancelled`,
    [
      cancel.channelIds,
      cancel.now,
      cancel.held.map(({ id }) => id),
      cancel.held.map(({ leaseToken }) => leaseToken),
    ],
  );
  return cancelled?.count ?? 0;
}
