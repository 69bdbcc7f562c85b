// The health of a channel as other statements read it.
import sql, { type Sql } from "sql-template-tag";
import type { FailingState } from "../../domain/channel.ts";
import { type Db, queryRows } from "../query.ts";
import type { Parameter } from "../sql.ts";
import { toArrayText } from "../values.ts";
import { readBuckets } from "./buckets.ts";

/** For a statement with the channel's id and its bucket in these places. */
export const isFailing = (channelId: Sql, bucket: Parameter): Sql =>
  sql`exists (select from channel_health f where f.channel_id = ${channelId} and f.bucket = ${bucket})`;

/** Each channel with how it does. */
export async function addHealths<C extends { id: string }>(
  db: Db,
  channels: readonly C[],
): Promise<(C & FailingState)[]> {
  const failing = new Map<string, FailingState>();
  for (const [bucket, part] of (await readBuckets(db)).group(channels, ({ id }) => id)) {
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
