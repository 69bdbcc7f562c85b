// Links to one page, the page of a link, and everything that leaves the workspace.

import { describeDestination } from "../../domain/channel/channel-destination.ts";
import type { OutgoingItem } from "../../features/sharing/contract.ts";
import { createLink, endLink } from "../../features/sharing/operations.ts";
import { feedPathOf } from "../../features/sharing/view-feed.ts";
import { keepChannel } from "../../operations/channel-actions.ts";
import { listMade, type Maker } from "../../use-cases/outgoing/makers.ts";
import { readerLists } from "../../use-cases/outgoing/readers.ts";
import { linkToken, newLink } from "../contract/requests.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { toJson } from "../show.ts";

export const sharingRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/outgoing", {
    access: "member",
    handle: async ({ deps, workspaceId }) => ({ items: await listOutgoing(deps, workspaceId) }),
  }),
  operate(
    "POST /workspaces/:workspace/links",
    createLink,
    async ({ result: { kind }, secret: token = "" }) => ({
      // In the fragment: browsers send it neither to servers nor as a referrer. Feed readers send only a path.
      path: kind === "feed" ? feedPathOf(token) : `/shared#${token}`,
    }),
    {
      body: newLink,
      async toInput({ deps, workspaceId, body }) {
        const page = await deps.sharedPages.prepare({ workspaceId, input: body });
        return { ...page, kind: body.kind, days: body.days };
      },
    },
  ),
  operate("DELETE /workspaces/:workspace/links/:link", endLink),
  operate("POST /workspaces/:workspace/channels/:channel/keep", keepChannel),
  route("POST /shared", {
    access: "anyone",
    body: linkToken,
    handle: ({ deps, body }) => deps.sharedPages.open(body.token),
  }),
];

async function listOutgoing(
  { clock, database }: Pick<DashboardDeps, "clock" | "database">,
  workspaceId: string,
): Promise<OutgoingItem[]> {
  const now = clock.now();
  const [{ channels, keys }, links, deliveries, readers] = await Promise.all([
    listMade(database, workspaceId),
    database.listSharedLinks({ workspaceId, now }),
    database.listLastDeliveries({ workspaceId, channelId: null }),
    Promise.all(readerLists.map((list) => list(database, { workspaceId }))),
  ]);
  const sentAt = new Map(deliveries.map(({ channelId, createdAt }) => [channelId, createdAt]));
  return toJson([
    ...channels.map((channel) => ({
      kind: "channel" as const,
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
        kind: "key" as const,
        id: key.id,
        name: key.name,
        destination: `Programs with the key ${key.prefix}…, scope ${key.scope}`,
        ...describeMaker(key.maker),
        madeAt: key.createdAt,
        usedAt: key.lastUsedAt,
        endsAt: key.endsAt,
        isPaused: false,
      })),
    ...readers.flat().map((reader) => ({
      ...reader,
      ...describeMaker(null),
      usedAt: null,
      endsAt: null,
      isPaused: false,
    })),
    ...links.map(({ isFrozen, ...link }) => ({
      ...link,
      destination:
        link.kind === "feed"
          ? "Feed readers with the link"
          : `Everyone with the link: ${isFrozen ? "a frozen" : "the live"} page`,
      hasMakerLeft: false,
      isPaused: false,
    })),
  ]);
}

function describeMaker(maker: Maker | null): Pick<OutgoingItem, "madeBy" | "hasMakerLeft"> {
  return { madeBy: maker?.name ?? null, hasMakerLeft: maker?.hasLeft ?? false };
}
