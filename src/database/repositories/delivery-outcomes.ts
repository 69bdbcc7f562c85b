// What attempts came to. An outcome counts only while its worker holds the channel. A success deletes the
// delivery from `pending`; full attempt rows are kept of failures and of answers with a body, the rest of a
// batch is one row per channel. No statement here waits for a lock on a channel: outcomes of a channel that
// somebody changes right now are saved with the next batch, and the others are not held up.
import { type FinishedAttempt, isPlainAttempt } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { withinTransaction } from "../transaction.ts";
import { inEachBucket, readBuckets } from "./delivery-buckets.ts";
import {
  changedArrays,
  changedColumns,
  changedValues,
  deleteEnded,
  type FullAttempts,
  retriedAndRevived,
} from "./full-outcome-sql.ts";
import { saveFullValues, savePlainValues } from "./outcome-values.ts";
import {
  type PlainBatch,
  type TakenOutcomes,
  type TakenRow,
  taken,
  takenColumns,
  takenValues,
  toPages,
  toTaken,
} from "./plain-outcome-sql.ts";

export type SavedOutcomes = {
  /** Channels whose outcomes are saved. */
  savedIds: string[];
  /** Channels that are locked at the moment; the rest are no longer held by this worker. */
  busyIds: string[];
};

/**
 * Saves one batch of attempts, those of each bucket as a whole or not at all. A batch that need not reach the disk at
 * once goes there with the next one that has to.
 */
export async function saveOutcomes(
  db: Db,
  save: {
    workerId: number;
    attempts: readonly FinishedAttempt[];
    now: Date;
    awaitsDisk: boolean;
  },
): Promise<SavedOutcomes> {
  const { group, isDistributed } = await readBuckets(db);
  const groups = group(save.attempts, ({ channelId }) => channelId);
  const parts = await inEachBucket(db, groups, (bucket, attempts) => {
    const arePlain = attempts.every(isPlainAttempt);
    const awaitsDisk = save.awaitsDisk || !arePlain;
    const batch = { ...save, bucket, attempts, awaitsDisk, isDistributed };
    // Plain successes are one statement on one server.
    return arePlain && !isDistributed
      ? saveBatch(db, batch)
      : withinTransaction(db, (tx) => saveBatch(tx, batch));
  });
  return {
    savedIds: parts.flatMap(({ savedIds }) => savedIds),
    busyIds: parts.flatMap(({ busyIds }) => busyIds),
  };
}

type Batch = Omit<PlainBatch, "plain"> & { now: Date; isDistributed: boolean };

async function saveBatch(db: Db, batch: Batch): Promise<SavedOutcomes> {
  const { bucket, attempts, now } = batch;
  const plain = attempts.filter(isPlainAttempt);
  const found = await (batch.isDistributed ? savePlainValues : savePlain)(db, { ...batch, plain });
  // The channels are locked by now, all of them with the first statement of the batch.
  const mine = new Set(found.mine);
  const isMine = ({ channelId }: FinishedAttempt): boolean => mine.has(channelId);
  const kept = attempts.filter((attempt) => isMine(attempt) && !isPlainAttempt(attempt));
  if (kept.length > 0) {
    const saveFull = batch.isDistributed ? saveFullValues : saveInFull;
    await saveFull(db, { bucket, now, attempts: kept });
  }
  const keptPlain = plain.filter(isMine);
  if (found.count < keptPlain.length) await reviveDelivered(db, { bucket, attempts: keptPlain });
  return { savedIds: [...mine], busyIds: found.held.filter((id) => !mine.has(id)) };
}

async function savePlain(db: Db, batch: PlainBatch): Promise<TakenOutcomes> {
  const pages = toPages(batch.plain);
  const found = await queryFirstRow<TakenRow>(db, "savePlainOutcomes", plainText, [
    ...takenValues(batch),
    toArrayText(pages.map(({ channelId }) => channelId)),
    toArrayText(pages.map(({ ids }) => toArrayText(ids))),
    toArrayText(pages.map(({ startedAt }) => toArrayText(startedAt))),
    toArrayText(pages.map(({ durations }) => toArrayText(durations))),
    toArrayText(pages.map(({ statuses }) => toArrayText(statuses))),
    batch.awaitsDisk,
  ]);
  return toTaken(found);
}

const plainText = `with ${taken},
  paged as (
    insert into delivered_pages
      (bucket, channel_id, first_id, last_id, ids, started_at, durations_ms, statuses)
    select $1, g.channel_id, i.ids[1], i.ids[cardinality(i.ids)], i.ids,
      g.started_at::timestamptz[], g.durations::integer[], g.statuses::smallint[]
    from unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[])
      as g (channel_id, ids, started_at, durations, statuses), held,
      lateral (select g.ids::uuid[] as ids offset 0) i
    where g.channel_id = any(held.ids)
  )
  select ${takenColumns},
    set_config('synchronous_commit',
      case when $11 then current_setting('synchronous_commit') else 'off' end, true) as commit`;

async function saveInFull(db: Db, save: FullAttempts): Promise<void> {
  const { attempts, now } = save;
  await queryRows(db, "saveOutcomesInFull", fullText, [
    ...changedValues(save),
    now,
    toArrayText(attempts.map((attempt) => attempt.startedAt)),
    toArrayText(attempts.map((attempt) => Math.round(attempt.durationMs))),
    toArrayText(attempts.map((attempt) => attempt.status)),
    toArrayText(attempts.map((attempt) => attempt.reason)),
    attempts.map((attempt) => attempt.answer),
  ]);
}

const fullText = `with given as materialized (
    select * from unnest(${changedArrays}, $8::timestamptz[], $9::int[], $10::int[], $11::text[], $12::bytea[])
      as g (${changedColumns}, started_at, duration_ms, status, reason, answer)
  ),
  ${retriedAndRevived},
  ended as (
    ${deleteEnded}
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

/** Something cancelled these while they were in flight, and yet they arrived. */
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
