// The delivery log of a channel.
import type { Database } from "../../database/database.ts";
import {
  deliveryStatuses,
  type LoggedAttempt,
  type LoggedDelivery,
} from "../../domain/delivery.ts";
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
      answer: attempt.answer?.toString("utf8") ?? null,
    })),
  };
}
