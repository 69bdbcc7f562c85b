// The apps that the words of a command line name: links, ids, or names that the stores are searched for.
import type { Container } from "../../app/container.ts";
import { AppError } from "../../domain/error.ts";
import { appReferenceOf } from "../../domain/feed/listing.ts";
import { type StoreId, storeIds } from "../../domain/store/store-id.ts";
import { failField } from "../../domain/validation-errors.ts";
import { type FoundApp, findApp } from "../../use-cases/apps/find-app.ts";
import { isLink } from "./app-words.ts";

type FoundReportApp = Pick<FoundApp, "store" | "externalAppId" | "region">;
type Stores = Container["stores"];

const appsMax = 12;
const noWay = { store: null, externalAppId: null, link: null, bundleId: null, search: null };

/**
 * Each app once, in the order of the words.
 *
 * @param query.note called with what a search chose
 * @throws AppError `invalid_input`, `not_found`, or `unavailable` when a store does not answer
 */
export async function findApps(
  stores: Stores,
  query: {
    words: readonly string[];
    countries: readonly string[] | null;
    note(line: string): void;
  },
): Promise<FoundReportApp[]> {
  const found = new Map<string, FoundReportApp>();
  for (const word of query.words) {
    for (const app of await findWord(stores, { ...query, word })) {
      const reference = appReferenceOf(app);
      if (!found.has(reference)) found.set(reference, app);
    }
  }
  if (found.size > appsMax) failField("links", `must be at most ${appsMax} apps`);
  return [...found.values()];
}

type Word = { word: string; countries: readonly string[] | null; note(line: string): void };

async function findWord(stores: Stores, query: Word): Promise<FoundApp[]> {
  const { word, countries } = query;
  if (isLink(word)) return [await findApp(stores, { ...noWay, link: word.trim(), countries })];
  const owner = storeIds.find((id) => stores[id].validateAppId(word).ok);
  if (owner !== undefined) {
    return [await findApp(stores, { ...noWay, store: owner, externalAppId: word, countries })];
  }
  return searchStores(stores, query);
}

/** The first hit of each store that has one which shares a word with the search: stores answer any search with something. */
async function searchStores(stores: Stores, { word, countries, note }: Word): Promise<FoundApp[]> {
  const search = async (store: StoreId): Promise<FoundApp | AppError> => {
    try {
      return await findApp(stores, { ...noWay, store, search: word, countries });
    } catch (error) {
      // Another store may have it.
      if (error instanceof AppError && error.code !== "invalid_input") return error;
      throw error;
    }
  };
  const results = await Promise.all(storeIds.map(search));
  const hits = results.flatMap((result) => (result instanceof AppError ? [] : [result]));
  const found = hits.filter(({ name = "" }) => sharesWord(word, name));
  for (const app of found) if (app.note !== null) note(`${app.store}: ${app.note}`);
  if (found.length > 0) return found;
  if (hits.length > 0) {
    const names = hits.map(
      ({ name, store, externalAppId }) => `${name} (${store} ${externalAppId})`,
    );
    throw new AppError(
      "not_found",
      `no app is named ${JSON.stringify(word)}; did you mean ${names.join(" or ")}? Then use its id`,
    );
  }
  const failures = results.flatMap((result) => (result instanceof AppError ? [result] : []));
  const code = failures.some((one) => one.code === "unavailable") ? "unavailable" : "not_found";
  throw new AppError(code, failures.map(({ message }) => message).join("; "));
}

/** Whether a word of one begins a word of the other, without regard to case and accents; of scripts without spaces, a part. */
function sharesWord(search: string, name: string): boolean {
  const [searched, named] = [search, name].map((text) =>
    text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase(),
  ) as [string, string];
  const compact = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");
  if (compact(searched) === "") return false;
  if (compact(named).includes(compact(searched))) return true;
  const words = (text: string): string[] =>
    text.split(/[^\p{L}\p{N}]+/u).filter((one) => one.length > 2);
  return words(searched).some((one) => words(named).some((other) => other.startsWith(one)));
}
