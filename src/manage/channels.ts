// Webhook channels that are there: found, listed, tested and deleted.
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { Channel } from "../reviews/channel.ts";
import type { NewDelivery } from "../reviews/delivery.ts";
import { recordAct } from "./audit.ts";
import { notFound, refuseNoId } from "./refusal.ts";
import { checkScope } from "./workspaces.ts";

type Scope = { workspaceId: string | null };

export async function listChannels(
  keep: Pick<Keep, "findWorkspace" | "listChannels">,
  scope: Scope,
): Promise<Channel[]> {
  return keep.listChannels(await checkScope(keep, scope.workspaceId));
}

export async function requireChannel(
  keep: Pick<Keep, "findChannel">,
  wanted: Scope & { id: string; field?: string },
): Promise<Channel> {
  refuseNoId(wanted.field ?? "id", wanted.id);
  const channel = await keep.findChannel({ id: wanted.id, workspaceId: wanted.workspaceId });
  if (!channel) throw notFound("channel", wanted.id);
  return channel;
}

/** Queues a sample event, whatever the filters say; the service delivers it like any other. */
export async function testChannel(
  rooms: {
    keep: Pick<Keep, "findChannel" | "queueDeliveries" | "notify">;
    clock: Clock;
    composeTest: (channel: Channel) => NewDelivery;
  },
  wanted: Scope & { id: string },
): Promise<{ channelId: string; deliveryId: string; event: string }> {
  const channel = await requireChannel(rooms.keep, wanted);
  const delivery = rooms.composeTest(channel);
  const now = rooms.clock.now();
  const queuedCount = await rooms.keep.queueDeliveries({ deliveries: [delivery], now });
  if (queuedCount === 0) throw notFound("channel", channel.id);
  await rooms.keep.notify("deliveries");
  return { channelId: channel.id, deliveryId: delivery.id, event: delivery.event };
}

/** Everything that waits for the channel goes with it. */
export async function deleteChannel(
  rooms: { clock: Clock; keep: Pick<Keep, "findChannel" | "transaction">; actor: string },
  wanted: Scope & { id: string },
): Promise<Channel> {
  const channel = await requireChannel(rooms.keep, wanted);
  const { id, workspaceId, name, url } = channel;
  await rooms.keep.transaction(async (tx) => {
    if (!(await tx.deleteChannel(id))) throw notFound("channel", id);
    const act = { action: "channel.deleted", subject: id, workspaceId };
    await recordAct(rooms, tx, { ...act, detail: { name, url } });
  });
  return channel;
}
