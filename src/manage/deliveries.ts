// The delivery log of a channel: looked at, and sent again.
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import { deliveryStatuses, type LoggedDelivery } from "../reviews/delivery.ts";
import { AppError } from "../reviews/error.ts";
import { requireChannel } from "./channels.ts";
import { notFound, refuse, refuseNoId } from "./refusal.ts";

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
  keep: Pick<Keep, "findChannel" | "listDeliveries">,
  wanted: Scope & { channelId: string; status: string | null; limit: number },
): Promise<LoggedDelivery[]> {
  const { workspaceId, limit } = wanted;
  const status = deliveryStatuses.find((known) => known === wanted.status) ?? null;
  if (wanted.status !== null && status === null) {
    refuse("status", `must be one of ${deliveryStatuses.join(", ")}`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > listedMax) {
    refuse("limit", `must be a whole number from 1 to ${listedMax}`);
  }
  const channel = await requireChannel(keep, {
    field: "channel",
    id: wanted.channelId,
    workspaceId,
  });
  return keep.listDeliveries({
    channelId: channel.id,
    workspaceId,
    status,
    beforeId: null,
    limit,
  });
}

export async function showDelivery(
  keep: Pick<Keep, "findDelivery">,
  wanted: Scope & { id: string },
): Promise<ShownDelivery> {
  refuseNoId("id", wanted.id);
  const delivery = await keep.findDelivery(wanted);
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
  keep: Pick<Keep, "findChannel" | "findDelivery" | "redeliver" | "notify">;
};

/** Sends one delivery again, whatever became of it, with the same body and id. */
export async function redeliverOne(
  rooms: Rooms,
  wanted: Scope & { id: string },
): Promise<{ queued: number }> {
  const { id, status } = await showDelivery(rooms.keep, wanted);
  const now = rooms.clock.now();
  const { workspaceId } = wanted;
  const queued = await rooms.keep.redeliver({ id, workspaceId, now });
  if (queued === 0) {
    throw new AppError("conflict", `delivery ${id} is ${status} and being sent right now`);
  }
  await rooms.keep.notify("deliveries");
  return { queued };
}

/** Sends everything again that the channel's endpoint did not take in time. */
export async function redeliverExpired(
  rooms: Rooms,
  wanted: Scope & { channelId: string },
): Promise<{ queued: number }> {
  const { workspaceId } = wanted;
  const channel = await requireChannel(rooms.keep, {
    field: "channel",
    id: wanted.channelId,
    workspaceId,
  });
  const now = rooms.clock.now();
  const expiredOfChannelId = channel.id;
  const queued = await rooms.keep.redeliver({ expiredOfChannelId, workspaceId, now });
  if (queued > 0) await rooms.keep.notify("deliveries");
  return { queued };
}
