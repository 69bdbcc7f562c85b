// Finds apps by what a person pastes or types: a link to a store page, an id of either store, or words.

import { AppError } from "../../domain/error.ts";
import { type StoreId, storeIds } from "../../domain/store-id.ts";
import { storefrontsSchema } from "../../domain/storefronts.ts";
import { failField, failFields, parseField } from "../../domain/validation-errors.ts";
import type { FindApps, FoundApp } from "../contract/apps.ts";
import type { DashboardDeps, SearchableStore, StoreLookupResult } from "../deps.ts";
import type { IconProxy } from "./icon-proxy.ts";

type Rooms = Pick<DashboardDeps, "database" | "stores"> & { icons: IconProxy };
type Answer = { store: StoreId; region: string; word: StoreLookupResult };

const shownMax = 20;

export async function findApps(
  deps: Rooms,
  wish: FindApps & { workspaceId: string },
): Promise<{ apps: FoundApp[]; note: string | null }> {
  const text = wish.text.trim();
  if (text === "") failFields([{ field: "text", message: "must not be empty" }]);
  const region = parseCountry(wish.country);
  const answers = await askStores(deps.stores, { text, store: wish.store, region });
  const silent = answers.filter(({ word }) => word.outcome === "unknown");
  const note = silent.map(describeSilence).join("; ") || null;
  if (note !== null && silent.length === answers.length) throw new AppError("unavailable", note);
  const followed = await deps.database.listApps({ workspaceId: wish.workspaceId });
  const apps = interleave(answers).map(({ store, region, app }) => ({
    store,
    externalAppId: app.externalAppId,
    name: app.name,
    iconPath: app.iconUrl === "" ? null : deps.icons.pathOf(app.iconUrl, wish.workspaceId),
    foundIn: region,
    appId:
      followed.find((one) => one.store === store && one.externalAppId === app.externalAppId)?.id ??
      null,
  }));
  return { apps: apps.slice(0, shownMax), note };
}

function parseCountry(country: string | null): string {
  const value = [country ?? "us"];
  const [code, ...others] = parseField(storefrontsSchema, { field: "country", value });
  return code === undefined || others.length > 0
    ? failField("country", "must be one storefront")
    : code;
}

function askStores(
  stores: Rooms["stores"],
  wish: { text: string; store: StoreId | null; region: string },
): Promise<Answer[]> {
  const { text, region } = wish;
  for (const store of storeIds) {
    const read = stores[store].parseLink(text);
    if (!read) continue;
    return Promise.all([askById(stores[store], { store, region, ...definedRegion(read) })]);
  }
  const wanted = storeIds.filter((store) => wish.store === null || wish.store === store);
  const byId = wanted.filter((store) => isIdOf(stores[store], { store, text }));
  return Promise.all(
    byId.length > 0
      ? byId.map((store) => askById(stores[store], { store, region, externalAppId: text }))
      : wanted.map((store) => askByWords(stores[store], { store, region, term: text })),
  );
}

function definedRegion(read: { externalAppId: string; region: string | null }) {
  const { externalAppId, region } = read;
  return region === null ? { externalAppId } : { externalAppId, region };
}

/** A name of one word could pass for a package; a package has a dot. */
function isIdOf(asked: SearchableStore, of: { store: StoreId; text: string }): boolean {
  const looksRight =
    of.store === "appstore" ? /^\d{5,}$/.test(of.text) : /^\S+\.\S+$/.test(of.text);
  return looksRight && asked.validateAppId(of.text).ok;
}

async function askById(
  asked: SearchableStore,
  wanted: { store: StoreId; region: string; externalAppId: string },
): Promise<Answer> {
  const { store, region, externalAppId } = wanted;
  const fetched = await asked.fetchApp({ externalAppId, region });
  const word: StoreLookupResult =
    fetched.outcome === "ok"
      ? { outcome: "ok", value: [{ externalAppId, ...fetched.value }] }
      : fetched;
  return { store, region, word };
}

async function askByWords(
  asked: SearchableStore,
  wanted: { store: StoreId; region: string; term: string },
): Promise<Answer> {
  const { store, region, term } = wanted;
  return { store, region, word: await asked.findApps({ term, region }) };
}

function describeSilence({ store, word }: Answer): string {
  const name = store === "appstore" ? "the App Store" : "Google Play";
  return `${name} could not be asked: ${word.outcome === "unknown" ? word.reason : ""}`;
}

/** The best of each store first, then the second best: neither store hides the other. */
function interleave(answers: readonly Answer[]) {
  const lists = answers.map(({ store, region, word }) =>
    word.outcome === "ok" ? word.value.map((app) => ({ store, region, app })) : [],
  );
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  ).flat();
}
