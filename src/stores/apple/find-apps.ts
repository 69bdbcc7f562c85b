// Finds apps in the App Store by a term or a bundle id: for phones first, for Macs where there are none.
import { checkResponse, unexpectedContent, unknownOutcome } from "../response-check.ts";
import type { Fetched, StoreApp } from "../store.ts";
import { type AppleClient, appleName, storefrontOf } from "./apple-client.ts";
import { parseBundleLookup, parseSearch } from "./search.ts";

const resultsMax = 25;

export async function findApps(
  client: AppleClient,
  query: { term: string; region: string } | { bundleId: string; region: string },
): Promise<Fetched<StoreApp[]>> {
  const country = storefrontOf(query.region);
  if ("bundleId" in query) {
    const { bundleId } = query;
    return fetchApps(client, {
      path: `/lookup?${new URLSearchParams({ bundleId, country })}`,
      country,
      parse: (text) => parseBundleLookup(text, bundleId),
    });
  }
  const { term } = query;
  const search = (entity: string): Promise<Fetched<StoreApp[]>> => {
    const params = new URLSearchParams({ term, country, entity, limit: String(resultsMax) });
    const parse = (text: string): StoreApp[] | null => parseSearch(text, term);
    return fetchApps(client, { path: `/search?${params}`, country, parse });
  };
  const found = await search("software");
  return found.outcome === "empty" ? search("macSoftware") : found;
}

async function fetchApps(
  client: AppleClient,
  request: { path: string; country: string; parse: (text: string) => StoreApp[] | null },
): Promise<Fetched<StoreApp[]>> {
  const response = await client.get(`${client.itunesBaseUrl}${request.path}`);
  const checked = checkResponse(response, { store: appleName, accepted: [400] });
  if (checked.kind === "failed") return checked.outcome;
  if (checked.status === 400) {
    return unknownOutcome(`${appleName} knows no storefront "${request.country}"`);
  }
  const apps = request.parse(checked.text);
  if (apps === null) return unexpectedContent(appleName, "a list of apps");
  return apps.length === 0 ? { outcome: "empty" } : { outcome: "ok", value: apps };
}
