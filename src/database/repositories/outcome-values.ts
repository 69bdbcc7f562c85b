// What attempts came to, on several servers: rows as values with their bucket go to its server at once, as in
// `delivery-values.ts`. On one server the statements of `delivery-outcomes.ts` are quicker: each of them is one.
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { insertValues } from "./delivery-values.ts";
import {
  changedArrays,
  changedColumns,
  changedValues,
  deleteEnded,
  type FullAttempts,
  retriedAndRevived,
} from "./full-outcome-sql.ts";
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

/** Attempts with a row of their own. */
export async function saveFullValues(db: Db, save: FullAttempts): Promise<void> {
  const { bucket, attempts, now } = save;
  const values = changedValues(save);
  const ended = await queryRows<{ id: string }>(db, "changeAttempted", changeText, values);
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
    select * from unnest(${changedArrays}) as g (${changedColumns})
  ),
  ${retriedAndRevived}
  ${deleteEnded}`;
