// The current causes of alerts about the service: storefronts that can't be read, and channels that fail.
import type { Channel } from "../../domain/channel/channel.ts";
import type { AlertContent } from "../../domain/channel/channel-event.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import {
  type Alert,
  type AlertDeps,
  alertOf,
  listOwnApps,
} from "../../use-cases/channels/alert-finders.ts";
import { isAbout, listOpenIncidents } from "../../use-cases/incidents/layout-incidents.ts";
import * as statements from "./sql.ts";

/** One failed crawl is soon repeated; a third one in a row is worth a word. */
const failuresMin = 3;
const failingFeedsMax = 1_000;
/** Retries begin after a minute: what a restart of the receiver costs is not news. */
const failingMs = 10 * minuteMs;
const itemsMax = 10;

export async function findFailingStorefronts(deps: AlertDeps, channel: Channel): Promise<Alert[]> {
  const { workspaceId } = channel;
  const query = { workspaceIds: [workspaceId], failuresMin, limit: failingFeedsMax };
  const feeds = await deps.database.with(statements).listFailingStorefronts(query);
  const incidents = await listOpenIncidents(deps.database, workspaceId);
  const apps = feeds.length + incidents.length > 0 ? await listOwnApps(deps, channel) : [];
  const layouts = incidents.map((incident) => {
    const { store, source, kind, reason } = incident;
    const text = `${storeTraits[store].name} may have changed its layout (${reason}): what looks wrong is not saved until a page passes again`;
    const items = [{ cause: `storefront.failing layout ${store} ${source} ${kind}`, text }];
    // One message for all apps of the store.
    const app = apps.find((one) => isAbout(incident, one));
    return alertOf("storefront.failing", app, items);
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

export function toAlertContent(alert: Alert): AlertContent {
  const { event, app, failing, version, quote, items } = alert;
  return {
    event,
    app: app && { id: app.id, name: app.name, store: app.store, externalAppId: app.externalAppId },
    failing: failing && { id: failing.id, name: failing.name },
    ...(version !== undefined && { version }),
    ...(quote !== undefined && { quote }),
    lines: items.slice(0, itemsMax).map(({ text }) => text),
    moreCount: Math.max(0, items.length - itemsMax),
  };
}
