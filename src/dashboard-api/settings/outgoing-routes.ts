// Everything by which reviews leave the workspace.

import { describeDestination } from "../../domain/channel/channel-destination.ts";
import { keepChannel } from "../../operations/channel-actions.ts";
import { listMade, type Maker } from "../../use-cases/outgoing/makers.ts";
import { readerLists } from "../../use-cases/outgoing/readers.ts";
import type { OutgoingItem } from "../contract/outgoing.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { toJson } from "../show.ts";

export const outgoingRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/outgoing", {
    access: "member",
    handle: async ({ deps, workspaceId }) => ({ items: await listOutgoing(deps, workspaceId) }),
  }),
  operate("POST /workspaces/:workspace/channels/:channel/keep", keepChannel),
];

async function listOutgoing(
  { clock, database }: Pick<DashboardDeps, "clock" | "database">,
  workspaceId: string,
): Promise<OutgoingItem[]> {
  const now = clock.now();
  const [{ channels, keys }, deliveries, readers] = await Promise.all([
    listMade(database, workspaceId),
    database.listLastDeliveries({ workspaceId, channelId: null }),
    Promise.all(readerLists.map((list) => list(database, { workspaceId, now }))),
  ]);
  const sentAt = new Map(deliveries.map(({ channelId, createdAt }) => [channelId, createdAt]));
  return toJson([
    ...channels.map((channel) => ({
      kind: "channel",
      id: channel.id,
      name: channel.name,
      destination: describeDestination(channel),
      ...describeMaker(channel.maker),
      madeAt: channel.createdAt,
      usedAt: sentAt.get(channel.id) ?? null,
      endsAt: null,
      isPaused: channel.isPaused,
    })),
    ...keys
      .filter(({ endsAt }) => endsAt === null || endsAt > now)
      .map((key) => ({
        kind: "key",
        id: key.id,
        name: key.name,
        destination: `Programs with the key ${key.prefix}…, scope ${key.scope}`,
        ...describeMaker(key.maker),
        madeAt: key.createdAt,
        usedAt: key.lastUsedAt,
        endsAt: key.endsAt,
        isPaused: false,
      })),
    ...readers.flat().map((reader) => ({ ...reader, hasMakerLeft: false, isPaused: false })),
  ]);
}

function describeMaker(maker: Maker | null): Pick<OutgoingItem, "madeBy" | "hasMakerLeft"> {
  return { madeBy: maker?.name ?? null, hasMakerLeft: maker?.hasLeft ?? false };
}
