// Channels and deliveries as the Sources page shows them.
import type { Database } from "../../database/database.ts";
import type { DeliverySubject } from "../../database/read-models/channel-days.ts";
import type { ListedChannel } from "../../domain/channel.ts";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/delivery.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { DeliveryWithAttempts } from "../../use-cases/channels/deliveries.ts";
import type {
  Channel as ChannelView,
  Delivery,
  DeliveryDetail,
  ListedDelivery,
  RetiredChannel,
} from "../contract/channels.ts";

/** Per channel: counting the whole log of a busy one takes long, and its exact size is of no use. */
const countedMax = 2_000;

export async function listChannelViews(
  database: Pick<Database, "countDeliveries" | "listChannels" | "listLastDeliveries">,
  workspaceId: string,
): Promise<ChannelView[]> {
  const channels = await database.listChannels({ workspaceId });
  const counts = await database.countDeliveries({ workspaceId, limit: countedMax });
  const lastDeliveries = await database.listLastDeliveries(workspaceId);
  return channels.map((channel) => {
    const newest = lastDeliveries.find(({ channelId }) => channelId === channel.id);
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

/** @throws AppError `not_found` */
export async function getChannelView(
  database: Parameters<typeof listChannelViews>[0],
  query: { id: string; workspaceId: string },
): Promise<ChannelView> {
  const channels = await listChannelViews(database, query.workspaceId);
  const channel = channels.find(({ id }) => id === query.id);
  if (!channel) throw notFound("channel", query.id);
  return channel;
}

function toChannelView(channel: ListedChannel): Omit<ChannelView, "counts" | "lastDelivery"> {
  const { workspaceId: _, createdAt, digestDueAt, failingSince, ...fields } = channel;
  return {
    ...fields,
    digestDueAt: digestDueAt && formatTimestamp(digestDueAt),
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

export function toListedDelivery(
  delivery: LoggedDelivery,
  subjects: readonly DeliverySubject[],
): ListedDelivery {
  const { appId, reviewId } = delivery;
  const found = subjects.find((one) => one.appId === appId && one.reviewId === reviewId);
  return { ...toDeliveryView(delivery), subject: found ? toSubjectView(found) : null };
}

function toSubjectView({ appName, rating, headline, country }: DeliverySubject) {
  return { appName, review: rating === null ? null : { rating, headline, country } };
}

export function toDeliveryDetailView(delivery: DeliveryWithAttempts): DeliveryDetail {
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
