// Finds apps by what people paste or type: a link to a store page, an id of a store, or words.

import { AppError } from "../../domain/error.ts";
import { type StoreId, storeIds } from "../../domain/store/store-id.ts";
import { storePageUrl, storeTraits } from "../../domain/store/store-traits.ts";
import { storefrontsSchema } from "../../domain/store/storefronts.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import type { FoundApp } from "../contract/apps.ts";
import type { FindApps } from "../contract/requests.ts";
import type { DashboardDeps, SearchableStore, StoreLookupResult } from "../deps.ts";
import type { IconProxy } from "../icon-proxy.ts";

type FindAppsDeps = Pick<DashboardDeps, "database" | "stores"> & { icons: IconProxy };
type StoreResult = { store: StoreId; region: string; result: StoreLookupResult };

const foundMax = 20;

/**
 * @returns the apps, and which stores failed in words or null
 * @throws AppError `invalid_input`, or `unavailable` when every store failed
 */
export async function findApps(
  { stores, database, icons }: FindAppsDeps,
  query: FindApps & { workspaceId: string },
): Promise<{ apps: FoundApp[]; note: string | null }> {
  const { workspaceId } = query;
  const text = query.text.trim();
  if (text === "") failField("text", "must not be empty");
  const region = parseCountry(query.country);
  const results = await queryStores(stores, { text, store: query.store, region });
  const failures = results.flatMap(describeFailure);
  const note = failures.join("; ") || null;
  if (note !== null && failures.length === results.length) throw new AppError("unavailable", note);
  const followed = await database.listApps({ workspaceId });
  const followedIds = new Map(followed.map((app) => [keyOf(app), app.id]));
  const apps = interleave(results).map((app) => ({
    store: app.store,
    externalAppId: app.externalAppId,
    storeUrl: storePageUrl({ ...app, country: app.region }),
    name: app.name,
    iconPath: app.iconUrl === "" ? null : icons.pathFor(app.iconUrl, workspaceId),
    developer: app.developer ?? null,
    rating: app.rating ?? null,
    foundIn: app.region,
    appId: followedIds.get(keyOf(app)) ?? null,
  }));
  return { apps: apps.slice(0, foundMax), note };
}

function parseCountry(country: string | null): string {
  const value = [country ?? "us"];
  const [code, ...others] = parseField(storefrontsSchema, { field: "country", value });
  return code === undefined || others.length > 0
    ? failField("country", "must be one storefront")
    : code;
}

function queryStores(
  stores: FindAppsDeps["stores"],
  query: { text: string; store: StoreId | null; region: string },
): Promise<StoreResult[]> {
  const { text, region } = query;
  for (const store of storeIds) {
    const link = stores[store].parseLink(text);
    if (!link) continue;
    const { externalAppId } = link;
    const idQuery = { store, region: link.region ?? region, externalAppId };
    return Promise.all([lookUpById(stores[store], idQuery)]);
  }
  const searched = storeIds.filter((store) => query.store === null || query.store === store);
  const byId = searched.filter((store) => isAppId(stores[store], { store, text }));
  return Promise.all(
    byId.length > 0
      ? byId.map((store) => lookUpById(stores[store], { store, region, externalAppId: text }))
      : searched.map(async (store) => {
          const result = await stores[store].findApps({ term: text, region });
          return { store, region, result };
        }),
  );
}

function isAppId(client: SearchableStore, { store, text }: { store: StoreId; text: string }) {
  return storeTraits[store].appIdPattern.test(text) && client.validateAppId(text).ok;
}

async function lookUpById(
  client: SearchableStore,
  query: { store: StoreId; region: string; externalAppId: string },
): Promise<StoreResult> {
  const { store, region, externalAppId } = query;
  const app = await client.fetchApp({ externalAppId, region });
  if (app.outcome !== "ok") return { store, region, result: app };
  const value = [{ externalAppId, ...app.value }];
  return { store, region, result: { outcome: "ok", value } };
}

function describeFailure({ store, result }: StoreResult): string[] {
  if (result.outcome !== "unknown") return [];
  return [`could not search ${storeTraits[store].nameInText}: ${result.reason}`];
}

/** The best result of each store first, then the second best: no store hides another. */
function interleave(results: readonly StoreResult[]) {
  const lists = results.map(({ store, region, result }) =>
    result.outcome === "ok" ? result.value.map((app) => ({ store, region, ...app })) : [],
  );
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  ).flat();
}

function keyOf(app: { store: StoreId; externalAppId: string }): string {
  return `${app.store} ${app.externalAppId}`;
}
