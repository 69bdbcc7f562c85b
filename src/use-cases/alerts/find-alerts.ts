// The current causes of alerts: storefronts that can't be read, channels that fail, and what
// rose in the reviews of the last two days. Each alert has a cause, by which it is announced once.
import type { Database } from "../../database/database.ts";
import { type AlertName, type Channel, openChannelFilter } from "../../domain/channel.ts";
import type { AlertContent } from "../../domain/channel-event.ts";
import type { App } from "../../domain/listing.ts";
import { releaseDays } from "../../domain/release-periods.ts";
import { storeTraits } from "../../domain/store-traits.ts";
import { worseByDefault } from "../../domain/verdict.ts";
import type { Clock } from "../../lib/clock.ts";
import { addDays, dayOf, minuteMs } from "../../lib/timestamp.ts";
import { type DigestDatabase, readDigest } from "../digest/read-digest.ts";
import { readVerdicts, type VerdictDatabase } from "../verdict/read-verdicts.ts";

export type Alert = {
  event: AlertName;
  app: App | null;
  /** The channel that fails. */
  failing: Channel | null;
  items: { cause: string; text: string }[];
};

type AlertDeps = {
  clock: Clock;
  database: DigestDatabase &
    VerdictDatabase &
    Pick<Database, "listApps" | "listChannels" | "listFailingStorefronts" | "listLayoutIncidents">;
};

/** One failed crawl is soon repeated; a third one in a row is worth a word. */
const failuresMin = 3;
const failingFeedsMax = 1_000;
/** Retries begin after a minute: what a restart of the receiver costs is not news. */
const failingMs = 10 * minuteMs;
/** Each costs a few hundred milliseconds where there are many reviews. */
const spikeAppsMax = 20;
/** Several can come out on one day or in one week. */
const releasesMax = 5;
/** Yesterday and today as far as it has come: its count can only rise. */
const spikeDays = 2;
const spikeSubjects: readonly string[] = ["topic", "negative"];
const itemsMax = 10;

export async function findFailingStorefronts(deps: AlertDeps, channel: Channel): Promise<Alert[]> {
  const { workspaceId } = channel;
  const query = { workspaceIds: [workspaceId], failuresMin, limit: failingFeedsMax };
  const feeds = await deps.database.listFailingStorefronts(query);
  const incidents = await deps.database.listLayoutIncidents();
  const apps = feeds.length + incidents.length > 0 ? await listOwnApps(deps, channel) : [];
  const layouts = incidents.map(({ store, kind, reason, acceptedAt }) => {
    const text = `${storeTraits[store].name} may have changed its layout (${reason}): what looks wrong is not saved until a page passes again`;
    const items = [{ cause: `storefront.failing layout ${store} ${kind}`, text }];
    // One message for all apps of the store.
    const app = apps.find((one) => one.store === store);
    return alertOf("storefront.failing", app, acceptedAt === null ? items : []);
  });
  const failing = apps.map((app) => {
    const own = feeds.filter(({ appId }) => appId === app.id);
    const items = own.map(({ kind, region, lastError }) => ({
      cause: `storefront.failing ${app.id} ${kind} ${region}`,
      text: `${kind === "reviews" ? "Reviews" : "Ratings"}, ${region}: ${lastError ?? "no sure answer"}`,
    }));
    return alertOf("storefront.failing", app, items);
  });
  return [...layouts, ...failing].flat();
}

/** None without an app or without anything to report. */
function alertOf(event: AlertName, app: App | undefined, items: Alert["items"]): Alert[] {
  return app && items.length > 0 ? [{ event, app, failing: null, items }] : [];
}

/** Others than the channel itself: it would receive the alert when it works again. */
export async function findFailingChannels(deps: AlertDeps, channel: Channel): Promise<Alert[]> {
  const { workspaceId } = channel;
  const before = deps.clock.now().getTime() - failingMs;
  const channels = await deps.database.listChannels({ workspaceId });
  return channels.flatMap((one) => {
    const { id, failingSince, failingReason, isPaused } = one;
    const isNews = failingSince !== null && failingSince.getTime() <= before && !isPaused;
    if (id === channel.id || !isNews) return [];
    const items = [{ cause: `channel.failing ${id}`, text: failingReason ?? "no answer" }];
    return [{ event: "channel.failing", app: null, failing: one, items }];
  });
}

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

/** The newest releases of each app, while their reviews are judged. */
export async function findWorseReleases(deps: AlertDeps, channel: Channel): Promise<Alert[]> {
  const { clock, database } = deps;
  const { workspaceId } = channel;
  const own = (await listOwnApps(deps, channel)).slice(0, spikeAppsMax);
  const apps = await database.listFollowedApps({ workspaceId, ids: own.map(({ id }) => id) });
  const releases = { newestMax: releasesMax };
  const chosen = { workspaceId, apps, worseBy: worseByDefault, releases };
  const verdicts = await readVerdicts(database, chosen);
  const since = addDays(dayOf(clock.now()), -releaseDays);
  return verdicts.flatMap(({ app, version, firstDay, result, words }) => {
    if (result !== "worse" || firstDay < since) return [];
    const items = [{ cause: `release.worse ${app.id} ${version}`, text: `${version}: ${words}` }];
    const subject = own.find(({ id }) => id === app.id);
    return alertOf("release.worse", subject, items);
  });
}

async function listOwnApps(
  { database }: Pick<AlertDeps, "database">,
  channel: Channel,
): Promise<App[]> {
  const all = await database.listApps({ workspaceId: channel.workspaceId });
  return all.filter(openChannelFilter(channel).takesApp);
}

export function toAlertContent({ event, app, failing, items }: Alert): AlertContent {
  return {
    event,
    app: app && { id: app.id, name: app.name, store: app.store, externalAppId: app.externalAppId },
    failing: failing && { id: failing.id, name: failing.name },
    lines: items.slice(0, itemsMax).map(({ text }) => text),
    moreCount: Math.max(0, items.length - itemsMax),
  };
}
