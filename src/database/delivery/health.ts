// The health of channels that fail; one that answers has no row. It is beside the queue and not in the channel's row:
// configuration is the same on every server of a cluster, so writing it costs a commit on all of them.
import type { ChannelHealth } from "../../domain/delivery.ts";
import { type Db, queryRows } from "../query.ts";
import { toArrayText } from "../values.ts";
import { readBuckets } from "./buckets.ts";

/**
 * Saves the health of channels that the worker holds. Returns those that were saved: channels that are locked right
 * now, or that another worker holds, are not.
 */
export async function saveHealths(
  db: Db,
  save: { workerId: number; healths: readonly ChannelHealth[] },
): Promise<string[]> {
  const saved: string[] = [];
  const { group } = await readBuckets(db);
  for (const [bucket, healths] of group(save.healths, (one) => one.channelId)) {
    const found = await queryRows<{ channelId: string }>(db, "saveHealths", saveText, [
      bucket,
      save.workerId,
      toArrayText(healths.map(({ channelId }) => channelId)),
      toArrayText(healths.map(({ failingSince }) => failingSince)),
      healths.map(({ failingReason }) => failingReason),
      toArrayText(healths.map(({ timeoutCount }) => timeoutCount)),
    ]);
    saved.push(...found.map(({ channelId }) => channelId));
  }
  return saved;
}

// The row of the queue is locked: a deletion of the channel waits, and finds the health afterwards.
const saveText = `with mine as materialized (
    select channel_id from channel_queue
    where bucket = $1 and lease_owner = $2 and channel_id = any($3::uuid[])
    order by channel_id for key share skip locked
  ),
  given as materialized (
    select g.* from unnest($3::uuid[], $4::timestamptz[], $5::text[], $6::int[])
      as g (channel_id, failing_since, failing_reason, timeout_count)
    join mine m on m.channel_id = g.channel_id
  ),
  healed as (
    delete from channel_health h using given g
    where h.bucket = $1 and h.channel_id = g.channel_id and g.failing_since is null
  ),
  failing as (
    insert into channel_health (bucket, channel_id, failing_since, failing_reason, timeout_count)
    select $1, channel_id, failing_since, failing_reason, timeout_count from given
    where failing_since is not null
    on conflict (channel_id, bucket) do update set failing_since = excluded.failing_since,
      failing_reason = excluded.failing_reason, timeout_count = excluded.timeout_count
  )
  select channel_id as "channelId" from given`;
