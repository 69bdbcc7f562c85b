// The health of channels that fail; one that answers has no row. It is apart from the channel's row, which people change:
// it is written with every batch of failures, by the process that holds the channel.
import sql, { type Sql } from "sql-template-tag";
import type { FailingState } from "../../domain/channel/channel.ts";
import type { VersionedHealth } from "../../domain/channel/delivery.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { unnest } from "../sql.ts";

/** Whether the channel with the id in that place fails. */
export const isFailing = (channelId: Sql): Sql =>
  sql`exists (select from channel_health f where f.channel_id = ${channelId})`;

/** Adds since when and why each channel fails. A paused one sends nothing, so it does not fail. */
export async function addHealths<C extends { id: string; isPaused: boolean }>(
  db: Db,
  channels: readonly C[],
): Promise<(C & FailingState)[]> {
  const ids = channels.filter(({ isPaused }) => !isPaused).map(({ id }) => id);
  const statement = sql`select channel_id as "channelId", failing_since as "failingSince",
      failing_reason as "failingReason"
    from channel_health where channel_id = any(${ids}::uuid[])`;
  type Found = FailingState & { channelId: string };
  const found = ids.length === 0 ? [] : await queryRows(db, "listHealths")<Found>(statement);
  const failing = new Map(found.map(({ channelId, ...state }) => [channelId, state]));
  const answers: FailingState = { failingSince: null, failingReason: null };
  return channels.map((channel) => ({ ...channel, ...(failing.get(channel.id) ?? answers) }));
}

/**
 * For a transaction that has locked the channels' rows of the queue: a deletion of one waits, and finds its health
 * afterwards. A failure is not saved of a channel that has another version by now: it is retried as the channel is now.
 */
export async function saveHealths(db: Db, healths: readonly VersionedHealth[]): Promise<void> {
  if (healths.length === 0) return;
  const rows = unnest("g", healths, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    failing_since: ["timestamptz", ({ failingSince }) => failingSince],
    failing_reason: ["text", ({ failingReason }) => failingReason],
    timeout_count: ["int", ({ timeoutCount }) => timeoutCount],
    version: ["bigint", ({ version }) => version],
  });
  await execute(db, "saveHealths")`with given as materialized (
      select g.* from ${rows} cross join lateral (select version from channels where id = g.channel_id limit 1) c
      where g.failing_since is null or g.version = c.version
    ),
    healed as (
      delete from channel_health h using given g
      where h.channel_id = g.channel_id and g.failing_since is null
    )
    insert into channel_health (channel_id, failing_since, failing_reason, timeout_count)
    select channel_id, failing_since, failing_reason, timeout_count from given
    where failing_since is not null
    on conflict (channel_id) do update set failing_since = excluded.failing_since,
      failing_reason = excluded.failing_reason, timeout_count = excluded.timeout_count`;
}
