// What a worker reads of the channels that it holds: the deliveries that are due, in the order in which they
// came due, with their bodies. Reading changes nothing: the worker remembers how far it has read.
import type { DueDelivery, DueLook, DueLookResult } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { isWanted } from "../read-models/delivery-filter.ts";
import { readBuckets } from "./delivery-buckets.ts";

/** Results are in the order of the looks of their bucket; a channel that is gone has none. */
export async function readDueDeliveries(
  db: Db,
  read: { looks: readonly DueLook[]; now: Date },
): Promise<DueLookResult[]> {
  const results: DueLookResult[] = [];
  for (const [bucket, looks] of (await readBuckets(db)).group(
    read.looks,
    ({ channelId }) => channelId,
  )) {
    const found = await queryRows<FoundRow>(db, "readDueDeliveries", readText, [
      bucket,
      read.now,
      toArrayText(looks.map(({ channelId }) => channelId)),
      toArrayText(looks.map(({ fresh }) => fresh.dueAt)),
      toArrayText(looks.map(({ fresh }) => fresh.id)),
      toArrayText(looks.map(({ retries }) => retries.dueAt)),
      toArrayText(looks.map(({ retries }) => retries.id)),
      toArrayText(looks.map(({ countMax }) => countMax)),
    ]);
    results.push(...groupByChannel(found));
  }
  return results;
}

// The body as base64, which is shorter than the driver's hexadecimal digits and four times as quick to read.
type FoundRow = Omit<DueDelivery, "id" | "body"> & { id: string | null; body: string };

const laneOf = (isRetry: boolean): string =>
  `(select id, is_retry, is_draft, due_at, queued_at, attempt_count, retry_count from pending
    where channel_id = r.channel_id and bucket = $1 and is_retry = ${isRetry} and due_at <= $2
      and due_at > '-infinity'
      and (due_at, id) > ${isRetry ? "(r.retry_due_at, r.retry_id)" : "(r.fresh_due_at, r.fresh_id)"}
    order by due_at, id limit r.count_max)`;

const laterIn = (isRetry: boolean): string =>
  `(select due_at from pending where channel_id = r.channel_id and bucket = $1
      and is_retry = ${isRetry} and due_at > $2 and due_at > '-infinity' order by due_at, id limit 1)`;

// The row without an id says when the next one is due. Each delivery is looked up by itself (`limit` keeps the
// planner from joining): a plan from when there were few would read all of them, and go on doing so. By channel
// and id, because in the partition of a new day every index with the id in it then is a good one.
const readText = `select r.channel_id as "channelId", h.id, h.is_retry as "isRetry",
    h.is_draft as "isDraft", h.due_at as "dueAt", h.queued_at as "queuedAt",
    h.attempt_count as "attemptCount", h.retry_count as "retryCount",
    d.event, encode(d.body, 'base64') as body, d.is_test as "isTest", ${isWanted} as "isWanted"
  from unnest($3::uuid[], $4::timestamptz[], $5::uuid[], $6::timestamptz[], $7::uuid[], $8::int[])
    as r (channel_id, fresh_due_at, fresh_id, retry_due_at, retry_id, count_max)
  join channels c on c.id = r.channel_id
  cross join lateral (
    ${laneOf(false)} union all ${laneOf(true)} union all
    (select null, null, null, least(${laterIn(false)}, ${laterIn(true)}), null, null, null)
  ) h
  left join lateral (
    select event, body, is_test, rating, topics, app_id from deliveries
    where channel_id = r.channel_id and id = h.id and bucket = $1 limit 1
  ) d on true`;

function groupByChannel(found: readonly FoundRow[]): DueLookResult[] {
  const results = new Map<string, DueLookResult>();
  for (const { id, body, ...row } of found) {
    const { channelId, dueAt } = row;
    const known = results.get(channelId) ?? { channelId, deliveries: [], nextDueAt: null };
    if (id === null) known.nextDueAt = dueAt;
    else known.deliveries.push({ id, body: Buffer.from(body, "base64"), ...row });
    results.set(channelId, known);
  }
  return [...results.values()];
}

/**
 * Ends the wait of drafts that have come due: from now on their bodies are frozen. A translation that comes at
 * the same moment has either been put in before or comes too late.
 */
export async function closeDrafts(
  db: Db,
  drafts: readonly Pick<DueDelivery, "id" | "channelId">[],
): Promise<void> {
  for (const [bucket, part] of (await readBuckets(db)).group(
    drafts,
    ({ channelId }) => channelId,
  )) {
    await execute(
      db,
      "closeDrafts",
      `update pending p set is_draft = false from unnest($2::uuid[], $3::uuid[]) g (channel_id, id)
       where p.bucket = $1 and p.channel_id = g.channel_id and p.id = g.id`,
      [bucket, part.map(({ channelId }) => channelId), part.map(({ id }) => id)],
    );
  }
}
