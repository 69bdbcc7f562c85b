// Existing channels of any type: found, listed, tested and deleted.
import type { Database } from "../../database/database.ts";
import type { Channel, ListedChannel } from "../../domain/channel.ts";
import type { NewDelivery } from "../../domain/delivery.ts";
import { assertId, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { requireScope } from "../members/workspaces.ts";

type Scope = { workspaceId: string | null };

/** @throws AppError `not_found` without such a workspace */
export async function listChannels(
  database: Pick<Database, "findWorkspace" | "listChannels">,
  scope: Scope,
): Promise<ListedChannel[]> {
  return database.listChannels(await requireScope(database, scope.workspaceId));
}

/** @throws AppError `invalid_input` when it is not an id, `not_found` without such a channel */
export async function requireChannel(
  database: Pick<Database, "findChannel">,
  query: Scope & { id: string; field?: string },
): Promise<ListedChannel> {
  assertId(query.field ?? "id", query.id);
  const channel = await database.findChannel({ id: query.id, workspaceId: query.workspaceId });
  if (!channel) throw notFound("channel", query.id);
  return channel;
}

/**
 * Queues a sample event, whatever the filters are; the service delivers it like any other.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function testChannel(
  deps: {
    database: Pick<Database, "findChannel" | "enqueueDeliveries" | "notify">;
    clock: Clock;
    composeTest: (channel: Channel) => NewDelivery;
  },
  query: Scope & { id: string },
): Promise<{ channelId: string; deliveryId: string; event: string }> {
  const channel = await requireChannel(deps.database, query);
  const delivery = deps.composeTest(channel);
  const now = deps.clock.now();
  const queuedCount = await deps.database.enqueueDeliveries({ deliveries: [delivery], now });
  if (queuedCount === 0) throw notFound("channel", channel.id);
  await deps.database.notify("deliveries");
  return { channelId: channel.id, deliveryId: delivery.id, event: delivery.event };
}

/**
 * Pending deliveries of the channel are deleted with it.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function deleteChannel(
  deps: ActDeps<"findChannel">,
  query: Scope & { id: string },
): Promise<ListedChannel> {
  const channel = await requireChannel(deps.database, query);
  const { id, name, url } = channel;
  await deps.database.transaction(async (tx) => {
    if (!(await tx.deleteChannel(id))) throw notFound("channel", id);
    await recordAudit(deps, tx, "channel.deleted", channel, { name, url });
  });
  return channel;
}
