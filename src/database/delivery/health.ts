// The health of channels that fail; one that answers has no row. It is beside the queue and not in the channel's row:
// configuration is the same on every server of a cluster, so writing it costs a commit on all of them.
import sql, { type Sql } from "sql-template-tag";
import type { FailingState } from "../../domain/channel.ts";
import type { ChannelHealth } from "../../domain/delivery.ts";
import { readBuckets } from "../cluster/buckets.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { type Parameter, parameter, unnest } from "../sql.ts";
import { toArrayText } from "../values.ts";

/** For a statement with the channel's id and its bucket in these places. */
export const isFailing = (channelId: Sql, bucket: Parameter): Sql =>
  sql`exists (select from channel_health f where f.channel_id = ${channelId} and f.bucket = ${bucket})`;

/** Each channel with how it does. A paused one sends nothing, so it does not fail. */
export async function addHealths<C extends { id: string; isPaused: boolean }>(
  db: Db,
  channels: readonly C[],
): Promise<(C & FailingState)[]> {
  const failing = new Map<string, FailingState>();
  const sending = channels.filter(({ isPaused }) => !isPaused);
  for (const [bucket, part] of (await readBuckets(db)).group(sending, ({ id }) => id)) {
    const statement = sql`select channel_id as "channelId", failing_since as "failingSince",
        failing_reason as "failingReason"
      from channel_health where bucket = ${bucket}
        and channel_id = any(${toArrayText(part.map(({ id }) => id))}::uuid[])`;
    const found = await queryRows<FailingState & { channelId: string }>(
      db,
      "listHealths",
      statement,
    );
    for (const { channelId, ...state } of found) failing.set(channelId, state);
  }
  const answers: FailingState = { failingSince: null, failingReason: null };
  return channels.map((channel) => ({ ...channel, ...(failing.get(channel.id) ?? answers) }));
}

/** For a transaction that has locked the channels: a deletion of one waits, and finds its health afterwards. */
export async function saveHealths(
  db: Db,
  save: { bucket: number; healths: readonly ChannelHealth[] },
): Promise<void> {
  if (save.healths.length === 0) return;
  const bucket = parameter(save.bucket);
  const rows = unnest("g", save.healths, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    failing_since: ["timestamptz", ({ failingSince }) => failingSince],
    failing_reason: ["text", ({ failingReason }) => failingReason],
    timeout_count: ["int", ({ timeoutCount }) => timeoutCount],
  });
  const statement = sql`with given as materialized (select * from ${rows}),
    healed as (
      delete from channel_health h using given g
      where h.bucket = ${bucket} and h.channel_id = g.channel_id and g.failing_since is null
    )
    insert into channel_health (bucket, channel_id, failing_since, failing_reason, timeout_count)
    select ${bucket}, channel_id, failing_since, failing_reason, timeout_count from given
    where failing_since is not null
    on conflict (channel_id, bucket) do update set failing_since = excluded.failing_since,
      failing_reason = excluded.failing_reason, timeout_count = excluded.timeout_count`;
  await execute(db, "saveHealths", statement);
}
