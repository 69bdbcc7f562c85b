// Webhook channels: list, create, change, test, their secrets, and notices of channels that were retired.

import type { ListedChannel } from "../../domain/channel.ts";
import { namesOtherDestination } from "../../domain/channel-destination.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { addDays, dayMs, dayOf } from "../../lib/timestamp.ts";
import {
  createNextSecret,
  endOldSecret,
  revealChannel,
  rotateSecret,
} from "../../use-cases/channels/channel-secret.ts";
import { deleteChannel, requireChannel, testChannel } from "../../use-cases/channels/channels.ts";
import {
  describeWaiting,
  inviteRecipients,
  listUnconfirmed,
} from "../../use-cases/channels/email-recipients.ts";
import { createChannel, updateChannel } from "../../use-cases/channels/save-channel.ts";
import { channelChange, channelFilters, newChannel, requestPreview } from "../contract/requests.ts";
import { type DashboardRoute, largeBodyBytesMax, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { assertRecentProof } from "../session/identity.ts";
import type { SignedInUser } from "../session/sessions.ts";
import { show } from "../show.ts";
import { previewChannel } from "./channel-preview.ts";
import { getChannelView, listChannelViews, toRetiredChannelView } from "./channel-view.ts";
import { sendingLimit } from "./delivery-routes.ts";

const noticeMs = 30 * dayMs;
const secretFields = ["secret", "nextSecret", "oldSecretEndsAt"] as const;
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
  route("POST /workspaces/:workspace/channels", {
    access: "member",
    limits: [{ perMinute: 30, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: newChannel,
    async handle({ deps, workspaceId, me, body }) {
      const created = await createChannel(deps, { ...body, workspaceId });
      const { channel, secret } = created;
      const warning = (await inviteAndWarn(deps, { channel, me })) ?? created.warning;
      const view = await getChannelView(deps.database, { id: channel.id, workspaceId });
      return { channel: view, secret, warning };
    },
  }),
  route("POST /workspaces/:workspace/channels/preview", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
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
  route("PATCH /workspaces/:workspace/channels/:channel", {
    access: "member",
    limits: [{ perMinute: 10, by: "channel" }],
    bodyBytesMax: largeBodyBytesMax,
    body: channelChange,
    async handle({ deps, workspace, subject, me, notices, body }) {
      const change = withoutUndefined(body);
      const before = await requireChannel(deps.database, subject);
      const isMoved = namesOtherDestination(before, change);
      // Signed events or a bot's messages would go to another recipient.
      if (isMoved) assertRecentProof(deps, me);
      const updated = await updateChannel(deps, { ...subject, change });
      const { channel, cancelledCount } = updated;
      const invited = body.to === undefined ? null : await inviteAndWarn(deps, { channel, me });
      const warning = invited ?? updated.warning;
      if (isMoved) {
        notices.owners(workspace, `changed where the channel "${before.name}" sends its messages`);
      }
      const view = await getChannelView(deps.database, subject);
      return { channel: view, cancelledCount, warning };
    },
  }),
  route("DELETE /workspaces/:workspace/channels/:channel", {
    access: "owner",
    isSensitive: true,
    async handle({ deps, subject }) {
      await deleteChannel(deps, subject);
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret", {
    access: "owner",
    isSensitive: true,
    async handle({ deps, subject }) {
      return show(await revealChannel(deps, subject), secretFields);
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret/rotate", {
    access: "owner",
    isSensitive: true,
    async handle({ deps, subject }) {
      const rotated = await rotateSecret(deps, subject);
      return show({ ...rotated, nextSecret: null }, secretFields);
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret/next", {
    access: "owner",
    isSensitive: true,
    async handle({ deps, subject }) {
      const created = await createNextSecret(deps, subject);
      return show(created, ["nextSecret"]);
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/secret/end-old", {
    access: "owner",
    async handle({ deps, subject }) {
      const ended = await endOldSecret(deps, subject);
      return show(ended, ["isEnded"]);
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/test", {
    access: "member",
    // Each is a request to a third-party server.
    limits: [{ perMinute: 10, by: "channel" }, sendingLimit],
    recordedAs: "channel.tested",
    async handle({ deps, subject }) {
      const queued = await testChannel(deps, subject);
      return show(queued, ["deliveryId"]);
    },
  }),
  route("DELETE /workspaces/:workspace/notices/:notice", {
    access: "member",
    recordedAs: "notice.dismissed",
    async handle({ deps, subject }) {
      const notices = await listRetired(deps, subject.workspaceId);
      if (!notices.some(({ id }) => id === subject.id)) throw notFound("notice", subject.id);
    },
  }),
];

async function inviteAndWarn(
  deps: DashboardDeps,
  { channel, me }: { channel: ListedChannel; me: SignedInUser },
): Promise<string | null> {
  const waiting = await inviteRecipients(deps, { channel, invitedBy: me.user.email });
  return describeWaiting(waiting, { canInvite: deps.sendMail !== null });
}

function listRetired({ clock, database }: DashboardDeps, workspaceId: string) {
  const since = new Date(clock.now().getTime() - noticeMs);
  return database.listRetiredChannels({ workspaceId, since });
}

// JSON holds no `undefined`: an optional field is absent or has its value.
function withoutUndefined<T extends object>(
  body: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return body as { [K in keyof T]?: Exclude<T[K], undefined> };
}
