// Finds the app that a user means: by its id, a link to a store, a bundle id or package name, or a search.
import { AppError } from "../../domain/error.ts";
import { defaultCountries } from "../../domain/feed/listing.ts";
import { oneOfSchema } from "../../domain/fields.ts";
import { type StoreId, storeIds } from "../../domain/store/store-id.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import type { StoreAppLookup, StoreAppSearch } from "./store-lookup.ts";

/** Exactly one of the four ways; a link names its store itself. */
type FindAppInput = {
  store: string | null;
  externalAppId: string | null;
  link: string | null;
  bundleId: string | null;
  search: string | null;
  /** The first one is searched; for a bundle id, each of them until one knows it. */
  countries: readonly string[] | null;
};

export type FoundApp = {
  store: StoreId;
  externalAppId: string;
  /** A storefront that certainly sells the app: the link's, or the one that was searched. */
  region: string | null;
  /** A note to the user about the choice, or null. */
  note: string | null;
  /** As the store names it, where it was searched for. */
  name?: string;
};

type Stores = Readonly<Record<StoreId, StoreAppSearch & Pick<StoreAppLookup, "validateAppId">>>;

/** @throws AppError `invalid_input`, `not_found`, or `unavailable` when the store does not answer */
export async function findApp(stores: Stores, input: FindAppInput): Promise<FoundApp> {
  const { link, externalAppId, bundleId } = input;
  const ways = [externalAppId, link, bundleId, input.search].filter((way) => way !== null);
  if (ways.length !== 1) {
    failField("externalId", "exactly one is needed of an id, a link, a bundle id or a search");
  }
  if (link !== null) return resolveName(stores, parseLink(stores, { link, store: input.store }));
  const store = parseField(oneOfSchema(storeIds), { field: "store", value: input.store });
  if (externalAppId !== null)
    return resolveName(stores, { store, externalAppId, region: null, note: null });
  const named = input.countries?.map((country) => country.toLowerCase());
  const regions = named && named.length > 0 ? named : defaultCountries;
  const [region = "us"] = named ?? [];
  if (bundleId === null)
    return search(stores, { store, query: { term: parseTerm(input.search ?? ""), region } });
  return searchStorefronts(stores, { store, bundleId: bundleId.trim(), regions });
}

/** The id of an app that a link, or a user, names otherwise. */
async function resolveName(stores: Stores, named: FoundApp): Promise<FoundApp> {
  const { store, externalAppId } = named;
  const { namesApps, soleRegion } = storeTraits[store];
  if (!namesApps || stores[store].validateAppId(externalAppId).ok) return named;
  const query = { bundleId: externalAppId, region: soleRegion ?? "us" };
  return { ...(await search(stores, { store, query })), region: null };
}

function parseLink(stores: Stores, input: { link: string; store: string | null }): FoundApp {
  for (const store of storeIds) {
    const parsed = stores[store].parseLink(input.link.trim());
    if (!parsed) continue;
    if (input.store !== null && input.store !== store) failField("link", `leads to ${store}`);
    return { store, ...parsed, note: null };
  }
  return failField("link", "is no link to an app of a known store");
}

const termLengthMax = 200;

function parseTerm(text: string): string {
  const term = text.trim();
  if (term === "" || term.length > termLengthMax) {
    failField("search", `must have 1 to ${termLengthMax} characters`);
  }
  return term;
}

/** An app may be sold in one country alone. */
async function searchStorefronts(
  stores: Stores,
  app: { store: StoreId; bundleId: string; regions: readonly string[] },
): Promise<FoundApp> {
  const { store, bundleId, regions } = app;
  let missing: AppError | null = null;
  for (const region of regions) {
    try {
      return await search(stores, { store, query: { bundleId, region } });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      missing = error;
    }
  }
  const message = `${store} has no app ${bundleId} in ${regions.join(", ")}; name a storefront that sells it (--countries)`;
  throw new AppError("not_found", message, { cause: missing });
}

const othersShownMax = 4;

/** Takes the store's first hit; the note names it and the next ones, to choose by id. */
async function search(
  stores: Stores,
  { store, query }: { store: StoreId; query: Parameters<StoreAppSearch["findApps"]>[0] },
): Promise<FoundApp> {
  const result = await stores[store].findApps(query);
  if (result.outcome === "unknown") {
    throw new AppError("unavailable", `the store could not be searched: ${result.reason}`);
  }
  const [best, ...others] = result.outcome === "ok" ? result.value : [];
  if (!best) {
    const what = "term" in query ? `for ${JSON.stringify(query.term)}` : query.bundleId;
    const where = storeTraits[store].soleRegion === null ? ` in ${query.region}` : "";
    throw new AppError("not_found", `${store} has no app ${what}${where}`, {
      fields: [{ field: "term" in query ? "search" : "bundleId", message: "nothing was found" }],
    });
  }
  const nameOf = (app: { externalAppId: string; name: string }): string =>
    `${app.name} (${app.externalAppId})`;
  const also = others.slice(0, othersShownMax).map(nameOf).join(", ");
  const note =
    "term" in query ? `the search chose ${nameOf(best)}${also && `; also: ${also}`}` : null;
  const { externalAppId, name } = best;
  return { store, externalAppId, region: query.region, note, name };
}
