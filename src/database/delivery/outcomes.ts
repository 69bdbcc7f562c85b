// Outcomes of attempts. One counts only while its worker holds the channel. A success deletes the delivery from
// `pending`, and every attempt is a row of the log, also that of a worker that has lost the channel. No statement here waits for a lock on a channel: outcomes of a channel
// that is being changed are saved with the next batch, and the others are not held up.
import sql, { type Sql } from "sql-template-tag";
import type { FinishedAttempt, VersionedHealth } from "../../domain/channel/delivery.ts";
import { type Db, queryRows, queryValues } from "../query.ts";
import { parameter, unnest } from "../sql.ts";
import { withinTransaction } from "../transaction.ts";
import { toArrayText } from "../values.ts";
import { announceAgain } from "./announcements.ts";
import { saveHealths } from "./health.ts";

type SavedOutcomes = {
  /** Channels whose outcomes are saved. */
  savedIds: string[];
  /** Channels that are locked at the moment; the rest are no longer held by this worker. */
  busyIds: string[];
};

type Batch = {
  workerId: number;
  attempts: readonly FinishedAttempt[];
  /** The health of those channels whose health has changed. */
  healths: readonly VersionedHealth[];
  now: Date;
};

/** Saves one batch, as a whole or not at all. */
export function saveOutcomes(db: Db, batch: Batch): Promise<SavedOutcomes> {
  return withinTransaction(db, (tx) => saveBatch(tx, batch));
}

async function saveBatch(db: Db, batch: Batch): Promise<SavedOutcomes> {
  const found = await queryRows(
    db,
    "lockChannelsOfOutcomes",
  )<{ id: string; isLocked: boolean }>(writeLock(batch));
  const locked = new Set(found.flatMap(({ id, isLocked }) => (isLocked ? [id] : [])));
  const isMine = ({ channelId }: { channelId: string }): boolean => locked.has(channelId);
  const attempts = batch.attempts.filter(isMine);
  // A statement after the locks sees what the last holder of each lock has changed.
  const unlogged = attempts.length > 0 ? await saveAttempts(db, { ...batch, attempts }) : [];
  const heldIds = new Set(found.map(({ id }) => id));
  // Another worker holds these channels, or none: the outcomes don't count, but the requests were sent.
  const lost = batch.attempts.filter(({ channelId }) => !heldIds.has(channelId));
  await logAnyway(db, [...unlogged, ...lost]);
  await saveHealths(db, batch.healths.filter(isMine));
  return {
    savedIds: [...locked],
    busyIds: found.flatMap(({ id }) => (locked.has(id) ? [] : [id])),
  };
}

/** The channels that the worker holds; those that another transaction has locked are left alone. */
function writeLock({ attempts, healths, workerId }: Batch): Sql {
  const channelIds = new Set([...attempts, ...healths].map(({ channelId }) => channelId));
  const ids = parameter(toArrayText([...channelIds]));
  const held = sql`channel_queue where lease_owner = ${parameter(workerId)} and channel_id = any(${ids}::uuid[])`;
  return sql`with mine as materialized (
      select channel_id from ${held} order by channel_id for key share skip locked
    )
    select q.channel_id as id, m.channel_id is not null as "isLocked"
    from (select channel_id from ${held}) q left join mine m on m.channel_id = q.channel_id`;
}

/** Returns those whose number another attempt has in the log. */
async function saveAttempts(db: Db, batch: Batch): Promise<FinishedAttempt[]> {
  const { attempts, now } = batch;
  const changed = await queryRows(
    db,
    "saveOutcomes",
  )<{ id: string; isRevived: boolean }>(writeAttempts(batch));
  const revivedIds = changed.flatMap(({ id, isRevived }) => (isRevived ? [id] : []));
  const unloggedIds = new Set(changed.flatMap(({ id, isRevived }) => (isRevived ? [] : [id])));
  // An edit can arrive before the event of its review, which may be cancelled afterwards.
  const edits = attempts.filter(
    ({ event, outcome }) => event === "review.updated" && outcome.kind === "delivered",
  );
  const ids = [...revivedIds, ...edits.map(({ deliveryId }) => deliveryId)];
  if (ids.length > 0) await announceAgain(db, { ids, now });
  return attempts.filter(({ deliveryId }) => unloggedIds.has(deliveryId));
}

/** Under the next free number: two workers send a delivery at once where one has taken over the channel of the other. */
async function logAnyway(db: Db, attempts: readonly FinishedAttempt[]): Promise<void> {
  let rest = attempts;
  while (rest.length > 0) {
    // A number that another transaction has taken meanwhile is known when this statement ends.
    const taken = new Set(await queryValues(db, "logAnyway")<string>(writeLogAnyway(rest)));
    rest = rest.filter(({ deliveryId }) => taken.has(deliveryId));
  }
}

const attemptColumns = {
  channel_id: ["uuid", ({ channelId }) => channelId],
  id: ["uuid", ({ deliveryId }) => deliveryId],
  kind: ["text", ({ outcome }) => outcome.kind],
  due_at: ["timestamptz", ({ outcome }) => (outcome.kind === "retry" ? outcome.dueAt : null)],
  number: ["int", ({ number }) => number],
  started_at: ["timestamptz", ({ startedAt }) => startedAt],
  duration_ms: ["int", ({ durationMs }) => Math.round(durationMs)],
  status: ["int", ({ status }) => status],
  reason: ["text", ({ reason }) => reason],
  answer: ["bytea", ({ answer }) => answer],
} as const satisfies Record<string, [string, (attempt: FinishedAttempt) => unknown]>;

const loggedColumns = sql`(delivery_id, number, started_at, duration_ms, status, reason, answer)`;

/**
 * Deliveries that were cancelled while they were in flight stay cancelled, unless they arrived: returns these, and those
 * whose attempt is not logged, because the log has another one of its number.
 */
function writeAttempts({ attempts, now }: Batch): Sql {
  const rows = unnest("g", attempts, attemptColumns);
  return sql`with given as materialized (select * from ${rows}),
    retried as (
      update pending p set is_retry = true, due_at = g.due_at, attempt_count = g.number,
        retry_count = p.retry_count + 1
      from given g
      where g.kind = 'retry' and p.channel_id = g.channel_id and p.id = g.id
      returning p.id
    ),
    revived as (
      delete from ended_deliveries e using given g
      where g.kind = 'delivered' and e.channel_id = g.channel_id and e.id = g.id
      returning e.id
    ),
    ended as (
      delete from pending p using given g
      where g.kind <> 'retry' and p.channel_id = g.channel_id and p.id = g.id
      returning p.id
    ),
    expired as (
      insert into ended_deliveries (channel_id, id, status, finished_at, attempt_count)
      select g.channel_id, g.id, 'expired', ${now}, g.number
      from given g join ended e on e.id = g.id
      where g.kind = 'expired' on conflict do nothing
    ),
    kept as materialized (
      -- An answer may quote the review: nothing is kept of a delivery that an erasure deleted while it was in flight.
      select * from given g
      where g.id in (select id from retried) or g.id in (select id from ended)
        or exists (
          select from ended_deliveries e
          where e.channel_id = g.channel_id and e.id = g.id
        )
    ),
    logged as (
      insert into attempts ${loggedColumns}
      select id, number, started_at, duration_ms, status, reason, answer from kept
      on conflict do nothing returning delivery_id
    )
    select id, true as "isRevived" from revived
    union all select id, false from kept where id not in (select delivery_id from logged)`;
}

/** Returns the deliveries whose number was taken at the same moment. */
function writeLogAnyway(attempts: readonly FinishedAttempt[]): Sql {
  const rows = unnest("g", attempts, attemptColumns);
  return sql`with numbered as materialized (
      select g.*, 1 + coalesce((select max(number) from attempts a where a.delivery_id = g.id), 0) as free
      from ${rows}
      where exists (
        select from deliveries d join channels c on c.id = d.channel_id where d.id = g.id
      )
      -- A batch is saved again where the connection ended before its answer.
      and not exists (
        select from attempts a where a.delivery_id = g.id and a.number >= g.number
          and (a.started_at, a.duration_ms) = (g.started_at, g.duration_ms)
          and (a.status, a.reason) is not distinct from (g.status, g.reason)
      )
    ),
    logged as (
      insert into attempts ${loggedColumns}
      select id, free, started_at, duration_ms, status, reason, answer from numbered
      on conflict do nothing returning delivery_id as id, number
    ),
    counted as (
      update pending p set attempt_count = l.number
      from numbered n join logged l using (id) where p.channel_id = n.channel_id and p.id = n.id
    ),
    counted_ended as (
      update ended_deliveries e set attempt_count = l.number
      from numbered n join logged l using (id) where e.channel_id = n.channel_id and e.id = n.id
    )
    select id from numbered where id not in (select id from logged)`;
}
