// Queues deliveries channel by channel: one that fails must not make the others wait.
import type { Channel } from "../../domain/channel.ts";
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
  for (const channel of work.channels) {
    if (work.signal.aborted) break;
    try {
      queuedCount += await work.queue(channel);
    } catch (error) {
      log.error({ err: error, channelId: channel.id }, work.failure);
    }
  }
  if (queuedCount > 0) await database.notify("deliveries");
  return queuedCount;
}
