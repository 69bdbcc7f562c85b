// The delivery log of a channel, and sending deliveries again.
import type { Database } from "../../database/database.ts";
import {
  deliveryStatuses,
  type LoggedAttempt,
  type LoggedDelivery,
} from "../../domain/delivery.ts";
import { AppError } from "../../domain/error.ts";
import { assertId, failField, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
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

type DeliveriesDeps = {
  clock: Clock;
  database: Pick<Database, "findChannel" | "findDelivery" | "redeliver" | "notify">;
};

/**
 * Sends one delivery again, whatever its status, with the same body and id.
 *
 * @throws AppError `invalid_input`, `not_found`, or `conflict` while it is being sent
 */
export async function redeliverOne(
  deps: DeliveriesDeps,
  query: Scope & { id: string },
): Promise<{ queued: number }> {
  const { workspaceId } = query;
  const { id, status } = await findDelivery(deps.database, query);
  const result = await redeliver(deps, { id, workspaceId });
  if (result.queued > 0) return result;
  throw new AppError("conflict", `delivery ${id} is ${status} and being sent right now`);
}

/**
 * Sends all expired deliveries of a channel again.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function redeliverExpired(
  deps: DeliveriesDeps,
  { channelId: id, workspaceId }: Scope & { channelId: string },
): Promise<{ queued: number }> {
  const channel = await requireChannel(deps.database, { field: "channel", id, workspaceId });
  return redeliver(deps, { expiredOfChannelId: channel.id, workspaceId });
}

/**
 * Tries at once what failed and waits for its next attempt.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function retryNow(
  deps: DeliveriesDeps,
  { channelId: id, workspaceId }: Scope & { channelId: string },
): Promise<{ queued: number }> {
  const channel = await requireChannel(deps.database, { field: "channel", id, workspaceId });
  return redeliver(deps, { retryingOfChannelId: channel.id, workspaceId });
}

async function redeliver(
  { clock, database }: DeliveriesDeps,
  choice: Scope &
    ({ id: string } | { expiredOfChannelId: string } | { retryingOfChannelId: string }),
): Promise<{ queued: number }> {
  const queued = await database.redeliver({ ...choice, now: clock.now() });
  if (queued > 0) await database.notify("deliveries");
  return { queued };
}
