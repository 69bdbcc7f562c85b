// The actions on channels and deliveries, and the delivery log of a channel.

import { z } from "zod";
import { parseJson } from "../../lib/json.ts";
import { channelActions, deliveryActions } from "../../operations/channel-actions.ts";
import { requireChannel } from "../../use-cases/channels/channels.ts";
import { findDelivery, listDeliveryPage } from "../../use-cases/channels/deliveries.ts";
import type { ListedDelivery } from "../contract/channels.ts";
import { deliveryPage } from "../contract/requests.ts";
import { type DashboardRoute, operateAll, route } from "../dashboard-route.ts";
import { toDeliveryDetailView, toDeliveryView } from "./channel-view.ts";

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

const headlineMax = 120;

/** The part of all payloads that the log shows; digests and alerts have no review. */
const payload = z.object({
  app: z.object({ name: z.string() }),
  review: z
    .object({
      rating: z.number(),
      title: z.string().nullable(),
      text: z.string(),
      country: z.string(),
    })
    .optional(),
});

/** null for a payload without a single app, and for one in an older format. */
export function readSubject(body: Buffer | undefined): ListedDelivery["subject"] {
  const parsed = payload.safeParse(parseJson(body?.toString("utf8") ?? ""));
  if (!parsed.success) return null;
  const { app, review } = parsed.data;
  return {
    appName: app.name,
    review: review
      ? {
          rating: review.rating,
          headline: (review.title || review.text).slice(0, headlineMax),
          country: review.country,
        }
      : null,
  };
}
