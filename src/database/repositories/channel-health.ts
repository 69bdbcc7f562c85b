// How channels do. A row says that a channel fails: those that answer have none. It stands beside the queue and not in
// the channel's row: configuration is the same on every server of a distributed PostgreSQL, so writing it is dear.
import type { ChannelHealth } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { withinTransaction } from "../transaction.ts";
import { readBuckets } from "./delivery-buckets.ts";
import { insertValues } from "./delivery-values.ts";

/**
 * Notes how channels do; their holder alone does so. Returns those that were noted: one that somebody deletes right
 * now is not.
 */
export async function saveHealths(db: Db, healths: readonly ChannelHealth[]): Promise<string[]> {
  const saved: string[] = [];
  const { group, isDistributed } = await readBuckets(db);
  const saveIn = isDistributed ? saveFailingValues : saveFailing;
  for (const [bucket, part] of group(healths, (one) => one.channelId)) {
    const failing = part.filter(({ failingSince }) => failingSince !== null);
    const answering = part.filter(({ failingSince }) => failingSince === null);
    if (failing.length > 0) saved.push(...(await saveIn(db, bucket, failing)));
    if (answering.length > 0) {
      const text = "delete from channel_health where bucket = $1 and channel_id = any($2::uuid[])";
      const ids = answering.map(({ channelId }) => channelId);
      await execute(db, "deleteHealths", text, [bucket, toArrayText(ids)]);
      saved.push(...ids);
    }
  }
  return saved;
}

async function saveFailing(
  db: Db,
  bucket: number,
  healths: readonly ChannelHealth[],
): Promise<string[]> {
  const saved = await queryRows<{ channelId: string }>(
    db,
    "saveHealths",
    `with free as (
       select id from channels where id = any($2::uuid[]) order by id for key share skip locked
     )
     insert into channel_health as h (bucket, channel_id, failing_since, failing_reason, timeout_count)
     select $1, g.id, g.failing_since, g.failing_reason, g.timeout_count
     from unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::int[])
       as g (id, failing_since, failing_reason, timeout_count)
     join free on free.id = g.id order by g.id
     on conflict (channel_id, bucket) do update set failing_since = excluded.failing_since,
       failing_reason = excluded.failing_reason, timeout_count = excluded.timeout_count
     returning h.channel_id as "channelId"`,
    [
      bucket,
      healths.map(({ channelId }) => channelId),
      healths.map(({ failingSince }) => failingSince),
      healths.map(({ failingReason }) => failingReason),
      healths.map(({ timeoutCount }) => timeoutCount),
    ],
  );
  return saved.map(({ channelId }) => channelId);
}

/**
 * On several servers, like `queueValues`. A lock on the channel would be on all of them; whoever deletes it deletes its row
 * of the queue, which is where the health is.
 */
function saveFailingValues(
  db: Db,
  bucket: number,
  healths: readonly ChannelHealth[],
): Promise<string[]> {
  return withinTransaction(db, async (tx) => {
    const found = await queryRows<{ id: string }>(
      tx,
      "lockQueuesOfChannels",
      `select channel_id as id from channel_queue where bucket = $1 and channel_id = any($2::uuid[])
       order by channel_id for key share skip locked`,
      [bucket, toArrayText(healths.map(({ channelId }) => channelId))],
    );
    const free = new Set(found.map(({ id }) => id));
    const saved = healths.filter(({ channelId }) => free.has(channelId));
    await insertValues(tx, {
      into: "channel_health (bucket, channel_id, failing_since, failing_reason, timeout_count)",
      bucket,
      rows: saved.map((health) => [
        ...[health.channelId, health.failingSince, health.failingReason, health.timeoutCount],
      ]),
      rest: `on conflict (channel_id, bucket) do update set failing_since = excluded.failing_since,
        failing_reason = excluded.failing_reason, timeout_count = excluded.timeout_count`,
    });
    return saved.map(({ channelId }) => channelId);
  });
}
