// Finds apps in the App Store by a term or a bundle id: for phones first, for Macs where there are none.

import { storefrontOf } from "../../domain/store/app-link.ts";
import { listAt, numberAt, parseJson, textAt } from "../../lib/json.ts";
import { unexpectedContent } from "../response-check.ts";
import { parseStars } from "../source-text.ts";
import type { Fetched, StoreApp } from "../store.ts";
import { type AppleClient, appleName, fetchJson } from "./apple-client.ts";
import { isApp, parseAppFacts } from "./lookup-parser.ts";

const limit = "25";

export async function findApps(
  client: AppleClient,
  query: { term: string; region: string } | { bundleId: string; region: string },
): Promise<Fetched<StoreApp[]>> {
  const country = storefrontOf(query.region);
  const fetchApps = async (
    path: string,
    params: Record<string, string>,
    parse: (json: string) => StoreApp[] | null,
  ): Promise<Fetched<StoreApp[]>> => {
    const search = new URLSearchParams({ ...params, country });
    const json = await fetchJson(client, `${path}?${search}`, country);
    if (typeof json !== "string") return json;
    const apps = parse(json);
    if (apps === null) return unexpectedContent(appleName, "a list of apps");
    return apps.length === 0 ? { outcome: "empty" } : { outcome: "ok", value: apps };
  };
  if ("bundleId" in query) {
    const { bundleId } = query;
    return fetchApps("/lookup", { bundleId }, (json) => parseBundleLookup(json, bundleId));
  }
  const { term } = query;
  const search = (entity: string) =>
    fetchApps("/search", { term, entity, limit }, (json) => parseSearch(json, term));
  const found = await search("software");
  return found.outcome === "empty" ? search("macSoftware") : found;
}

/** null: no list of results. */
export function parseSearch(text: string, term: string): StoreApp[] | null {
  const results = appResults(text);
  const words = wordsOf(term);
  return (
    results
      ?.map((result) => ({ app: parseFound(result), score: countWords(result, words) }))
      .filter(({ app, score }) => score > 0 && app.name !== "")
      .sort((one, other) => other.score - one.score)
      .map(({ app }) => app) ?? null
  );
}

function parseFound(result: unknown): StoreApp {
  const rating = parseStars(numberAt(result, "averageUserRating"));
  return {
    ...parseAppFacts(result),
    ...(rating !== null && { rating }),
  };
}

/** null: no list of results. */
function parseBundleLookup(text: string, bundleId: string): StoreApp[] | null {
  const id = bundleId.toLowerCase();
  return (
    appResults(text)
      ?.filter((result) => textAt(result, "bundleId")?.toLowerCase() === id)
      .map(parseAppFacts)
      .filter(({ name }) => name !== "") ?? null
  );
}

/** As many as Apple returns at most. */
const resultsMax = 200;

function appResults(text: string): unknown[] | null {
  const results = listAt(parseJson(text), "results")?.slice(0, resultsMax);
  return results?.filter((result) => isApp(result) && numberAt(result, "trackId") !== null) ?? null;
}

function countWords(result: unknown, words: readonly string[]): number {
  const known = ["trackName", "sellerName", "artistName", "bundleId"]
    .map((key) => normalize(textAt(result, key) ?? ""))
    .join(" ");
  const name = normalize(textAt(result, "trackName") ?? "");
  // Part of a word is enough: not every language writes spaces.
  const count = words.filter((word) => known.includes(word)).length;
  return name === words.join(" ") ? count + 1 : count;
}

const wordsMax = 20;

function wordsOf(term: string): string[] {
  return normalize(term)
    .split(/[^\p{L}\p{N}.]+/u)
    .filter((word) => word !== "")
    .slice(0, wordsMax);
}

function normalize(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
