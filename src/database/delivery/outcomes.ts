// Outcomes of attempts. One counts only while its worker holds the channel. A success deletes the delivery from
// `pending`; failures and answers with a body are kept as rows of attempts, the other successes of a batch as one row per
// channel. No statement here waits for a lock on a channel: outcomes of a channel that is being changed are saved with
// the next batch, and the others are not held up.
import { type FinishedAttempt, isPlainAttempt } from "../../domain/delivery.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
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
  const pages = toPages(plain);
  const found = await queryFirstRow<{
    mine: string[] | null;
    held: string[] | null;
    count: number;
  }>(db, "savePlainOutcomes", plainText, [
    bucket,
    workerId,
    toArrayText([...new Set(attempts.map(({ channelId }) => channelId))]),
    toArrayText(plain.map(({ channelId }) => channelId)),
    toArrayText(plain.map(({ deliveryId }) => deliveryId)),
    toArrayText(pages.map(({ channelId }) => channelId)),
    toArrayText(pages.map(({ ids }) => toArrayText(ids))),
    toArrayText(pages.map(({ startedAt }) => toArrayText(startedAt))),
    toArrayText(pages.map(({ durations }) => toArrayText(durations))),
    toArrayText(pages.map(({ statuses }) => toArrayText(statuses))),
  ]);
  return { mine: found?.mine ?? [], held: found?.held ?? [], count: found?.count ?? 0 };
}

// `mine` are the channels that could be locked, `held` all that the worker holds.
const plainText = `with mine as materialized (
    select channel_id from channel_queue
    where bucket = $1 and lease_owner = $2 and channel_id = any($3::uuid[])
    order by channel_id for key share skip locked
  ),
  locked as materialized (select array(select channel_id from mine) as ids),
  given as materialized (
    select g.channel_id, g.id from unnest($4::uuid[], $5::uuid[]) g (channel_id, id), locked
    where g.channel_id = any(locked.ids)
  ),
  ended as (
    delete from pending p using given g
    where p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id returning 1
  ),
  paged as (
    insert into delivered_pages
      (bucket, channel_id, first_id, last_id, ids, started_at, durations_ms, statuses)
    select $1, g.channel_id, i.ids[1], i.ids[cardinality(i.ids)], i.ids,
      g.started_at::timestamptz[], g.durations::integer[], g.statuses::smallint[]
    from unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[])
      as g (channel_id, ids, started_at, durations, statuses), locked,
      lateral (select g.ids::uuid[] as ids offset 0) i
    where g.channel_id = any(locked.ids)
  )
  select (select array_agg(channel_id) from mine) as mine,
    (select array_agg(channel_id) from channel_queue
     where bucket = $1 and lease_owner = $2 and channel_id = any($3::uuid[])) as held,
    (select count(*) from ended) as count`;

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
  { bucket, attempts, now }: Pick<Batch, "bucket" | "attempts" | "now">,
): Promise<void> {
  await queryRows(db, "saveOutcomesInFull", fullText, [
    bucket,
    toArrayText(attempts.map(({ channelId }) => channelId)),
    toArrayText(attempts.map(({ deliveryId }) => deliveryId)),
    toArrayText(attempts.map(({ outcome }) => outcome.kind)),
    toArrayText(attempts.map(({ outcome }) => (outcome.kind === "retry" ? outcome.dueAt : null))),
    toArrayText(attempts.map(({ number }) => number)),
    now,
    toArrayText(attempts.map(({ startedAt }) => startedAt)),
    toArrayText(attempts.map(({ durationMs }) => Math.round(durationMs))),
    toArrayText(attempts.map(({ status }) => status)),
    toArrayText(attempts.map(({ reason }) => reason)),
    attempts.map(({ answer }) => answer),
  ]);
}

const fullText = `with given as materialized (
    select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::int[],
        $8::timestamptz[], $9::int[], $10::int[], $11::text[], $12::bytea[])
      as g (channel_id, id, kind, due_at, number, started_at, duration_ms, status, reason, answer)
  ),
  retried as (
    update pending p set is_retry = true, due_at = g.due_at, attempt_count = g.number,
      retry_count = p.retry_count + 1
    from given g
    where g.kind = 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
    returning p.id
  ),
  revived as (
    delete from ended_deliveries e using given g
    where g.kind = 'delivered' and e.bucket = $1 and e.channel_id = g.channel_id and e.id = g.id
  ),
  ended as (
    delete from pending p using given g
    where g.kind <> 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
    returning p.id
  ),
  expired as (
    insert into ended_deliveries (bucket, channel_id, id, status, finished_at, attempt_count)
    select $1, g.channel_id, g.id, 'expired', $7, g.number from given g join ended e on e.id = g.id
    where g.kind = 'expired' on conflict do nothing
  )
  insert into attempts
    (bucket, delivery_id, number, started_at, duration_ms, status, reason, answer)
  select $1, g.id, g.number, g.started_at, g.duration_ms, g.status, g.reason, g.answer from given g
  -- An answer may quote the review: nothing is kept of a delivery that an erasure deleted while it was in flight.
  where g.id in (select id from retried) or g.id in (select id from ended)
    or exists (
      select from ended_deliveries e
      where e.bucket = $1 and e.channel_id = g.channel_id and e.id = g.id
    )
  on conflict do nothing`;

/** These were cancelled while they were in flight, and yet they arrived. */
async function reviveDelivered(db: Db, batch: Pick<Batch, "bucket" | "attempts">): Promise<void> {
  await queryRows(
    db,
    "reviveDelivered",
    `delete from ended_deliveries e using unnest($2::uuid[], $3::uuid[]) g (channel_id, id)
     where e.bucket = $1 and e.channel_id = g.channel_id and e.id = g.id`,
    [
      batch.bucket,
      batch.attempts.map(({ channelId }) => channelId),
      batch.attempts.map(({ deliveryId }) => deliveryId),
    ],
  );
}
