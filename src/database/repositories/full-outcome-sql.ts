// Attempts with a row of their own in a batch of outcomes, as its statements see them: failures, and answers that are
// kept. What was cancelled while it was in flight stays so, unless it arrived.
import type { FinishedAttempt } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";

export type FullAttempts = { bucket: number; attempts: readonly FinishedAttempt[]; now: Date };

/** The columns of `given` that every statement needs, in the order of `changedValues`. */
export const changedColumns = "channel_id, id, kind, due_at, number";
/** `$1` to `$6`: the bucket, and `changedValues`. */
export const changedArrays = "$2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::int[]";

export function changedValues({ bucket, attempts }: FullAttempts): unknown[] {
  return [
    bucket,
    toArrayText(attempts.map(({ channelId }) => channelId)),
    toArrayText(attempts.map(({ deliveryId }) => deliveryId)),
    toArrayText(attempts.map(({ outcome }) => outcome.kind)),
    toArrayText(attempts.map(({ outcome }) => (outcome.kind === "retry" ? outcome.dueAt : null))),
    toArrayText(attempts.map(({ number }) => number)),
  ];
}

/** Common table expressions over `given`. */
export const retriedAndRevived = `retried as (
    update pending p set is_retry = true, due_at = g.due_at, attempt_count = g.number,
      retry_count = p.retry_count + 1
    from given g
    where g.kind = 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
    returning p.id
  ),
  revived as (
    delete from ended_deliveries e using given g
    where g.kind = 'delivered' and e.bucket = $1 and e.channel_id = g.channel_id and e.id = g.id
  )`;

export const deleteEnded = `delete from pending p using given g
    where g.kind <> 'retry' and p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id
    returning p.id`;
