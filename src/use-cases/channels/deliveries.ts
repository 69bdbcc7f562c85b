// The delivery log of a channel.
import type { Database } from "../../database/database.ts";
import {
  type DeliveryStatus,
  deliveryStatuses,
  type LoggedAttempt,
  type LoggedDelivery,
} from "../../domain/channel/delivery.ts";
import { cleanText } from "../../domain/clean-text.ts";
import { assertId, failField, notFound } from "../../domain/validation-errors.ts";
import { requireChannel } from "./channels.ts";

type Scope = { workspaceId: string | null };

export type DeliveryWithAttempts = LoggedDelivery & {
  /** Exactly what is signed and sent. */
  body: string;
  attempts: (Omit<LoggedAttempt, "answer"> & { answer: string | null })[];
};

const listMax = 1_000;

/**
 * Newest first.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function listDeliveries(
  database: Pick<Database, "findChannel" | "listDeliveries">,
  query: Scope & { channelId: string; status: string | null; limit: number },
): Promise<LoggedDelivery[]> {
  const { channelId: id, workspaceId, limit } = query;
  const status = deliveryStatuses.find((known) => known === query.status) ?? null;
  if (query.status !== null && status === null) {
    failField("status", `must be one of ${deliveryStatuses.join(", ")}`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > listMax) {
    failField("limit", `must be a whole number from 1 to ${listMax}`);
  }
  const { id: channelId } = await requireChannel(database, { field: "channel", id, workspaceId });
  return database.listDeliveries({ channelId, workspaceId, status, beforeId: null, limit });
}

/** One page of the log, newest first, and where the next one begins; null when there is none. */
export async function listDeliveryPage(
  database: Pick<Database, "listDeliveries">,
  query: {
    channelId: string;
    workspaceId: string;
    status?: DeliveryStatus | "retrying" | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<{ deliveries: LoggedDelivery[]; nextBefore: string | null }> {
  const { channelId, workspaceId, status = null, before: beforeId = null, limit } = query;
  // One more than the page shows whether there is a next one.
  const page = { channelId, workspaceId, status, beforeId, limit: limit + 1 };
  const found = await database.listDeliveries(page);
  const deliveries = found.slice(0, limit);
  const nextBefore = found.length > limit ? (deliveries.at(-1)?.id ?? null) : null;
  return { deliveries, nextBefore };
}

/** @throws AppError `invalid_input` or `not_found` */
export async function findDelivery(
  database: Pick<Database, "findDelivery">,
  query: Scope & { id: string },
): Promise<DeliveryWithAttempts> {
  assertId("id", query.id);
  const delivery = await database.findDelivery(query);
  if (!delivery) throw notFound("delivery", query.id);
  return {
    ...delivery,
    body: delivery.body.toString("utf8"),
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      answer: attempt.answer ? cleanText(attempt.answer.toString("utf8")) : null,
    })),
  };
}
