// Actions on a channel beside changing it: a new secret, a test event, the log of its deliveries, redelivery.
import { z } from "zod";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/delivery.ts";
import { idSchema } from "../../domain/fields.ts";
import { wholeNumberText } from "../../domain/text-values.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { channelResource } from "../../operations/channel-resource.ts";
import type { ResourceDeps } from "../../operations/resource.ts";
import { inOneTransaction } from "../../operations/transaction-scope.ts";
import { recordAudit } from "../../use-cases/audit.ts";
import { rotateSecret } from "../../use-cases/channels/channel-secret.ts";
import { requireChannel, testChannel } from "../../use-cases/channels/channels.ts";
import { redeliverExpired, redeliverOne } from "../../use-cases/channels/deliveries.ts";
import { pageSizeMax } from "../parameters.ts";
import {
  type ManageAnswer,
  type ManageContext,
  type ManageRoute,
  manageRoute,
  secretSchema,
  writeQuery,
} from "./manage-route.ts";

export function channelActions(): ManageRoute[] {
  const queued = z.object({ queued: z.int() }).meta({ id: "Queued" });
  const post = { method: "post", status: 200, body: null, query: writeQuery } as const;
  const path = "/channels/{channel}";
  return [
    {
      ...post,
      path: `${path}/rotate-secret`,
      resource: channelResource,
      answer: z.object({ secret: secretSchema, oldSecretEndsAt: z.iso.datetime().nullable() }),
      operationId: "rotateChannelSecret",
      summary: "Give a webhook a new signing secret",
      description:
        "Deliveries are signed with it at once; until `oldSecretEndsAt`, `webhook-signature` carries the old one as well.",
      async handle({ deps, ...place }) {
        const { secret, oldSecretEndsAt } = await rotateSecret(deps, place);
        const endsAt = oldSecretEndsAt && formatTimestamp(oldSecretEndsAt);
        return { body: { secret, oldSecretEndsAt: endsAt } };
      },
    },
    {
      ...post,
      path: `${path}/test`,
      resource: channelResource,
      isSending: true,
      answer: z.object({ deliveryId: z.string() }),
      operationId: "testChannel",
      summary: "Send a test event to a channel",
      description: "A sample review with invented data, marked as a test.",
      handle: (context) =>
        recorded(context, "channel.tested", async (deps, { workspaceId, id }) => {
          const { deliveryId } = await testChannel(deps, { id, workspaceId });
          return { deliveryId };
        }),
    },
    {
      ...post,
      path: `${path}/redeliver-expired`,
      resource: channelResource,
      isSending: true,
      answer: queued,
      operationId: "redeliverExpired",
      summary: "Send all expired deliveries of a channel again",
      description: "They keep their ids and bodies.",
      handle: (context) =>
        recorded(context, "channel.expired_redelivered", (deps, { workspaceId, id: channelId }) =>
          redeliverExpired(deps, { channelId, workspaceId }),
        ),
    },
    {
      ...post,
      path: "/deliveries/{delivery}/redeliver",
      resource: null,
      isSending: true,
      answer: queued,
      operationId: "redeliver",
      summary: "Send a delivery again",
      description: "It keeps its id and body, whatever became of it before.",
      handle: (context) =>
        recorded(context, "delivery.redelivered", (deps, { workspaceId, id }) =>
          redeliverOne(deps, { id, workspaceId }),
        ),
    },
  ];
}

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

/** The delivery log of a channel. */
export const deliveryList = manageRoute({
  method: "get",
  status: 200,
  body: null,
  path: "/channels/{channel}/deliveries",
  resource: channelResource,
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

/** For use cases that leave the audit log to their caller. */
function recorded(
  { deps, workspaceId, id }: ManageContext,
  action: string,
  act: (
    deps: ResourceDeps,
    place: { workspaceId: string; id: string },
  ) => Promise<Record<string, unknown>>,
): Promise<ManageAnswer> {
  return inOneTransaction(deps.database, async (database) => {
    const body = await act({ ...deps, database }, { workspaceId, id });
    await recordAudit(deps, database, action, { id, workspaceId });
    return { body };
  });
}
