// Webhook channels: listed, made, changed, tried out, their secrets, and notices of those that are gone.
import { dayMs } from "../../lib/timestamp.ts";
import { recordAudit } from "../../use-cases/audit.ts";
import { rotateSecret, revealChannel } from "../../use-cases/channels/channel-secret.ts";
import { deleteChannel, testChannel } from "../../use-cases/channels/channels.ts";
import { createChannel, updateChannel } from "../../use-cases/channels/save-channel.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { channelChange, channelInput, channelFilters } from "./channel-fields.ts";
import { previewChannel } from "./channel-preview.ts";
import { getChannelView, listChannelViews, toRetiredChannelView } from "./channel-view.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";

const noticeMs = 30 * dayMs;

export const channelRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/channels", {
    access: "member",
    async answer({ deps, workspace }) {
      const channels = await listChannelViews(deps.database, workspace.id);
      return { channels, notices: (await listRetired(deps, workspace.id)).map(toRetiredChannelView) };
    },
  }),
  route("POST /workspaces/:workspace/channels", {
    access: "member",
    body: channelInput,
    async answer({ deps, actorContext: acting, workspace, body }) {
      const workspaceId = workspace.id;
      const { channel, secret, warning } = await createChannel(acting, { ...body, workspaceId });
      const shown = await getChannelView(deps.database, { id: channel.id, workspaceId });
      return { channel: shown, secret, warning };
    },
  }),
  route("POST /workspaces/:workspace/channels/preview", {
    access: "member",
    body: channelFilters,
    answer: ({ deps, workspace, body }) =>
      previewChannel(deps, { workspaceId: workspace.id, filters: body }),
  }),
  route("GET /workspaces/:workspace/channels/:channel", {
    access: "member",
    async answer({ deps, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { channel: await getChannelView(deps.database, wanted) };
    },
  }),
  route("PATCH /workspaces/:workspace/channels/:channel", {
    access: "member",
    body: channelChange,
    async answer({ deps, actorContext: acting, workspace, params, body }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      const change = withoutGaps(body);
      const { cancelledCount, warning } = await updateChannel(acting, { ...wanted, change });
      return { channel: await getChannelView(deps.database, wanted), cancelledCount, warning };
    },
  }),
  route("DELETE /workspaces/:workspace/channels/:channel", {
    access: "owner",
    async answer({ actorContext: acting, workspace, params }) {
      await deleteChannel(acting, { id: params.channel, workspaceId: workspace.id });
      return {};
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret", {
    access: "owner",
    async answer({ actorContext: acting, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { secret: (await revealChannel(acting, wanted)).secret };
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret/rotate", {
    access: "owner",
    async answer({ actorContext: acting, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { secret: (await rotateSecret(acting, wanted)).secret };
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/test", {
    access: "member",
    async answer({ deps, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { deliveryId: (await testChannel(deps, wanted)).deliveryId };
    },
  }),
  route("DELETE /workspaces/:workspace/notices/:notice", {
    access: "member",
    async answer({ deps, actorContext: acting, workspace, params }) {
      const workspaceId = workspace.id;
      const open = await listRetired(deps, workspaceId);
      const notice = open.find(({ id }) => id === params.notice);
      if (!notice) throw notFound("notice", params.notice);
      const act = { action: "notice.dismissed", subject: notice.id, workspaceId };
      await recordAudit(acting, deps.database, act);
      return {};
    },
  }),
];

function listRetired({ clock, database }: DashboardDeps, workspaceId: string) {
  const since = new Date(clock.now().getTime() - noticeMs);
  return database.listRetiredChannels({ workspaceId, since });
}

/** A field that is there and undefined is as good as left out. */
function withoutGaps<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  return asStated<T>(Object.fromEntries(stated));
}

// Only what is undefined was dropped.
function asStated<T>(stated: object): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return stated as { [K in keyof T]?: Exclude<T[K], undefined> };
}
