// Channels and deliveries as the Sources page shows them.
import type { Database } from "../../database/database.ts";
import type { ListedChannel } from "../../domain/channel/channel.ts";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/channel/delivery.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { omit } from "../../lib/pick.ts";
import { requireChannel } from "../../use-cases/channels/channels.ts";
import type { DeliveryWithAttempts } from "../../use-cases/channels/deliveries.ts";
import type {
  Channel as ChannelView,
  Delivery,
  DeliveryDetail,
  RetiredChannel,
} from "../contract/channels.ts";
import { show, toJson } from "../show.ts";

/** Per channel: counting the whole log of a busy one takes long, and its exact size is of no use. */
const countedMax = 2_000;

type ChannelDatabase = Pick<
  Database,
  "countDeliveries" | "findChannel" | "listChannels" | "listLastDeliveries"
>;

export async function listChannelViews(
  database: ChannelDatabase,
  workspaceId: string,
): Promise<ChannelView[]> {
  const channels = await database.listChannels({ workspaceId });
  return toChannelViews(database, { workspaceId, channels, channelId: null });
}

/** @throws AppError `not_found` */
export async function getChannelView(
  database: ChannelDatabase,
  query: { id: string; workspaceId: string },
): Promise<ChannelView> {
  const channel = await requireChannel(database, query);
  const { id: channelId } = channel;
  const [view] = await toChannelViews(database, { ...query, channels: [channel], channelId });
  if (!view) throw notFound("channel", channelId);
  return view;
}

/** @param input.channelId null for all of the workspace */
async function toChannelViews(
  database: ChannelDatabase,
  input: { workspaceId: string; channels: readonly ListedChannel[]; channelId: string | null },
): Promise<ChannelView[]> {
  const { workspaceId, channelId } = input;
  const counts = await database.countDeliveries({ workspaceId, channelId, limit: countedMax });
  const lastDeliveries = await database.listLastDeliveries({ workspaceId, channelId });
  return input.channels.map((channel) => {
    const newest = lastDeliveries.find((one) => one.channelId === channel.id);
    const own = counts.filter((one) => one.channelId === channel.id);
    const countOf = (status: string) => own.find((one) => one.status === status)?.count ?? 0;
    const [pending = 0, delivered = 0, expired = 0, cancelled = 0] = deliveryStatuses.map(countOf);
    return {
      ...toJson(omit(channel, ["workspaceId"])),
      counts: { pending, delivered, expired, cancelled },
      lastDelivery: newest ? show(newest, ["id", "status", "createdAt"]) : null,
    };
  });
}

export function toDeliveryView({ dueAt, ...delivery }: LoggedDelivery): Delivery {
  return toJson({ ...delivery, dueAt: delivery.status === "pending" ? dueAt : null });
}

export function toDeliveryDetailView(delivery: DeliveryWithAttempts): DeliveryDetail {
  const { body, attempts, ...logged } = delivery;
  return { ...toDeliveryView(logged), body, attempts: toJson(attempts) };
}

export function toRetiredChannelView(retired: {
  id: string;
  channelId: string;
  at: Date;
  detail: Record<string, unknown>;
}): RetiredChannel {
  const { detail, ...shown } = retired;
  const textOf = (name: string): string => String(detail[name] ?? "");
  return toJson({ ...shown, name: textOf("name"), url: textOf("url"), reason: textOf("reason") });
}
