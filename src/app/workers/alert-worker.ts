// Queues alerts: storefronts and channels that fail, spikes, and releases that are worse. Each cause is announced once to a channel: who notes
// it first queues the alert in the same transaction, however many processes look.

import { alertNames, type Channel } from "../../domain/channel.ts";
import { releaseDays } from "../../domain/release-periods.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { dayMs, hourMs, minuteMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import { toAlertDelivery } from "../../matching/deliveries.ts";
import {
  type Alert,
  findFailingChannels,
  findFailingStorefronts,
  findSpikes,
  findWorseReleases,
  toAlertContent,
} from "../../use-cases/alerts/find-alerts.ts";
import type { Container } from "../container.ts";
import { queueForChannels } from "./queue-for-channels.ts";

type AlertWorkerDeps = Pick<Container, "clock" | "database" | "log">;

const intervalMs = minuteMs;
const spikeIntervalMs = hourMs;
/** What costs more than a look at a few rows, and how long a cause that is not seen is remembered. */
const hourlyFinders = {
  // A spike that comes and goes for days is one.
  "reviews.spike": { find: findSpikes, quietMs: 3 * dayMs },
  // A verdict can be withheld for days: a release is announced once until it is over.
  "release.worse": { find: findWorseReleases, quietMs: (releaseDays + 1) * dayMs },
};

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
    channels: await deps.database.listChannelsWithEvents(alertNames),
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
  const hourly = Object.entries(hourlyFinders).filter(([kind]) =>
    events.some((one) => one === kind),
  );
  if (hourly.length > 0 && (await database.claimSpikeCheck({ channelId, now, notSince }))) {
    for (const [kind, { find, quietMs }] of hourly) {
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
  const causes = alerts.flatMap(({ items }) => items.map(({ cause }) => cause));
  const channelId = channel.id;
  return database.transaction(async (tx) => {
    const raised = new Set(await tx.raiseAlerts({ channelId, causes, now }));
    await tx.endAlerts({ channelId, kind, seenBefore });
    const deliveries = alerts.flatMap((alert) => {
      const items = alert.items.filter(({ cause }) => raised.has(cause));
      if (items.length === 0) return [];
      const content = toAlertContent({ ...alert, items });
      return [toAlertDelivery({ channel, content }, () => uuidV7(now))];
    });
    return deliveries.length > 0 ? tx.enqueueDeliveries({ deliveries, now }) : 0;
  });
}
