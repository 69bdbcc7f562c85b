// Finds the app that a person means: by its id, a link to a store, a bundle id or package name, or words to
// search for.
import { AppError } from "../../domain/error.ts";
import { isStoreId, type StoreId, storeIds } from "../../domain/store-id.ts";
import { failField } from "../../domain/validation-errors.ts";
import type { StoreAppSearch } from "./store-lookup.ts";

/** Exactly one of the four ways; a link names its store itself. */
export type FindAppInput = {
  store: string | null;
  externalAppId: string | null;
  link: string | null;
  bundleId: string | null;
  search: string | null;
  countries: readonly string[] | null;
};

export type FoundApp = {
  store: StoreId;
  externalAppId: string;
  /** The storefront of the link, where the app is sold for certain. */
  region: string | null;
  /** What the person should know of the choice, or null. */
  note: string | null;
};

type Stores = Readonly<Record<StoreId, StoreAppSearch>>;

export async function findApp(stores: Stores, wish: FindAppInput): Promise<FoundApp> {
  const { link, externalAppId, bundleId } = wish;
  const given = [externalAppId, link, bundleId, wish.search].filter((way) => way !== null);
  if (given.length !== 1) {
    failField("externalId", "exactly one is needed of an id, a link, a bundle id or a search");
  }
  if (link !== null) return readLink(stores, { link, store: wish.store });
  const { store } = wish;
  if (store === null || !isStoreId(store)) {
    failField("store", `must be one of ${storeIds.join(", ")}`);
  }
  if (externalAppId !== null) return { store, externalAppId, region: null, note: null };
  const region = wish.countries?.[0]?.toLowerCase() ?? "us";
  const query =
    bundleId === null
      ? { term: readTerm(wish.search ?? ""), region }
      : { bundleId: bundleId.trim(), region };
  return search(stores[store], { store, query });
}

function readLink(stores: Stores, wish: { link: string; store: string | null }): FoundApp {
  for (const store of storeIds) {
    const read = stores[store].parseLink(wish.link.trim());
    if (!read) continue;
    if (wish.store !== null && wish.store !== store) failField("link", `leads to ${store}`);
    return { store, ...read, note: null };
  }
  return failField("link", "is no link to an app of a store that is known here");
}

const termLengthMax = 200;

function readTerm(text: string): string {
  const term = text.trim();
  if (term === "" || term.length > termLengthMax) {
    failField("search", `must have 1 to ${termLengthMax} characters`);
  }
  return term;
}

const alsoFoundMax = 4;

/** The first one the store names; of the others the person is told, to choose by id. */
async function search(
  asked: StoreAppSearch,
  { store, query }: { store: StoreId; query: Parameters<StoreAppSearch["findApps"]>[0] },
): Promise<FoundApp> {
  const found = await asked.findApps(query);
  if (found.outcome === "unknown") {
    throw new AppError("unavailable", `the store could not be searched: ${found.reason}`);
  }
  const [best, ...others] = found.outcome === "ok" ? found.value : [];
  if (!best) {
    const what = "term" in query ? `for ${JSON.stringify(query.term)}` : query.bundleId;
    throw new AppError("not_found", `${store} has no app ${what} in ${query.region}`, {
      fields: [{ field: "term" in query ? "search" : "bundleId", message: "nothing was found" }],
    });
  }
  const named = (app: { externalAppId: string; name: string }): string =>
    `${app.name} (${app.externalAppId})`;
  const also = others.slice(0, alsoFoundMax).map(named).join(", ");
  const note =
    "term" in query ? `the search chose ${named(best)}${also && `; also: ${also}`}` : null;
  return { store, externalAppId: best.externalAppId, region: query.region, note };
}
