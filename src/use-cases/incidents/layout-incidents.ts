// Changes of a store's layout: their names, and which of them concern a workspace.

import type { IncidentKey, LayoutIncident } from "../../database/collecting/held-feeds.ts";
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { App } from "../../domain/feed/listing.ts";
import { sourceKinds, suspicionKinds } from "../../domain/feed/page-quarantine.ts";
import { isStoreId } from "../../domain/store/store-id.ts";

/** Such as `appstore/public/dates_shifted`, with the workspace behind it where it is about private listings. */
export function nameIncident({ store, source, kind, scope }: IncidentKey): string {
  return [store, source, kind, ...(scope === "" ? [] : [scope])].join("/");
}

/**
 * The name of an incident, as lists show it.
 * @throws AppError `invalid_input`
 */
export function parseIncident(text: string): IncidentKey {
  const [store = "", sourceText, kindText, scope = ""] = text.split("/");
  const source = sourceKinds.find((one) => one === sourceText);
  const kind = suspicionKinds.find((one) => one === kindText);
  if (isStoreId(store) && source && kind) return { store, source, kind, scope };
  const message =
    "an incident is a store, a source and a kind, like appstore/public/dates_shifted; starpost incident list has the names";
  throw new AppError("invalid_input", message);
}

/**
 * Open incidents of the stores, as far as a workspace is concerned: oddities of private listings are those of their
 * workspace alone.
 */
export async function listOpenIncidents(
  database: Pick<Database, "listLayoutIncidents">,
  workspaceId: string,
): Promise<LayoutIncident[]> {
  const incidents = await database.listLayoutIncidents();
  return incidents.filter(
    ({ scope, acceptedAt }) => acceptedAt === null && (scope === "" || scope === workspaceId),
  );
}

/** An oddity of one app alone says little to those who follow others. */
export function isAbout(incident: LayoutIncident, app: Pick<App, "store" | "listingId">): boolean {
  const isOne = incident.listingId !== null && incident.listingId !== app.listingId;
  return incident.store === app.store && !isOne;
}
