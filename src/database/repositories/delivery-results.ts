// What attempts came to: the delivery's new state, the attempt log and the channel's health are one
// transaction, and count only while the lease is still held.
import type { FinishedAttempt } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { insertAuditEntry } from "./audit.ts";
import { advanceQueue } from "./deliveries.ts";

/**
 * Saves a batch of attempts, in the order they ended, and returns the ids of those whose lease had
 * not been lost; the others are somebody else's by now. Runs inside a transaction.
 */
export async function finishAttempts(
  db: Db,
  finish: { attempts: readonly FinishedAttempt[]; now: Date },
): Promise<string[]> {
  const { attempts } = finish;
  const saved = await saveAttempts(db, finish);
  const counting = new Set(saved.filter(({ isLocked }) => isLocked).map(({ id }) => id));
  if (counting.size === 0) return saved.map(({ id }) => id);
  const counted = attempts.filter(({ deliveryId }) => counting.has(deliveryId));
  await saveHealths(db, foldHealths(counted));
  await advanceQueue(db, listDue(counted));
  return saved.map(({ id }) => id);
}

// The channels first: whoever deletes a channel locks in this order too. A channel that answers and goes
// on answering, the usual case, is not written to and needs no lock; nor does one that began to fail in
// another process a moment ago, whose next attempt counts.
async function saveAttempts(
  db: Db,
  { attempts, now }: { attempts: readonly FinishedAttempt[]; now: Date },
): Promise<{ id: string; isLocked: boolean }[]> {
  const failed = attempts.filter(({ outcome }) => outcome.kind !== "delivered");
  return queryRows(
    db,
    "saveAttempts",
    `with changed as materialized (
       select id from channels
       where id = any($12::uuid[])
         and (id = any($13::uuid[]) or failing_since is not null or timeout_count > 0)
       order by id for no key update
     ),
     given as (
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::int[],
         $6::timestamptz[], $7::int[], $8::int[], $9::text[], $10::bytea[])
         as g (id, lease_token, status, due_at, number, started_at, duration_ms, answer_status,
           reason, answer)
       -- Counted before the first row of these is read, so locked before any delivery is.
       where (select count(*) from changed) >= 0
     ),
     finished as (
       update deliveries d set status = g.status, due_at = coalesce(g.due_at, d.due_at),
         is_retry = g.status = 'pending', lease_token = null, leased_until = null,
         finished_at = case when g.status = 'pending' then null else $11::timestamptz end
       from given g
       where d.id = g.id and d.lease_token = g.lease_token and d.status = 'pending'
       returning d.id, d.channel_id
     ),
     logged as (
       insert into attempts
         (delivery_id, number, started_at, duration_ms, status, reason, answer)
       select g.id, g.number, g.started_at, g.duration_ms, g.answer_status, g.reason, g.answer
       from given g join finished f on f.id = g.id
     )
     select id, channel_id in (select id from changed) as "isLocked" from finished`,
    [
      toArrayText(attempts.map((attempt) => attempt.deliveryId)),
      toArrayText(attempts.map((attempt) => attempt.leaseToken)),
      toArrayText(
        attempts.map(({ outcome }) => (outcome.kind === "retry" ? "pending" : outcome.kind)),
      ),
      toArrayText(attempts.map(({ outcome }) => (outcome.kind === "retry" ? outcome.dueAt : null))),
      toArrayText(attempts.map((attempt) => attempt.number)),
      toArrayText(attempts.map((attempt) => attempt.startedAt)),
      toArrayText(attempts.map((attempt) => Math.round(attempt.durationMs))),
      toArrayText(attempts.map((attempt) => attempt.status)),
      toArrayText(attempts.map((attempt) => attempt.reason)),
      attempts.map((attempt) => attempt.answer),
      now,
      toArrayText([...new Set(attempts.map(({ channelId }) => channelId))]),
      toArrayText([...new Set(failed.map(({ channelId }) => channelId))]),
    ],
  );
}

/** What a batch says of one channel: the end of the batch counts, and what it adds to before. */
type Health = {
  channelId: string;
  /** null: the last attempt was answered with a 2xx. */
  failingReason: string | null;
  /** When the unbroken row of failures in this batch began. */
  failingSince: Date | null;
  /** Whether something in the batch broke the row of failures, or of timeouts, of before. */
  wasAnswered: boolean;
  brokeTimeouts: boolean;
  timeoutCount: number;
};

function foldHealths(attempts: readonly FinishedAttempt[]): Health[] {
  const healths = new Map<string, Health>();
  for (const attempt of attempts) {
    const { channelId } = attempt;
    const before = healths.get(channelId) ?? untold(channelId);
    healths.set(channelId, foldHealth(before, attempt));
  }
  return [...healths.values()];
}

function untold(channelId: string): Health {
  return {
    channelId,
    failingReason: null,
    failingSince: null,
    wasAnswered: false,
    brokeTimeouts: false,
    timeoutCount: 0,
  };
}

function foldHealth(before: Health, attempt: FinishedAttempt): Health {
  const isDelivered = attempt.outcome.kind === "delivered";
  return {
    channelId: before.channelId,
    failingReason: isDelivered ? null : attempt.reason,
    failingSince: isDelivered ? null : (before.failingSince ?? attempt.startedAt),
    wasAnswered: before.wasAnswered || isDelivered,
    brokeTimeouts: before.brokeTimeouts || !attempt.isTimeout,
    timeoutCount: attempt.isTimeout ? before.timeoutCount + 1 : 0,
  };
}

async function saveHealths(db: Db, healths: readonly Health[]): Promise<void> {
  // A healthy channel that stays healthy is the usual case: its row is left alone.
  await queryRows(
    db,
    "saveHealths",
    `update channels c set
       failing_since = case when h.was_answered then h.failing_since
         else coalesce(c.failing_since, h.failing_since) end,
       failing_reason = h.failing_reason,
       timeout_count = h.timeout_count + case when h.broke_timeouts then 0 else c.timeout_count end
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::boolean[], $5::boolean[], $6::int[])
       as h (id, failing_reason, failing_since, was_answered, broke_timeouts, timeout_count)
     where c.id = h.id
       and (h.failing_since is not null or c.failing_since is not null or c.timeout_count > 0)`,
    [
      healths.map((health) => health.channelId),
      healths.map((health) => health.failingReason),
      healths.map((health) => health.failingSince),
      healths.map((health) => health.wasAnswered),
      healths.map((health) => health.brokeTimeouts),
      healths.map((health) => health.timeoutCount),
    ],
  );
}

/** The first retry of each channel. Without one there is nothing to look for earlier than before. */
function listDue(attempts: readonly FinishedAttempt[]): { channelId: string; dueAt: Date }[] {
  const due = new Map<string, Date>();
  for (const { channelId, outcome } of attempts) {
    const first = due.get(channelId);
    if (outcome.kind === "retry" && (!first || outcome.dueAt < first))
      due.set(channelId, outcome.dueAt);
  }
  return [...due].map(([channelId, dueAt]) => ({ channelId, dueAt }));
}

/**
 * Drops a channel whose endpoint answered 410, with everything that waits for it, unless it has moved
 * to another URL meanwhile. Runs inside a transaction.
 */
export async function deleteGoneChannel(
  db: Db,
  gone: { channelId: string; url: string; auditId: string; now: Date },
): Promise<boolean> {
  const deleted = await queryFirstRow<{ workspaceId: string; name: string }>(
    db,
    "deleteGoneChannel",
    `delete from channels where id = $1 and url = $2
     returning workspace_id as "workspaceId", name`,
    [gone.channelId, gone.url],
  );
  if (!deleted) return false;
  await insertAuditEntry(db, {
    id: gone.auditId,
    workspaceId: deleted.workspaceId,
    at: gone.now,
    actor: "service",
    action: "channel.deleted",
    subject: gone.channelId,
    detail: { reason: "the endpoint answered 410 Gone", name: deleted.name, url: gone.url },
  });
  return true;
}
