// A delivery that is due, as statements read it: the columns, where they come from, and what a row says.
import type { DueDelivery } from "../../domain/delivery.ts";
import { isWanted } from "../read-models/delivery-filter.ts";

// The body as base64, which is shorter than the driver's hexadecimal digits and four times as quick to read.
export type FoundRow = Omit<DueDelivery, "id" | "body"> & {
  id: string | null;
  body: string | null;
};

/** What a row of `pending` named `h`, its delivery `d` and its channel `c` say: a FoundRow but for the channel. */
export const foundColumns = `h.id, h.is_retry as "isRetry", h.is_draft as "isDraft",
    h.due_at as "dueAt", h.queued_at as "queuedAt", h.attempt_count as "attemptCount",
    h.retry_count as "retryCount", d.event, encode(d.body, 'base64') as body, d.is_test as "isTest",
    ${isWanted} as "isWanted"`;

/**
 * The delivery `d` of a row `h`. Each is looked up by itself (`limit` keeps the planner from joining): a plan from
 * when there were few would read all of them, and go on doing so. By channel and id, because in the partition of a
 * new day every index with the id in it then is a good one.
 */
export const joinStored = (channelId: string): string => `left join lateral (
    select event, body, is_test, rating, topics, app_id from deliveries
    where channel_id = ${channelId} and id = h.id and bucket = $1 limit 1
  ) d on true`;

export const pendingColumns =
  "id, is_retry, is_draft, due_at, queued_at, attempt_count, retry_count";

/** null when the row is of no delivery, or of one that is not stored any more. Field by field: rest and spread take several times as long. */
export function toDueDelivery(row: FoundRow): DueDelivery | null {
  if (row.id === null || row.body === null) return null;
  return {
    id: row.id,
    channelId: row.channelId,
    event: row.event,
    body: Buffer.from(row.body, "base64"),
    isTest: row.isTest,
    dueAt: row.dueAt,
    queuedAt: row.queuedAt,
    attemptCount: row.attemptCount,
    retryCount: row.retryCount,
    isRetry: row.isRetry,
    isDraft: row.isDraft,
    isWanted: row.isWanted,
  };
}
