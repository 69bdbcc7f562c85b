// What a worker reads of the channels that it holds: the deliveries that are due, in the order in which they
// came due, with their bodies. Reading changes nothing: the worker remembers how far it has read.
import type { DueDelivery, DueLook, DueLookResult } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { inEachBucket, readBuckets } from "./delivery-buckets.ts";
import {
  type FoundRow,
  foundColumns,
  joinStored,
  pendingColumns,
  toDueDelivery,
} from "./due-delivery-sql.ts";

/** Results are in the order of the looks of their bucket; a channel that is gone has none. */
export async function readDueDeliveries(
  db: Db,
  read: { looks: readonly DueLook[]; now: Date },
): Promise<DueLookResult[]> {
  const groups = (await readBuckets(db)).group(read.looks, ({ channelId }) => channelId);
  const results = await inEachBucket(db, groups, async (bucket, looks) =>
    groupByChannel(
      await queryRows<FoundRow>(db, "readDueDeliveries", readText, [
        bucket,
        read.now,
        toArrayText(looks.map(({ channelId }) => channelId)),
        toArrayText(looks.map(({ fresh }) => fresh.dueAt)),
        toArrayText(looks.map(({ fresh }) => fresh.id)),
        toArrayText(looks.map(({ retries }) => retries.dueAt)),
        toArrayText(looks.map(({ retries }) => retries.id)),
        toArrayText(looks.map(({ countMax }) => countMax)),
      ]),
    ),
  );
  return results.flat();
}

const laneOf = (isRetry: boolean): string =>
  `(select ${pendingColumns} from pending
    where channel_id = r.channel_id and bucket = $1 and is_retry = ${isRetry} and due_at <= $2
      and due_at > '-infinity'
      and (due_at, id) > ${isRetry ? "(r.retry_due_at, r.retry_id)" : "(r.fresh_due_at, r.fresh_id)"}
    order by due_at, id limit r.count_max)`;

const laterIn = (isRetry: boolean): string =>
  `(select due_at from pending where channel_id = r.channel_id and bucket = $1
      and is_retry = ${isRetry} and due_at > $2 and due_at > '-infinity' order by due_at, id limit 1)`;

// The row without an id says when the next one is due.
const readText = `select r.channel_id as "channelId", ${foundColumns}
  from unnest($3::uuid[], $4::timestamptz[], $5::uuid[], $6::timestamptz[], $7::uuid[], $8::int[])
    as r (channel_id, fresh_due_at, fresh_id, retry_due_at, retry_id, count_max)
  join channels c on c.id = r.channel_id
  cross join lateral (
    ${laneOf(false)} union all ${laneOf(true)} union all
    (select null, null, null, least(${laterIn(false)}, ${laterIn(true)}), null, null, null)
  ) h ${joinStored("r.channel_id")}`;

function groupByChannel(found: readonly FoundRow[]): DueLookResult[] {
  const results = new Map<string, DueLookResult>();
  for (const row of found) {
    const { channelId } = row;
    let known = results.get(channelId);
    if (!known) {
      known = { channelId, deliveries: [], nextDueAt: null };
      results.set(channelId, known);
    }
    const delivery = toDueDelivery(row);
    if (delivery) known.deliveries.push(delivery);
    else if (row.id === null) known.nextDueAt = row.dueAt;
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
