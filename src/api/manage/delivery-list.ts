// The delivery log of a channel.
import { z } from "zod";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/delivery.ts";
import { idSchema } from "../../domain/fields.ts";
import { wholeNumberText } from "../../domain/text-values.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { channelNoun } from "../../operations/channel.ts";
import { requireChannel } from "../../use-cases/channels/channels.ts";
import { pageSizeMax } from "../parameters.ts";
import { manageRoute } from "./manage-route.ts";

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

export const deliveryList = manageRoute({
  method: "get",
  status: 200,
  body: null,
  path: "/channels/{channel}/deliveries",
  thing: channelNoun,
  query: deliveriesQuery,
  answer: z.object({ deliveries: z.array(loggedDelivery), nextBefore: z.string().nullable() }),
  operationId: "listDeliveries",
  summary: "List what was sent to a channel",
  description: "The newest first. Pass `nextBefore` as `before` for the next page.",
  async handle({ deps, workspaceId, id, query }) {
    const { status = null, before: beforeId = null, limit } = query;
    const { id: channelId } = await requireChannel(deps.database, { id, workspaceId });
    // One more than the page shows whether there is a next one.
    const page = { channelId, workspaceId, status, beforeId, limit: limit + 1 };
    const found = await deps.database.listDeliveries(page);
    const deliveries = found.slice(0, limit);
    const nextBefore = found.length > limit ? (deliveries.at(-1)?.id ?? null) : null;
    return { body: { deliveries: deliveries.map(toDelivery), nextBefore } };
  },
});

function toDelivery(delivery: LoggedDelivery): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(delivery).map(([name, value]) => [
      name,
      value instanceof Date ? formatTimestamp(value) : value,
    ]),
  );
}
