// Finds apps in the App Store by a term or a bundle id: for phones first, for Macs where there are none.
import { storefrontOf } from "../../domain/app-link.ts";
import { unexpectedContent } from "../response-check.ts";
import type { Fetched, StoreApp } from "../store.ts";
import { type AppleClient, appleName, fetchJson } from "./apple-client.ts";
import { parseBundleLookup, parseSearch } from "./search.ts";

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
