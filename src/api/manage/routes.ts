// The routes by which programs set up a workspace: those of the table of operations, deliveries, and those of features. A new
// one has all that write-handler.ts promises.

import { z } from "zod";
import { deliveryStatuses } from "../../domain/channel/delivery.ts";
import { idSchema } from "../../domain/fields.ts";
import { wholeNumberText } from "../../domain/text-values.ts";
import { lazy } from "../../lib/lazy.ts";
import { formatDates } from "../../lib/timestamp.ts";
import { channelNoun } from "../../operations/channel.ts";
import { nouns } from "../../operations/operations.ts";
import { requireChannel } from "../../use-cases/channels/channels.ts";
import { listDeliveryPage } from "../../use-cases/channels/deliveries.ts";
import { pageSizeMax } from "../parameters.ts";
import { type ManageRoute, manageRoute } from "./manage-route.ts";
import { routesOfNoun } from "./operation-routes.ts";

const pageSizeDefault = 30;
const deliveriesQuery = z.object({
  status: z.enum([...deliveryStatuses, "retrying"]).optional(),
  before: idSchema.optional().meta({ format: "uuid" }),
  limit: wholeNumberText({ min: 1, max: pageSizeMax }).default(pageSizeDefault),
});

const loggedDelivery = z
  .object({
    id: z.string(),
    channelId: z.string(),
    appId: z.string().nullable(),
    reviewId: z.string().nullable(),
    event: z.string(),
    isTest: z.boolean(),
    status: z.enum(deliveryStatuses),
    createdAt: z.iso.datetime(),
    dueAt: z.iso.datetime().describe("The next attempt of a pending delivery."),
    attemptCount: z.int(),
    finishedAt: z.iso.datetime().nullable(),
    lastStatus: z.int().nullable().describe("HTTP status of the last attempt."),
    lastReason: z.string().nullable().describe("Why the last attempt failed."),
  })
  .meta({ id: "LoggedDelivery" });

const deliveryList = manageRoute({
  method: "get",
  status: 200,
  body: null,
  path: "/channels/{channel}/deliveries",
  resource: channelNoun,
  query: deliveriesQuery,
  answer: z.object({ deliveries: z.array(loggedDelivery), nextBefore: z.string().nullable() }),
  operationId: "listDeliveries",
  summary: "List what was sent to a channel",
  description: "The newest first. Pass `nextBefore` as `before` for the next page.",
  async handle({ deps, workspaceId, id, query }) {
    const { id: channelId } = await requireChannel(deps.database, { id, workspaceId });
    const page = await listDeliveryPage(deps.database, { channelId, workspaceId, ...query });
    return { body: { ...page, deliveries: page.deliveries.map(formatDates) } };
  },
});

/** Beside those of operations: a table, features add theirs. */
export const furtherRoutes: ManageRoute[] = [deliveryList];

/** Those of features included. */
export const manageRoutes = lazy((): readonly ManageRoute[] => [
  ...nouns.flatMap(routesOfNoun),
  ...furtherRoutes,
]);
