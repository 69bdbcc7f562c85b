// Finds apps in the App Store by a term or a bundle id: programs for phones first, for Macs after.
import { readAnswer, unknown } from "../response-check.ts";
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
    const asked = new URLSearchParams({ bundleId, country });
    return ask(client, {
      path: `/lookup?${asked}`,
      country,
      parse: (text) => parseBundleLookup(text, bundleId),
    });
  }
  const { term } = query;
  const search = (entity: string): Promise<Fetched<StoreApp[]>> => {
    const asked = new URLSearchParams({ term, country, entity, limit: String(resultsMax) });
    return ask(client, {
      path: `/search?${asked}`,
      country,
      parse: (text) => parseSearch(text, term),
    });
  };
  const found = await search("software");
  return found.outcome === "empty" ? search("macSoftware") : found;
}

async function ask(
  client: AppleClient,
  question: { path: string; country: string; parse: (text: string) => StoreApp[] | null },
): Promise<Fetched<StoreApp[]>> {
  const answer = await client.get(`${client.itunesBaseUrl}${question.path}`);
  const read = readAnswer(answer, { store: appleName, accepted: [400] });
  if (read.kind === "refused") return read.unknown;
  if (read.status === 400) return unknown(`${appleName} knows no storefront "${question.country}"`);
  const apps = question.parse(read.text);
  if (apps === null) return unknown(`${appleName} sent something else than a list of apps`);
  return apps.length === 0 ? { outcome: "empty" } : { outcome: "ok", value: apps };
}
