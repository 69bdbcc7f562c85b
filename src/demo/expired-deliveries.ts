// Expired deliveries of the demo's failing channel: reviews of the week before last, queued as if the endpoint had
// refused them since. The delivery worker tries each once more and lets it expire.
import type { Container } from "../app/container.ts";
import type { Channel } from "../domain/channel.ts";
import { addDays, dayMs, dayOf } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toReviewDelivery } from "../matching/deliveries.ts";

const expiredCount = 3;
const scanMax = 2_000;

/** Once: a channel with a log is left as it is. */
export async function queueExpired(deps: Container, channel: Channel): Promise<void> {
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
