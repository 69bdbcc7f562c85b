// Queues alerts: storefronts and channels that fail, spikes, and releases that are worse. Each cause is announced once to a
// channel, however many processes look.

import { alertNames, type Channel } from "../../domain/channel/channel.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import { toAlertDelivery } from "../../matching/deliveries.ts";
import { type Alert, alertFinders } from "../../use-cases/channels/alert-finders.ts";
import { queueForChannels } from "../../use-cases/channels/queue-for-channels.ts";
import type { FeatureContext } from "../feature.ts";
import { findFailingChannels, findFailingStorefronts, toAlertContent } from "./find-alerts.ts";
import * as statements from "./sql.ts";

type AlertWorkerDeps = Pick<FeatureContext, "clock" | "database" | "log">;

const intervalMs = minuteMs;
const spikeIntervalMs = hourMs;
/** Runs until the resources are closed. */
export function openAlertWorker(deps: AlertWorkerDeps, resources: ResourceStack): void {
  const loop = startWorkerLoop({
    name: "alert worker",
    log: deps.log,
    // Deliveries in flight when the service starts end first.
    firstDelayMs: intervalMs,
    async runRound(signal) {
      await queueAlerts(deps, signal);
      return intervalMs;
    },
  });
  resources.add(() => loop.close());
}

/** Returns how many were queued. The signal ends it after the current channel. */
export async function queueAlerts(deps: AlertWorkerDeps, signal: AbortSignal): Promise<number> {
  return queueForChannels(deps, {
    channels: await deps.database.with(statements).listChannelsWithEvents(alertNames),
    signal,
    queue: (channel) => queueAlertsOf(deps, channel),
    failure: "a channel's alerts could not be queued",
  });
}

async function queueAlertsOf(deps: AlertWorkerDeps, channel: Channel): Promise<number> {
  const { clock, database } = deps;
  const { events, id: channelId } = channel;
  const now = clock.now();
  let count = 0;
  if (events.includes("storefront.failing")) {
    const alerts = await findFailingStorefronts(deps, channel);
    count += await raise(deps, { channel, kind: "storefront.failing", alerts, seenBefore: now });
  }
  if (events.includes("channel.failing")) {
    const alerts = await findFailingChannels(deps, channel);
    count += await raise(deps, { channel, kind: "channel.failing", alerts, seenBefore: now });
  }
  const notSince = new Date(now.getTime() - spikeIntervalMs);
  const hourly = alertFinders.filter(({ event }) => events.includes(event));
  if (
    hourly.length > 0 &&
    (await database.with(statements).claimSpikeCheck({ channelId, now, notSince }))
  ) {
    for (const { event: kind, find, quietMs } of hourly) {
      const seenBefore = new Date(now.getTime() - quietMs);
      count += await raise(deps, { channel, kind, alerts: await find(deps, channel), seenBefore });
    }
  }
  return count;
}

/** Queues what is new of these alerts, and forgets causes of the kind that were last seen before then. */
async function raise(
  { clock, database }: AlertWorkerDeps,
  found: { channel: Channel; kind: string; alerts: readonly Alert[]; seenBefore: Date },
): Promise<number> {
  const { channel, kind, alerts, seenBefore } = found;
  const now = clock.now();
  const causes = alerts.flatMap(({ items }) => items.map(causeOf));
  const { id: channelId, workspaceId } = channel;
  return database.transaction(async (tx) => {
    // Another process that found the same waits here, and finds it announced.
    if (!(await tx.lockChannel({ id: channelId, workspaceId }))) return 0;
    const announced = await tx.seeCauses({ channelId, causes, now });
    await tx.endCauses({ channelId, kind, seenBefore });
    // An erasure locks the channel, too: it is either finished and known here, or deletes this alert.
    const erased = await tx.listErasedReviews(alerts.flatMap(({ quote }) => quote?.reviewId ?? []));
    const deliveries = alerts.flatMap(({ quote, ...alert }) => {
      const items = alert.items.filter(({ cause }) => !announced.has(cause));
      if (items.length === 0) return [];
      const isQuoted = quote !== undefined && !erased.has(quote.reviewId);
      const content = toAlertContent({ ...alert, items, ...(isQuoted && { quote }) });
      const announcing = { channel, content, causes: items.map(causeOf) };
      return [toAlertDelivery(announcing, () => uuidV7(now))];
    });
    return deliveries.length > 0 ? tx.enqueueDeliveries({ deliveries, now }) : 0;
  });
}

const causeOf = ({ cause }: Alert["items"][number]): string => cause;
