// The events queued for a channel, read as its worker reads them.
import type { Database } from "../../src/database/database.ts";
import type { Channel } from "../../src/domain/channel/channel.ts";
import { type ChannelEvent, channelEventSchema } from "../../src/domain/channel/channel-event.ts";

/** In the order in which they were queued, at most a hundred. */
export async function listQueuedEvents(
  database: Pick<Database, "listDeliveries" | "findDelivery">,
  { id: channelId, workspaceId }: Channel,
): Promise<ChannelEvent[]> {
  const query = { channelId, workspaceId, status: null, beforeId: null, limit: 100 };
  const events: ChannelEvent[] = [];
  for (const { id } of (await database.listDeliveries(query)).reverse()) {
    const delivery = await database.findDelivery({ id, workspaceId });
    events.push(channelEventSchema.parse(JSON.parse(String(delivery?.body))));
  }
  return events;
}
