// Webhook channels: listed, made, changed, tried out, their secrets, and notices of those that are gone.
import { dayMs } from "../../lib/timestamp.ts";
import { recordAct } from "../../use-cases/audit.ts";
import { rotateSecret, showChannel } from "../../use-cases/channels/channel-secret.ts";
import { deleteChannel, testChannel } from "../../use-cases/channels/channels.ts";
import { createChannel, updateChannel } from "../../use-cases/channels/save-channel.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { channelChange, channelChoice, channelFilters } from "./channel-fields.ts";
import { previewChannel } from "./channel-preview.ts";
import { showChannelAgain, showChannels, showRetired } from "./channel-view.ts";
import { type ConsoleRoute, route } from "../dashboard-route.ts";
import type { ConsoleRooms } from "../deps.ts";

const noticeMs = 30 * dayMs;

export const channelRoutes: readonly ConsoleRoute[] = [
  route("GET /workspaces/:workspace/channels", {
    admits: "member",
    async answer({ deps, workspace }) {
      const channels = await showChannels(deps.database, workspace.id);
      return { channels, notices: (await listRetired(deps, workspace.id)).map(showRetired) };
    },
  }),
  route("POST /workspaces/:workspace/channels", {
    admits: "member",
    body: channelChoice,
    async answer({ deps, acting, workspace, body }) {
      const workspaceId = workspace.id;
      const { channel, secret, warning } = await createChannel(acting, { ...body, workspaceId });
      const shown = await showChannelAgain(deps.database, { id: channel.id, workspaceId });
      return { channel: shown, secret, warning };
    },
  }),
  route("POST /workspaces/:workspace/channels/preview", {
    admits: "member",
    body: channelFilters,
    answer: ({ deps, workspace, body }) =>
      previewChannel(deps, { workspaceId: workspace.id, filters: body }),
  }),
  route("GET /workspaces/:workspace/channels/:channel", {
    admits: "member",
    async answer({ deps, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { channel: await showChannelAgain(deps.database, wanted) };
    },
  }),
  route("PATCH /workspaces/:workspace/channels/:channel", {
    admits: "member",
    body: channelChange,
    async answer({ deps, acting, workspace, params, body }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      const change = withoutGaps(body);
      const { cancelledCount, warning } = await updateChannel(acting, { ...wanted, change });
      return { channel: await showChannelAgain(deps.database, wanted), cancelledCount, warning };
    },
  }),
  route("DELETE /workspaces/:workspace/channels/:channel", {
    admits: "owner",
    async answer({ acting, workspace, params }) {
      await deleteChannel(acting, { id: params.channel, workspaceId: workspace.id });
      return {};
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret", {
    admits: "owner",
    async answer({ acting, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { secret: (await showChannel(acting, wanted)).secret };
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret/rotate", {
    admits: "owner",
    async answer({ acting, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { secret: (await rotateSecret(acting, wanted)).secret };
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/test", {
    admits: "member",
    async answer({ deps, workspace, params }) {
      const wanted = { id: params.channel, workspaceId: workspace.id };
      return { deliveryId: (await testChannel(deps, wanted)).deliveryId };
    },
  }),
  route("DELETE /workspaces/:workspace/notices/:notice", {
    admits: "member",
    async answer({ deps, acting, workspace, params }) {
      const workspaceId = workspace.id;
      const open = await listRetired(deps, workspaceId);
      const notice = open.find(({ id }) => id === params.notice);
      if (!notice) throw notFound("notice", params.notice);
      const act = { action: "notice.dismissed", subject: notice.id, workspaceId };
      await recordAct(acting, deps.database, act);
      return {};
    },
  }),
];

function listRetired({ clock, database }: ConsoleRooms, workspaceId: string) {
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
