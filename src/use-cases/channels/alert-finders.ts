// The seam for alerts: features say what they find for a channel. Each item has a cause, by which it is announced once.
import type { Database } from "../../database/database.ts";
import { type AlertName, type Channel, openChannelFilter } from "../../domain/channel/channel.ts";
import type { EventQuote } from "../../domain/channel/channel-event.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Clock } from "../../lib/clock.ts";

export type Alert = {
  event: AlertName;
  app: App | null;
  /** The channel that fails. */
  failing: Channel | null;
  /** The release that is worse. */
  version?: string;
  /** One of its reviews. */
  quote?: EventQuote;
  items: { cause: string; text: string }[];
};

export type AlertDeps = { clock: Clock; database: Database };

/** Costs more than a look at a few rows: it is asked once an hour. */
export type AlertFinder = {
  event: AlertName;
  find(deps: AlertDeps, channel: Channel): Promise<Alert[]>;
  /** How long a cause that is not seen is remembered. */
  quietMs: number;
};

/** A table: features add theirs. */
export const alertFinders: AlertFinder[] = [];

/** None without an app or without anything to report. */
export function alertOf(event: AlertName, app: App | undefined, items: Alert["items"]): Alert[] {
  return app && items.length > 0 ? [{ event, app, failing: null, items }] : [];
}

/** The apps whose events the channel takes. */
export async function listOwnApps(
  { database }: Pick<AlertDeps, "database">,
  channel: Channel,
): Promise<App[]> {
  const all = await database.listApps({ workspaceId: channel.workspaceId });
  return all.filter(openChannelFilter(channel).takesApp);
}
