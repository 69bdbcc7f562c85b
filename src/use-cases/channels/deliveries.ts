// The delivery log of a channel, and sending deliveries again.
import type { Database } from "../../database/database.ts";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/delivery.ts";
import { AppError } from "../../domain/error.ts";
import { assertId, failField, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { requireChannel } from "./channels.ts";

type Scope = { workspaceId: string | null };

export type DeliveryWithAttempts = LoggedDelivery & {
  /** Exactly what is signed and sent. */
  body: string;
  attempts: {
    number: number;
    startedAt: Date;
    durationMs: number;
    status: number | null;
    reason: string | null;
    /** The first 1 KB of the answer. */
    answer: string | null;
  }[];
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
  const { workspaceId, limit } = query;
  const status = deliveryStatuses.find((known) => known === query.status) ?? null;
  if (query.status !== null && status === null) {
    failField("status", `must be one of ${deliveryStatuses.join(", ")}`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > listMax) {
    failField("limit", `must be a whole number from 1 to ${listMax}`);
  }
  const channel = await requireChannel(database, {
    field: "channel",
    id: query.channelId,
    workspaceId,
  });
  return database.listDeliveries({
    channelId: channel.id,
    workspaceId,
    status,
    beforeId: null,
    limit,
  });
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

export type DeliveriesDeps = {
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
  const { id, status } = await findDelivery(deps.database, query);
  const now = deps.clock.now();
  const { workspaceId } = query;
  const queued = await deps.database.redeliver({ id, workspaceId, now });
  if (queued === 0) {
    throw new AppError("conflict", `delivery ${id} is ${status} and being sent right now`);
  }
  await deps.database.notify("deliveries");
  return { queued };
}

/**
 * Sends all expired deliveries of a channel again.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export function redeliverExpired(
  deps: DeliveriesDeps,
  query: Scope & { channelId: string },
): Promise<{ queued: number }> {
  return redeliverMany(deps, query, ({ id }) => ({ expiredOfChannelId: id }));
}

/**
 * Tries at once what failed and waits for its next attempt.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export function retryNow(
  deps: DeliveriesDeps,
  query: Scope & { channelId: string },
): Promise<{ queued: number }> {
  return redeliverMany(deps, query, ({ id }) => ({ retryingOfChannelId: id }));
}

async function redeliverMany(
  deps: DeliveriesDeps,
  query: Scope & { channelId: string },
  toChoice: (channel: {
    id: string;
  }) => { expiredOfChannelId: string } | { retryingOfChannelId: string },
): Promise<{ queued: number }> {
  const { workspaceId } = query;
  const channel = await requireChannel(deps.database, {
    field: "channel",
    id: query.channelId,
    workspaceId,
  });
  const now = deps.clock.now();
  const queued = await deps.database.redeliver({ ...toChoice(channel), workspaceId, now });
  if (queued > 0) await deps.database.notify("deliveries");
  return { queued };
}
