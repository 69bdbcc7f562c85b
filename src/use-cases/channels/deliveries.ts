// The delivery log of a channel: looked at, and sent again.
import type { Database } from "../../database/database.ts";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/delivery.ts";
import { AppError } from "../../domain/error.ts";
import { assertId, failField, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { requireChannel } from "./channels.ts";

type Scope = { workspaceId: string | null };

export type ShownDelivery = LoggedDelivery & {
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

const listedMax = 1_000;

/** Newest first. */
export async function listDeliveries(
  database: Pick<Database, "findChannel" | "listDeliveries">,
  wanted: Scope & { channelId: string; status: string | null; limit: number },
): Promise<LoggedDelivery[]> {
  const { workspaceId, limit } = wanted;
  const status = deliveryStatuses.find((known) => known === wanted.status) ?? null;
  if (wanted.status !== null && status === null) {
    failField("status", `must be one of ${deliveryStatuses.join(", ")}`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > listedMax) {
    failField("limit", `must be a whole number from 1 to ${listedMax}`);
  }
  const channel = await requireChannel(database, {
    field: "channel",
    id: wanted.channelId,
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

export async function showDelivery(
  database: Pick<Database, "findDelivery">,
  wanted: Scope & { id: string },
): Promise<ShownDelivery> {
  assertId("id", wanted.id);
  const delivery = await database.findDelivery(wanted);
  if (!delivery) throw notFound("delivery", wanted.id);
  return {
    ...delivery,
    body: delivery.body.toString("utf8"),
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      answer: attempt.answer?.toString("utf8") ?? null,
    })),
  };
}

type Rooms = {
  clock: Clock;
  database: Pick<Database, "findChannel" | "findDelivery" | "redeliver" | "notify">;
};

/** Sends one delivery again, whatever became of it, with the same body and id. */
export async function redeliverOne(
  deps: Rooms,
  wanted: Scope & { id: string },
): Promise<{ queued: number }> {
  const { id, status } = await showDelivery(deps.database, wanted);
  const now = deps.clock.now();
  const { workspaceId } = wanted;
  const queued = await deps.database.redeliver({ id, workspaceId, now });
  if (queued === 0) {
    throw new AppError("conflict", `delivery ${id} is ${status} and being sent right now`);
  }
  await deps.database.notify("deliveries");
  return { queued };
}

/** Sends everything again that the channel's endpoint did not take in time. */
export async function redeliverExpired(
  deps: Rooms,
  wanted: Scope & { channelId: string },
): Promise<{ queued: number }> {
  const { workspaceId } = wanted;
  const channel = await requireChannel(deps.database, {
    field: "channel",
    id: wanted.channelId,
    workspaceId,
  });
  const now = deps.clock.now();
  const expiredOfChannelId = channel.id;
  const queued = await deps.database.redeliver({ expiredOfChannelId, workspaceId, now });
  if (queued > 0) await deps.database.notify("deliveries");
  return { queued };
}
