// The delivery log of a channel: paged, looked at, sent again.
import { z } from "zod";
import { requireChannel } from "../manage/channels.ts";
import {
  showDelivery as findDelivery,
  redeliverExpired,
  redeliverOne,
} from "../manage/deliveries.ts";
import { deliveryStatuses } from "../reviews/delivery.ts";
import { type ConsoleRoute, route } from "./console-route.ts";
import { id, wholeNumber } from "./fields.ts";
import { showDelivery, showDeliveryDetail } from "./shown-channel.ts";

const pageSizeDefault = 30;
const pageSizeMax = 100;

export const deliveryRoutes: readonly ConsoleRoute[] = [
  route("GET /workspaces/:workspace/channels/:channel/deliveries", {
    admits: "member",
    query: z.strictObject({
      status: z.enum(deliveryStatuses).optional(),
      before: id.optional(),
      limit: wholeNumber({ min: 1, max: pageSizeMax }).optional(),
    }),
    async answer({ rooms, workspace, params, query }) {
      const workspaceId = workspace.id;
      const { id: channelId } = await requireChannel(rooms.keep, {
        id: params.channel,
        workspaceId,
      });
      const { status = null, before: beforeId = null, limit = pageSizeDefault } = query;
      // One more than the page tells whether there is a next one.
      const wanted = { channelId, workspaceId, status, beforeId, limit: limit + 1 };
      const found = await rooms.keep.listDeliveries(wanted);
      const shown = found.slice(0, limit);
      const nextBefore = found.length > limit ? (shown.at(-1)?.id ?? null) : null;
      return { deliveries: shown.map(showDelivery), nextBefore };
    },
  }),
  route("POST /workspaces/:workspace/channels/:channel/redeliver-expired", {
    admits: "member",
    answer: ({ rooms, workspace, params }) =>
      redeliverExpired(rooms, { channelId: params.channel, workspaceId: workspace.id }),
  }),
  route("GET /workspaces/:workspace/deliveries/:delivery", {
    admits: "member",
    async answer({ rooms, workspace, params }) {
      const wanted = { id: params.delivery, workspaceId: workspace.id };
      return { delivery: showDeliveryDetail(await findDelivery(rooms.keep, wanted)) };
    },
  }),
  route("POST /workspaces/:workspace/deliveries/:delivery/redeliver", {
    admits: "member",
    answer: ({ rooms, workspace, params }) =>
      redeliverOne(rooms, { id: params.delivery, workspaceId: workspace.id }),
  }),
];
