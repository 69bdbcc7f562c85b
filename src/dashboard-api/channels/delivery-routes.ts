// The actions on channels and deliveries, and the delivery log of a channel.
import { channelActions, deliveryActions } from "../../operations/channel-actions.ts";
import { requireChannel } from "../../use-cases/channels/channels.ts";
import { findDelivery, listDeliveryPage } from "../../use-cases/channels/deliveries.ts";
import { deliveryPage } from "../contract/requests.ts";
import { type DashboardRoute, operateAll, route } from "../dashboard-route.ts";
import { toDeliveryDetailView, toDeliveryView } from "./channel-view.ts";
import { readSubject } from "./delivery-subject.ts";

const pageSizeDefault = 30;

export const deliveryRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/channels/:channel/deliveries", {
    access: "member",
    query: deliveryPage,
    async handle({ deps, workspaceId, subject, query }) {
      const { id: channelId } = await requireChannel(deps.database, subject);
      const { limit = pageSizeDefault } = query;
      const page = { channelId, workspaceId, ...query, limit };
      const { deliveries, nextBefore } = await listDeliveryPage(deps.database, page);
      const ids = deliveries.map(({ id }) => id);
      const sent = await deps.database.listDeliveryBodies({ channelId, workspaceId, ids });
      const bodies = new Map(sent.map(({ id, body }) => [id, body]));
      return {
        deliveries: deliveries.map((delivery) => ({
          ...toDeliveryView(delivery),
          subject: readSubject(bodies.get(delivery.id)),
        })),
        nextBefore,
      };
    },
  }),
  ...operateAll("/workspaces/:workspace/channels/:channel", channelActions),
  route("GET /workspaces/:workspace/deliveries/:delivery", {
    access: "member",
    async handle({ deps, subject }) {
      return { delivery: toDeliveryDetailView(await findDelivery(deps.database, subject)) };
    },
  }),
  ...operateAll("/workspaces/:workspace/deliveries/:delivery", deliveryActions),
];
