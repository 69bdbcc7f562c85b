// What rose in the reviews of the last two days, as alerts.

import type { Channel } from "../../domain/channel/channel.ts";
import { dayOf } from "../../lib/timestamp.ts";
import {
  type Alert,
  type AlertDeps,
  alertOf,
  listOwnApps,
} from "../../use-cases/channels/alert-finders.ts";
import { readDigest } from "./read-digest.ts";

/** Each costs a few hundred milliseconds where there are many reviews. */
const spikeAppsMax = 20;
/** Yesterday and today as far as it has come: its count can only rise. */
const spikeDays = 2;
const spikeSubjects: readonly string[] = ["topic", "negative"];

export async function findSpikes(deps: AlertDeps, channel: Channel): Promise<Alert[]> {
  const { workspaceId, topics } = channel;
  const to = dayOf(deps.clock.now());
  const alerts: Alert[] = [];
  for (const app of (await listOwnApps(deps, channel)).slice(0, spikeAppsMax)) {
    const query = { workspaceId, appId: app.id, to, dayCount: spikeDays } as const;
    const { spikes } = await readDigest(deps, query);
    const items = spikes
      .filter(({ subject }) => spikeSubjects.includes(subject))
      // The topics of a channel that is limited to some.
      .filter(({ subject, value }) => subject !== "topic" || (topics ?? [value]).includes(value))
      .map(({ subject, value, sentence }) => ({
        cause: `reviews.spike ${app.id} ${subject} ${value}`.trim(),
        text: sentence,
      }));
    alerts.push(...alertOf("reviews.spike", app, items));
  }
  return alerts;
}
