// Outcomes of attempts. One counts only while its worker holds the channel. A success deletes the delivery from
// `pending`; failures and answers with a body are kept as rows of attempts, the other successes of a batch as one row per
// channel. No statement here waits for a lock on a channel: outcomes of a channel that is being changed are saved with
// the next batch, and the others are not held up.
import sql, { type Sql } from "sql-template-tag";
import { type FinishedAttempt, isPlainAttempt } from "../../domain/delivery.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { parameter, unnest } from "../sql.ts";
import { withinTransaction } from "../transaction.ts";
import { toArrayText } from "../values.ts";
import { inEachBucket, readBuckets } from "./buckets.ts";

export type SavedOutcomes = {
  /** Channels whose outcomes are saved. */
  savedIds: string[];
  /** Channels that are locked at the moment; the rest are no longer held by this worker. */
  busyIds: string[];
};

/** Saves one batch of attempts, those of each bucket as a whole or not at all. */
export async function saveOutcomes(
  db: Db,
  save: { workerId: number; attempts: readonly FinishedAttempt[]; now: Date },
): Promise<SavedOutcomes> {
  const { group } = await readBuckets(db);
  const groups = group(save.attempts, ({ channelId }) => channelId);
  const parts = await inEachBucket(db, groups, (bucket, attempts) => {
    const batch = { ...save, bucket, attempts };
    // Plain successes are one statement.
    return attempts.every(isPlainAttempt)
      ? saveBatch(db, batch)
      : withinTransaction(db, (tx) => saveBatch(tx, batch));
  });
  return {
    savedIds: parts.flatMap(({ savedIds }) => savedIds),
    busyIds: parts.flatMap(({ busyIds }) => busyIds),
  };
}

type Batch = {
  bucket: number;
  workerId: number;
  attempts: readonly FinishedAttempt[];
  now: Date;
};

async function saveBatch(db: Db, batch: Batch): Promise<SavedOutcomes> {
  const { bucket, attempts, now } = batch;
  const plain = attempts.filter(isPlainAttempt);
  const found = await savePlain(db, { ...batch, plain });
  // The channels are locked by now, all of them with the first statement of the batch.
  const mine = new Set(found.mine);
  const isMine = ({ channelId }: FinishedAttempt): boolean => mine.has(channelId);
  const kept = attempts.filter((attempt) => isMine(attempt) && !isPlainAttempt(attempt));
  if (kept.length > 0) await saveInFull(db, { bucket, now, attempts: kept });
  const keptPlain = plain.filter(isMine);
  if (found.count < keptPlain.length) await reviveDelivered(db, { bucket, attempts: keptPlain });
  return { savedIds: [...mine], busyIds: found.held.filter((id) => !mine.has(id)) };
}

/** Locks the channels of all attempts, and saves those that say no more than that they arrived. */
async function savePlain(
  db: Db,
  { bucket, workerId, attempts, plain }: Batch & { plain: readonly FinishedAttempt[] },
): Promise<{ mine: string[]; held: string[]; count: number }> {
  const found = await queryFirstRow<{
    mine: string[] | null;
    held: string[] | null;
    count: number;
  }>(db, "savePlainOutcomes", writePlain({ bucket, workerId, attempts, plain }));
  return { mine: found?.mine ?? [], held: found?.held ?? [], count: found?.count ?? 0 };
}

// `mine` are the channels that could be locked, `held` all that the worker holds.
function writePlain(save: Omit<Batch, "now"> & { plain: readonly FinishedAttempt[] }): Sql {
  const bucket = parameter(save.bucket);
  const workerId = parameter(save.workerId);
  const channelIds = parameter(
    toArrayText([...new Set(save.attempts.map(({ channelId }) => channelId))]),
  );
  const rows = unnest("g", save.plain, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    id: ["uuid", ({ deliveryId }) => deliveryId],
  });
  const pages = unnest("g", toPages(save.plain), {
    channel_id: ["uuid", ({ channelId }) => channelId],
    ids: ["text", ({ ids }) => toArrayText(ids)],
    started_at: ["text", ({ startedAt }) => toArrayText(startedAt)],
    durations: ["text", ({ durations }) => toArrayText(durations)],
    statuses: ["text", ({ statuses }) => toArrayText(statuses)],
  });
  return sql`with mine as materialized (
      select channel_id from channel_queue
      where bucket = ${bucket} and lease_owner = ${workerId} and channel_id = any(${channelIds}::uuid[])
      order by channel_id for key share skip locked
    ),
    locked as materialized (select array(select channel_id from mine) as ids),
    given as materialized (
      select g.channel_id, g.id from ${rows}, locked where g.channel_id = any(locked.ids)
    ),
    ended as (
      delete from pending p using given g
      where p.bucket = ${bucket} and p.channel_id = g.channel_id and p.id = g.id returning 1
    ),
    paged as (
      insert into delivered_pages
        (bucket, channel_id, first_id, last_id, ids, started_at, durations_ms, statuses)
      select ${bucket}, g.channel_id, i.ids[1], i.ids[cardinality(i.ids)], i.ids,
        g.started_at::timestamptz[], g.durations::integer[], g.statuses::smallint[]
      from ${pages}, locked, lateral (select g.ids::uuid[] as ids offset 0) i
      where g.channel_id = any(locked.ids)
    )
    select (select array_agg(channel_id) from mine) as mine,
      (select array_agg(channel_id) from channel_queue
       where bucket = ${bucket} and lease_owner = ${workerId} and channel_id = any(${channelIds}::uuid[])) as held,
      (select count(*) from ended) as count`;
}

/** Deliveries of one channel that arrived at the first attempt, by id. */
type DeliveredPage = {
  channelId: string;
  ids: string[];
  startedAt: Date[];
  durations: number[];
  statuses: number[];
};

function toPages(attempts: readonly FinishedAttempt[]): DeliveredPage[] {
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

/** Failures, and answers that are kept. Deliveries cancelled while in flight stay so, unless they arrived. */
async function saveInFull(
  db: Db,
  { attempts, now, ...place }: Pick<Batch, "bucket" | "attempts" | "now">,
): Promise<void> {
  const bucket = parameter(place.bucket);
  const rows = unnest("g", attempts, {
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
  });
  const statement = sql`with given as materialized (select * from ${rows}),
    retried as (
      update pending p set is_retry = true, due_at = g.due_at, attempt_count = g.number,
        retry_count = p.retry_count + 1
      from given g
      where g.kind = 'retry' and p.bucket = ${bucket} and p.channel_id = g.channel_id and p.id = g.id
      returning p.id
    ),
    revived as (
      delete from ended_deliveries e using given g
      where g.kind = 'delivered' and e.bucket = ${bucket} and e.channel_id = g.channel_id and e.id = g.id
    ),
    ended as (
      delete from pending p using given g
      where g.kind <> 'retry' and p.bucket = ${bucket} and p.channel_id = g.channel_id and p.id = g.id
      returning p.id
    ),
    expired as (
      insert into ended_deliveries (bucket, channel_id, id, status, finished_at, attempt_count)
      select ${bucket}, g.channel_id, g.id, 'expired', ${now}, g.number
      from given g join ended e on e.id = g.id
      where g.kind = 'expired' on conflict do nothing
    )
    insert into attempts
      (bucket, delivery_id, number, started_at, duration_ms, status, reason, answer)
    select ${bucket}, g.id, g.number, g.started_at, g.duration_ms, g.status, g.reason, g.answer from given g
    -- An answer may quote the review: nothing is kept of a delivery that an erasure deleted while it was in flight.
    where g.id in (select id from retried) or g.id in (select id from ended)
      or exists (
        select from ended_deliveries e
        where e.bucket = ${bucket} and e.channel_id = g.channel_id and e.id = g.id
      )
    on conflict do nothing`;
  await queryRows(db, "saveOutcomesInFull", statement);
}

/** These were cancelled while they were in flight, and yet they arrived. */
async function reviveDelivered(
  db: Db,
  { bucket, attempts }: Pick<Batch, "bucket" | "attempts">,
): Promise<void> {
  const arrived = unnest("g", attempts, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    id: ["uuid", ({ deliveryId }) => deliveryId],
  });
  const statement = sql`delete from ended_deliveries e using ${arrived}
    where e.bucket = ${bucket} and e.channel_id = g.channel_id and e.id = g.id`;
  await queryRows(db, "reviveDelivered", statement);
}
