// Queues deliveries channel by channel: one that fails must not make the others wait, nor a workspace with many.
import type { Channel } from "../../domain/channel.ts";
import { forEachByOwner } from "../../lib/by-owner.ts";
import type { Container } from "../container.ts";

/** Returns how many were queued. The signal ends it after the current channel. */
export async function queueForChannels(
  { database, log }: Pick<Container, "database" | "log">,
  work: {
    channels: readonly Channel[];
    signal: AbortSignal;
    /** Returns how many it queued for the channel. */
    queue: (channel: Channel) => Promise<number>;
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
