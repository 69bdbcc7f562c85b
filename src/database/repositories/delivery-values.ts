// The queue's entrance on several servers: rows as values with their bucket go to its server at once, while a `select`
// would bring them to the coordinator first, and meet others on their way in an order that nobody chose.
import type { NewDelivery } from "../../domain/delivery.ts";
import { isFailing } from "../delivery/health-row.ts";
import { type Db, queryRows } from "../query.ts";
import { withinTransaction } from "../transaction.ts";

/** At most so many rows in one statement: each has a dozen parameters, and each number of rows a text of its own. */
const rowsMax = 256;

type Queue = {
  bucket: number;
  deliveries: readonly NewDelivery[];
  now: Date;
  /** Whether it is noted which reviews are announced with them. */
  areAnnounced?: boolean;
};
type Target = { id: string; host: string; isFailing: boolean; queuedAt: Date };

/** Like `enqueueDeliveries`, in one bucket; what is there already is left alone. Returns how many were not. */
export async function queueValues(db: Db, queue: Queue): Promise<number> {
  let count = 0;
  for (let start = 0; start < queue.deliveries.length; start += rowsMax) {
    const deliveries = queue.deliveries.slice(start, start + rowsMax);
    count += await withinTransaction(db, (tx) => queueRows(tx, { ...queue, deliveries }));
  }
  return count;
}

async function queueRows(db: Db, queue: Queue): Promise<number> {
  const { bucket, deliveries, now, areAnnounced = false } = queue;
  const channels = deliveries.map(({ channelId }) => channelId);
  const targets = await findTargets(db, { bucket, channelIds: [...new Set(channels)], now });
  const accepted = deliveries.filter(({ channelId }) => targets.has(channelId));
  const inserted = new Set(await insertDeliveries(db, { bucket, deliveries: accepted, now }));
  const queued = accepted.filter(({ id }) => inserted.has(id));
  await insertValues(db, {
    into: "channel_reviews (bucket, channel_id, review_id)",
    bucket,
    rows: areAnnounced ? listAnnounced(queued).map((pair) => [pair.channelId, pair.reviewId]) : [],
  });
  const waiting = queued.map(({ id, channelId, heldUntil }) => {
    const queuedAt = targets.get(channelId)?.queuedAt ?? now;
    const heldMs = heldUntil ? heldUntil.getTime() - now.getTime() : 0;
    const dueAt = new Date(queuedAt.getTime() + heldMs);
    return [channelId, id, heldUntil !== undefined, dueAt, queuedAt];
  });
  await insertValues(db, {
    into: "pending (bucket, channel_id, id, is_draft, due_at, queued_at)",
    bucket,
    rows: waiting,
  });
  // Last, so that whoever is told looks for rows that are there.
  const channelIds = new Set(queued.map(({ channelId }) => channelId));
  await advanceTargets(db, {
    bucket,
    targets: [...targets.values()]
      .filter(({ id }) => channelIds.has(id))
      .map((target) => ({ ...target, dueAt: target.queuedAt })),
  });
  return queued.length;
}

/** Like `advanceQueue`, in one bucket. */
export async function advanceValues(
  db: Db,
  { bucket, due }: { bucket: number; due: readonly { channelId: string; dueAt: Date }[] },
): Promise<void> {
  const dueAts = new Map(due.map(({ channelId, dueAt }) => [channelId, dueAt]));
  const channelIds = [...dueAts.keys()];
  for (let start = 0; start < channelIds.length; start += rowsMax) {
    const ids = channelIds.slice(start, start + rowsMax);
    const targets = await findTargets(db, { bucket, channelIds: ids, now: null });
    await advanceTargets(db, {
      bucket,
      targets: [...targets.values()].flatMap((target) => {
        const dueAt = dueAts.get(target.id);
        return dueAt ? [{ ...target, dueAt }] : [];
      }),
    });
  }
}

async function advanceTargets(
  db: Db,
  { bucket, targets }: { bucket: number; targets: readonly (Target & { dueAt: Date })[] },
): Promise<void> {
  const inOrder = [...targets].sort((one, other) => (one.id < other.id ? -1 : 1));
  await insertValues(db, {
    into: "channel_queue as q (bucket, channel_id, next_due_at, is_failing, host)",
    bucket,
    rows: inOrder.map(({ id, dueAt, isFailing, host }) => [id, dueAt, isFailing, host]),
    rest: `on conflict (channel_id, bucket) do update set next_due_at = excluded.next_due_at
      where q.next_due_at > excluded.next_due_at`,
  });
}

/** Only of these reviews can a channel hear more. */
export function listAnnounced(
  deliveries: readonly NewDelivery[],
): { channelId: string; reviewId: string }[] {
  return deliveries.flatMap(({ event, channelId, reviewId }) =>
    event === "review.created" && reviewId !== null ? [{ channelId, reviewId }] : [],
  );
}

/**
 * No lock: `for key share` would be taken on every server. What meets a deletion is found by `repairQueue`.
 * No delivery is due later than the database's own time: a clock that is ahead must not hold it back.
 */
async function findTargets(
  db: Db,
  { bucket, channelIds, now }: { bucket: number; channelIds: readonly string[]; now: Date | null },
): Promise<Map<string, Target>> {
  const found = await queryRows<Target>(
    db,
    "findQueueTargets",
    `select c.id, c.host, ${isFailing("c.id", "$2")} as "isFailing",
       date_trunc('milliseconds', least($3::timestamptz, statement_timestamp())) as "queuedAt"
     from channels c where c.id = any($1::uuid[])`,
    [channelIds, bucket, now],
  );
  return new Map(found.map((target) => [target.id, target]));
}

async function insertDeliveries(db: Db, { bucket, deliveries, now }: Queue): Promise<string[]> {
  const rows = deliveries.map((one) => [
    ...[one.id, one.channelId, one.workspaceId, one.appId, one.reviewId, one.event, one.body],
    ...[one.isTest, one.filterable?.rating ?? null, one.filterable?.topics ?? null, now],
  ]);
  const inserted = await insertValues(db, {
    into: `deliveries (bucket, id, channel_id, workspace_id, app_id, review_id, event, body,
      is_test, rating, topics, created_at)`,
    bucket,
    rows,
    rest: "on conflict do nothing returning id",
  });
  return inserted.map(({ id }) => id);
}

/** Rows without their bucket, which is the first column. */
export async function insertValues(
  db: Db,
  insert: { into: string; bucket: number; rows: readonly (readonly unknown[])[]; rest?: string },
): Promise<{ id: string }[]> {
  const { into, bucket, rows, rest = "on conflict do nothing" } = insert;
  if (rows.length === 0) return [];
  const { text, values } = writeInsert({ into, key: bucket, rows, rest });
  return queryRows(db, "", text, values);
}

/** Rows without their key, which is the first column. */
export function writeInsert(insert: {
  into: string;
  key: number | string;
  rows: readonly (readonly unknown[])[];
  rest: string;
}): { text: string; values: unknown[] } {
  const { into, key, rows, rest } = insert;
  const tuples = rows.map((row, index) => {
    const places = row.map((_, place) => `$${index * row.length + place + 2}`);
    return `($1, ${places.join(", ")})`;
  });
  const text = `insert into ${into} values ${tuples.join(", ")} ${rest}`;
  return { text, values: [key, ...rows.flatMap((row) => [...row])] };
}
