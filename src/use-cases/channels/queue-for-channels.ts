// Queues deliveries channel by channel: one that fails must not make the others wait, nor a workspace with many.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import { forEachByOwner } from "../../lib/by-owner.ts";
import type { Log } from "../../lib/log.ts";

/** Returns how many were queued. The signal ends it after the current channel. */
export async function queueForChannels<Chosen extends Channel>(
  { database, log }: { database: Pick<Database, "notify">; log: Log },
  work: {
    channels: readonly Chosen[];
    signal: AbortSignal;
    /** Returns how many it queued for the channel. */
    queue: (channel: Chosen) => Promise<number>;
    /** The log line when that fails. */
    failure: string;
  },
): Promise<number> {
  let queuedCount = 0;
  const workspaceOf = ({ workspaceId }: Channel): string => workspaceId;
  await forEachByOwner(work.channels, workspaceOf, async (channel) => {
    if (work.signal.aborted) return;
    try {
      const count = await work.queue(channel);
      queuedCount += count;
    } catch (error) {
      log.error({ err: error, channelId: channel.id }, work.failure);
    }
  });
  if (queuedCount > 0) await database.notify("deliveries");
  return queuedCount;
}
