// Channels and deliveries as the Sources page shows them.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel.ts";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/delivery.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { ShownDelivery } from "../../use-cases/channels/deliveries.ts";
import type {
  Channel as ChannelView,
  Delivery,
  DeliveryDetail,
  RetiredChannel,
} from "../contract/channels.ts";

/** Of each channel: the log of a busy one is long, and nobody reads a count of thousands. */
const countedMax = 2_000;

export async function listChannelViews(
  database: Pick<Database, "countDeliveries" | "listChannels" | "listLastDeliveries">,
  workspaceId: string,
): Promise<ChannelView[]> {
  const channels = await database.listChannels({ workspaceId });
  const counts = await database.countDeliveries({ workspaceId, limit: countedMax });
  const last = await database.listLastDeliveries(workspaceId);
  return channels.map((channel) => {
    const newest = last.find(({ channelId }) => channelId === channel.id);
    const own = counts.filter(({ channelId }) => channelId === channel.id);
    const countOf = (status: string) => own.find((one) => one.status === status)?.count ?? 0;
    const [pending, delivered, expired, cancelled] = deliveryStatuses.map(countOf);
    return {
      ...toChannelView(channel),
      counts: {
        pending: pending ?? 0,
        delivered: delivered ?? 0,
        expired: expired ?? 0,
        cancelled: cancelled ?? 0,
      },
      lastDelivery: newest
        ? { id: newest.id, status: newest.status, createdAt: formatTimestamp(newest.createdAt) }
        : null,
    };
  });
}

export async function getChannelView(
  database: Parameters<typeof listChannelViews>[0],
  wanted: { id: string; workspaceId: string },
): Promise<ChannelView> {
  const found = (await listChannelViews(database, wanted.workspaceId)).find(
    ({ id }) => id === wanted.id,
  );
  if (!found) throw notFound("channel", wanted.id);
  return found;
}

function toChannelView(channel: Channel): Omit<ChannelView, "counts" | "lastDelivery"> {
  const { workspaceId: _, createdAt, failingSince, ...shown } = channel;
  return {
    ...shown,
    createdAt: formatTimestamp(createdAt),
    failingSince: failingSince && formatTimestamp(failingSince),
  };
}

export function toDeliveryView(delivery: LoggedDelivery): Delivery {
  const { id, channelId, appId, reviewId, event, isTest, status, attemptCount } = delivery;
  return {
    id,
    channelId,
    appId,
    reviewId,
    event,
    isTest,
    status,
    createdAt: formatTimestamp(delivery.createdAt),
    dueAt: status === "pending" ? formatTimestamp(delivery.dueAt) : null,
    attemptCount,
    finishedAt: delivery.finishedAt && formatTimestamp(delivery.finishedAt),
    lastStatus: delivery.lastStatus,
    lastReason: delivery.lastReason,
  };
}

export function toDeliveryDetailView(delivery: ShownDelivery): DeliveryDetail {
  return {
    ...toDeliveryView(delivery),
    body: delivery.body,
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      startedAt: formatTimestamp(attempt.startedAt),
      durationMs: attempt.durationMs,
      status: attempt.status,
      reason: attempt.reason,
      answer: attempt.answer,
    })),
  };
}

export function toRetiredChannelView(retired: {
  id: string;
  channelId: string;
  at: Date;
  detail: Record<string, unknown>;
}): RetiredChannel {
  const textOf = (name: string): string => String(retired.detail[name] ?? "");
  const { id, channelId } = retired;
  return {
    id,
    channelId,
    name: textOf("name"),
    url: textOf("url"),
    at: formatTimestamp(retired.at),
    reason: textOf("reason"),
  };
}
