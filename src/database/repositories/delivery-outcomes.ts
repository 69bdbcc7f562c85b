// What attempts came to. An outcome counts only while its worker holds the channel. A success deletes the
// delivery from `pending`; full attempt rows are kept of failures and of answers with a body, the rest of a
// batch is one row per channel. No statement here waits for a lock on a channel: outcomes of a channel that
// somebody changes right now are saved with the next batch, and the others are not held up.
import { type FinishedAttempt, isPlainAttempt } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { readBuckets } from "./delivery-buckets.ts";

export type SavedOutcomes = {
  /** Channels whose outcomes are saved. */
  savedIds: string[];
  /** Channels that are locked at the moment; the rest are no longer held by this worker. */
  busyIds: string[];
};

/**
 * Saves one batch of attempts. Runs inside a transaction when some of them were not plain successes. A batch that
 * need not reach the disk at once goes there with the next one that has to.
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
  const saved: SavedOutcomes = { savedIds: [], busyIds: [] };
  for (const [bucket, attempts] of (await readBuckets(db)).group(
    save.attempts,
    (one) => one.channelId,
  )) {
    const plain = attempts.filter(isPlainAttempt);
    const others = attempts.filter((attempt) => !isPlainAttempt(attempt));
    const awaitsDisk = save.awaitsDisk || others.length > 0;
    const batch = { ...save, bucket, attempts, awaitsDisk };
    const found = await savePlain(db, { ...batch, plain });
    // The channels are locked by now, all of them with the first statement of the batch.
    const mine = new Set(found.mine);
    saved.savedIds.push(...mine);
    saved.busyIds.push(...found.held.filter((id) => !mine.has(id)));
    const kept = others.filter(({ channelId }) => mine.has(channelId));
    if (kept.length > 0) await saveInFull(db, { ...batch, attempts: kept });
    const keptPlain = plain.filter(({ channelId }) => mine.has(channelId));
    if (found.count < keptPlain.length) await reviveDelivered(db, { bucket, attempts: keptPlain });
  }
  return saved;
}

type Batch = {
  bucket: number;
  workerId: number;
  attempts: readonly FinishedAttempt[];
  now: Date;
};

async function savePlain(
  db: Db,
  batch: Batch & { plain: readonly FinishedAttempt[]; awaitsDisk: boolean },
): Promise<{ mine: string[]; held: string[]; count: number }> {
  const pages = toPages(batch.plain);
  const found = await queryFirstRow<{
    mine: string[] | null;
    held: string[] | null;
    count: number;
  }>(db, "savePlainOutcomes", plainText, [
    batch.bucket,
    batch.workerId,
    toArrayText([...new Set(batch.attempts.map(({ channelId }) => channelId))]),
    toArrayText(batch.plain.map(({ channelId }) => channelId)),
    toArrayText(batch.plain.map(({ deliveryId }) => deliveryId)),
    toArrayText(pages.map(({ channelId }) => channelId)),
    toArrayText(pages.map(({ ids }) => toArrayText(ids))),
    toArrayText(pages.map(({ startedAt }) => toArrayText(startedAt))),
    toArrayText(pages.map(({ durations }) => toArrayText(durations))),
    toArrayText(pages.map(({ statuses }) => toArrayText(statuses))),
    batch.awaitsDisk,
  ]);
  return { mine: found?.mine ?? [], held: found?.held ?? [], count: found?.count ?? 0 };
}

const plainText = `with mine as materialized (
    select channel_id from channel_queue
    where bucket = $1 and lease_owner = $2 and channel_id = any($3::uuid[])
    order by channel_id for key share skip locked
  ),
  held as materialized (select array(select channel_id from mine) as ids),
  given as materialized (
    select g.channel_id, g.id from unnest($4::uuid[], $5::uuid[]) g (channel_id, id), held
    where g.channel_id = any(held.ids)
  ),
  gone as (
    delete from pending p using given g
    where p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
    returning 1
  ),
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
  select (select array_agg(channel_id) from mine) as mine,
    (select array_agg(channel_id) from channel_queue
     where bucket = $1 and lease_owner = $2 and channel_id = any($3::uuid[])) as held,
    (select count(*) from gone) as count,
    set_config('synchronous_commit',
      case when $11 then current_setting('synchronous_commit') else 'off' end, true) as commit`;

type Page = {
  channelId: string;
  ids: string[];
  startedAt: Date[];
  durations: number[];
  statuses: number[];
};

function toPages(attempts: readonly FinishedAttempt[]): Page[] {
  const pages = new Map<string, Page>();
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

async function saveInFull(db: Db, { bucket, attempts, now }: Batch): Promise<void> {
  await queryRows(db, "saveOutcomesInFull", fullText, [
    bucket,
    now,
    toArrayText(attempts.map((attempt) => attempt.channelId)),
    toArrayText(attempts.map((attempt) => attempt.deliveryId)),
    toArrayText(attempts.map(({ outcome }) => outcome.kind)),
    toArrayText(attempts.map(({ outcome }) => (outcome.kind === "retry" ? outcome.dueAt : null))),
    toArrayText(attempts.map((attempt) => attempt.number)),
    toArrayText(attempts.map((attempt) => attempt.startedAt)),
    toArrayText(attempts.map((attempt) => Math.round(attempt.durationMs))),
    toArrayText(attempts.map((attempt) => attempt.status)),
    toArrayText(attempts.map((attempt) => attempt.reason)),
    attempts.map((attempt) => attempt.answer),
  ]);
}

// What was cancelled while it was in flight stays so, unless it arrived.
const fullText = `with given as materialized (
    select * from unnest($3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $7::int[],
      $8::timestamptz[], $9::int[], $10::int[], $11::text[], $12::bytea[])
      as g (channel_id, id, kind, due_at, number, started_at, duration_ms, status, reason, answer)
  ),
  ended as (
    delete from pending p using given g
    where g.kind <> 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
    returning p.id
  ),
  retried as (
    update pending p set is_retry = true, due_at = g.due_at, attempt_count = g.number,
      retry_count = p.retry_count + 1
    from given g
    where g.kind = 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
  ),
  expired as (
    insert into ended_deliveries (bucket, channel_id, id, status, finished_at, attempt_count)
    select $1, g.channel_id, g.id, 'expired', $2, g.number from given g join ended e on e.id = g.id
    where g.kind = 'expired' on conflict do nothing
  ),
  revived as (
    delete from ended_deliveries e using given g
    where g.kind = 'delivered' and e.bucket = $1 and e.channel_id = g.channel_id and e.id = g.id
  )
  insert into attempts
    (bucket, delivery_id, number, started_at, duration_ms, status, reason, answer)
  select $1, id, number, started_at, duration_ms, status, reason, answer from given
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
