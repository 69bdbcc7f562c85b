// Webhook channels that are there: found, listed, tested and deleted.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel.ts";
import type { NewDelivery } from "../../domain/delivery.ts";
import { assertId, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit } from "../audit.ts";
import { requireScope } from "../members/workspaces.ts";

type Scope = { workspaceId: string | null };

export async function listChannels(
  database: Pick<Database, "findWorkspace" | "listChannels">,
  scope: Scope,
): Promise<Channel[]> {
  return database.listChannels(await requireScope(database, scope.workspaceId));
}

export async function requireChannel(
  database: Pick<Database, "findChannel">,
  wanted: Scope & { id: string; field?: string },
): Promise<Channel> {
  assertId(wanted.field ?? "id", wanted.id);
  const channel = await database.findChannel({ id: wanted.id, workspaceId: wanted.workspaceId });
  if (!channel) throw notFound("channel", wanted.id);
  return channel;
}

/** Queues a sample event, whatever the filters say; the service delivers it like any other. */
export async function testChannel(
  deps: {
    database: Pick<Database, "findChannel" | "enqueueDeliveries" | "notify">;
    clock: Clock;
    composeTest: (channel: Channel) => NewDelivery;
  },
  wanted: Scope & { id: string },
): Promise<{ channelId: string; deliveryId: string; event: string }> {
  const channel = await requireChannel(deps.database, wanted);
  const delivery = deps.composeTest(channel);
  const now = deps.clock.now();
  const queuedCount = await deps.database.enqueueDeliveries({ deliveries: [delivery], now });
  if (queuedCount === 0) throw notFound("channel", channel.id);
  await deps.database.notify("deliveries");
  return { channelId: channel.id, deliveryId: delivery.id, event: delivery.event };
}

/** Everything that waits for the channel goes with it. */
export async function deleteChannel(
  deps: { clock: Clock; database: Pick<Database, "findChannel" | "transaction">; actor: string },
  wanted: Scope & { id: string },
): Promise<Channel> {
  const channel = await requireChannel(deps.database, wanted);
  const { id, workspaceId, name, url } = channel;
  await deps.database.transaction(async (tx) => {
    if (!(await tx.deleteChannel(id))) throw notFound("channel", id);
    const act = { action: "channel.deleted", subject: id, workspaceId };
    await recordAudit(deps, tx, { ...act, detail: { name, url } });
  });
  return channel;
}
