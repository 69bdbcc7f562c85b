// Channels: list, create, change, and notices of channels that were retired.

import { failField } from "../../domain/validation-errors.ts";
import { omit } from "../../lib/pick.ts";
import { addDays, dayMs, dayOf } from "../../lib/timestamp.ts";
import { changeChannel, createChannel, removeChannel } from "../../operations/channel.ts";
import { dismissNotice } from "../../operations/retired-notice.ts";
import { previewChannel } from "../../read/channels/channel-preview.ts";
import { listUnconfirmed } from "../../use-cases/channels/email-recipients.ts";
import { channelFilters, requestPreview } from "../contract/requests.ts";
import { type DashboardRoute, largeBodyBytesMax, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { getChannelView, listChannelViews, toRetiredChannelView } from "./channel-view.ts";

const noticeMs = 30 * dayMs;
const shownDays = 7;
const countedPerDayMax = 10_000;

export const channelRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/channels", {
    access: "member",
    async handle({ deps, workspaceId }) {
      const channels = await listChannelViews(deps.database, workspaceId);
      const notices = await listRetired(deps, workspaceId);
      return { channels, notices: notices.map(toRetiredChannelView) };
    },
  }),
  operate("POST /workspaces/:workspace/channels", createChannel, async (outcome) => {
    const { result, warning, secret = null } = outcome;
    return { channel: omit(result, ["workspaceId"]), secret, warning };
  }),
  route("POST /workspaces/:workspace/channels/preview", {
    access: "member",
    bodyBytesMax: largeBodyBytesMax,
    body: channelFilters,
    handle: ({ deps, workspaceId, body }) => previewChannel(deps, { workspaceId, filters: body }),
  }),
  route("POST /workspaces/:workspace/channels/request-preview", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: requestPreview,
    async handle({ deps, workspaceId, body: { request } }) {
      const preview = (sample: {
        event: "review.created" | "review.updated";
        id: string | null;
      }) => {
        const composed = deps.previewRequest(request, { ...sample, workspaceId });
        if (!composed?.body.ok) return failField("request", "can't be composed");
        const { method, path, body } = composed;
        return { method, path, body: JSON.stringify(body.value, null, 2) };
      };
      return {
        created: preview({ event: "review.created", id: null }),
        updated: request.update ? preview({ event: "review.updated", id: "1234" }) : null,
      };
    },
  }),
  route("GET /workspaces/:workspace/channels/:channel", {
    access: "member",
    async handle({ deps, workspaceId, subject, params }) {
      const channel = await getChannelView(deps.database, subject);
      const now = deps.clock.now();
      const toDay = dayOf(now);
      const fromDay = addDays(toDay, 1 - shownDays);
      const channelDays = { channelId: params.channel, workspaceId, fromDay, toDay };
      const [days, oldSecretEndsAt, nextSecret, unconfirmed] = await Promise.all([
        deps.database.countDeliveryDays({ ...channelDays, limit: countedPerDayMax }),
        deps.database.findOldSecretEnd({ id: params.channel, now }),
        deps.database.findNextSecret(params.channel),
        listUnconfirmed(deps.database, { ...channel, workspaceId }),
      ]);
      const hasNextSecret = nextSecret !== null;
      return { channel, days, oldSecretEndsAt, hasNextSecret, unconfirmed };
    },
  }),
  operate("PATCH /workspaces/:workspace/channels/:channel", changeChannel, async (outcome) => {
    const { cancelledCount, ...channel } = outcome.result;
    return { channel: omit(channel, ["workspaceId"]), cancelledCount, warning: outcome.warning };
  }),
  operate("DELETE /workspaces/:workspace/channels/:channel", removeChannel),
  operate("DELETE /workspaces/:workspace/notices/:notice", dismissNotice),
];

function listRetired({ clock, database }: DashboardDeps, workspaceId: string) {
  const since = new Date(clock.now().getTime() - noticeMs);
  return database.listRetiredChannels({ workspaceId, since });
}
