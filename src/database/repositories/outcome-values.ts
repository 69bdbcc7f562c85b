// What attempts came to, on several servers: rows as values with their bucket go to its server at once, as in
// `delivery-values.ts`. On one server the statements of `delivery-outcomes.ts` are quicker: each of them is one.
import type { FinishedAttempt } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { insertValues } from "./delivery-values.ts";
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

export type FullAttempts = { bucket: number; attempts: readonly FinishedAttempt[]; now: Date };

/** Every commit waits for the disk of that server: the setting that says otherwise does not go there. */
export async function savePlainValues(db: Db, batch: PlainBatch): Promise<TakenOutcomes> {
  const row = await queryFirstRow<TakenRow>(db, "takeDelivered", takeText, takenValues(batch));
  const found = toTaken(row);
  const pages = toPages(batch.plain).filter(({ channelId }) => found.mine.includes(channelId));
  await insertValues(db, {
    into: `delivered_pages
      (bucket, channel_id, first_id, last_id, ids, started_at, durations_ms, statuses)`,
    bucket: batch.bucket,
    rows: pages.map((page) => [
      ...[page.channelId, page.ids[0], page.ids.at(-1), page.ids],
      ...[page.startedAt, page.durations, page.statuses],
    ]),
    rest: "",
  });
  return found;
}

const takeText = `with ${taken} select ${takenColumns}`;

/** Attempts with a row of their own. What was cancelled while it was in flight stays so, unless it arrived. */
export async function saveFullValues(db: Db, save: FullAttempts): Promise<void> {
  const { bucket, attempts, now } = save;
  const ended = await queryRows<{ id: string }>(db, "changeAttempted", changeText, [
    bucket,
    toArrayText(attempts.map(({ channelId }) => channelId)),
    toArrayText(attempts.map(({ deliveryId }) => deliveryId)),
    toArrayText(attempts.map(({ outcome }) => outcome.kind)),
    toArrayText(attempts.map(({ outcome }) => (outcome.kind === "retry" ? outcome.dueAt : null))),
    toArrayText(attempts.map(({ number }) => number)),
  ]);
  const endedIds = new Set(ended.map(({ id }) => id));
  const expired = attempts.filter(
    ({ outcome, deliveryId }) => outcome.kind === "expired" && endedIds.has(deliveryId),
  );
  await insertValues(db, {
    into: "ended_deliveries (bucket, channel_id, id, status, finished_at, attempt_count)",
    bucket,
    rows: expired.map(({ channelId, deliveryId, number }) => [
      ...[channelId, deliveryId, "expired", now, number],
    ]),
  });
  await insertValues(db, {
    into: `attempts
      (bucket, delivery_id, number, started_at, duration_ms, status, reason, answer)`,
    bucket,
    rows: attempts.map((one) => [
      ...[one.deliveryId, one.number, one.startedAt, Math.round(one.durationMs)],
      ...[one.status, one.reason, one.answer],
    ]),
  });
}

const changeText = `with given as materialized (
    select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::int[])
      as g (channel_id, id, kind, due_at, number)
  ),
  retried as (
    update pending p set is_retry = true, due_at = g.due_at, attempt_count = g.number,
      retry_count = p.retry_count + 1
    from given g
    where g.kind = 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
  ),
  revived as (
    delete from ended_deliveries e using given g
    where g.kind = 'delivered' and e.bucket = $1 and e.channel_id = g.channel_id and e.id = g.id
  )
  delete from pending p using given g
  where g.kind <> 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
  returning p.id`;
