// Where the demo's channels send: its own receiver, which has another port in every run and refuses what the
// failing channel sends, and the user's endpoint.

import type { Container } from "../../app/container.ts";
import { operate } from "../../app/operate.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import { AppError } from "../../domain/error.ts";
import { addDays, dayMs, dayOf } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toReviewDelivery } from "../../matching/deliveries.ts";
import { createChannel } from "../../operations/channel.ts";
import { testChannel } from "../../operations/channel-actions.ts";
import { moveChannel } from "../../use-cases/channels/move-channel.ts";
import type { SampleWorkspace } from "./demo-state.ts";

type Endpoints = {
  /** The address of the demo's own receiver. */
  secret: string;
  webhook: { url: string; secret: string } | null;
};

/** @throws AppError `conflict` when a channel was deleted, `invalid_input` for an unusable webhook URL */
export async function pointChannels(
  deps: Container,
  demo: SampleWorkspace & { receiverUrl: string; webhookUrl: string | null },
): Promise<Endpoints> {
  const { workspaceId, receiverUrl, webhookUrl } = demo;
  const everything = await pointChannel(deps, {
    workspaceId,
    id: demo.channelId,
    url: receiverUrl,
  });
  const failing = { workspaceId, id: demo.failingChannelId, url: `${receiverUrl}/closed` };
  await pointChannel(deps, failing);
  const channel = await deps.database.findChannel(failing);
  if (channel) await queueExpired(deps, channel);
  await operate(deps, testChannel, { actor: "demo", workspaceId, id: demo.failingChannelId });
  const webhook = webhookUrl === null ? null : await addWebhook(deps, { workspaceId, webhookUrl });
  return { secret: everything, webhook };
}

/** Returns the channel's secret. */
async function pointChannel(
  deps: Container,
  target: { workspaceId: string; id: string; url: string },
): Promise<string> {
  const channel = await moveChannel(deps, target);
  if (!channel) {
    throw new AppError(
      "conflict",
      `a channel of the demo is gone; delete ${deps.config.dataDir} to start again`,
    );
  }
  return openSecret(deps, channel);
}

const webhookName = "Your endpoint";

async function addWebhook(
  deps: Container,
  { workspaceId, webhookUrl: url }: { workspaceId: string; webhookUrl: string },
): Promise<{ url: string; secret: string }> {
  const channels = await deps.database.listChannels({ workspaceId });
  const known = channels.find(({ name }) => name === webhookName);
  if (known) {
    await moveChannel(deps, { id: known.id, workspaceId, url });
    return { url, secret: await openSecret(deps, known) };
  }
  const values = { name: webhookName, url };
  const { secret = "" } = await operate(deps, createChannel, {
    actor: "demo",
    workspaceId,
    values,
  });
  return { url, secret };
}

async function openSecret(deps: Container, { id }: Channel): Promise<string> {
  const sealed = await deps.database.findChannelSecret(id);
  if (!sealed) throw new AppError("conflict", `channel ${id} has no secret`);
  return deps.secretBox.open(sealed.encryptedSecret, id);
}

const expiredCount = 3;
const scanMax = 2_000;

/** Once: a channel with a log is left as it is. */
async function queueExpired(deps: Container, channel: Channel): Promise<void> {
  const { clock, config, database } = deps;
  const { workspaceId, id: channelId } = channel;
  const log = { channelId, workspaceId, status: null, beforeId: null, limit: 1 };
  if ((await database.listDeliveries(log)).length > 0) return;
  const at = new Date(clock.now().getTime() - (config.webhookGiveUpDays + 1) * dayMs);
  const day = dayOf(at);
  const followed = await database.listFollowedApps({ workspaceId, ids: null });
  const { keys } = await database.listReviewKeys({
    workspaceId,
    apps: followed,
    filters: {
      from: addDays(day, -7),
      to: day,
      rating: channel.stars ?? undefined,
      topic: channel.topics ?? undefined,
    },
    after: null,
    limit: expiredCount,
    scanMax,
  });
  const apps = await database.listApps({ workspaceId });
  const events = [];
  for (const { listingId, id } of keys) {
    const [review] = await database.loadReviews({ listingId, ids: [id] });
    const app = apps.find((one) => one.listingId === listingId);
    if (!review || !app) continue;
    const topics = review.analysis?.topics ?? [];
    events.push({ event: "review.created" as const, channel, app, review, topics });
  }
  const deliveries = events.map((event) => toReviewDelivery(event, () => uuidV7(at)));
  await database.enqueueDeliveries({ deliveries, now: at });
  await database.notify("deliveries");
}
