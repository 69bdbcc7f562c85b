// Fetches facts and ratings of apps in one storefront, many with each request: the store allows about
// 20 lookups a minute.
import { checkResponse, unknownOutcome } from "../response-check.ts";
import type { AppInRegion, Fetched, UnknownOutcome } from "../store.ts";
import { type AppleClient, appleName } from "./apple-client.ts";
import { type Lookup, type LookupResult, parseLookups } from "./lookup-parser.ts";

/** By app id; null for an app that the storefront does not sell. */
export type LookupResults = ReadonlyMap<string, LookupResult | null>;

/** As many as one response holds. */
const idsMax = 150;

export async function fetchLookups(
  client: AppleClient,
  { externalAppIds, region }: { externalAppIds: readonly string[]; region: string },
): Promise<Fetched<LookupResults>> {
  const results = new Map<string, LookupResult | null>();
  for (let start = 0; start < externalAppIds.length; start += idsMax) {
    const ids = externalAppIds.slice(start, start + idsMax);
    const lookups = await fetchBatch(client, { ids, region });
    if ("outcome" in lookups) return lookups;
    // A malformed result says nothing of its app, which is left out.
    for (const [id, lookup] of lookups) {
      if (lookup.kind === "found") results.set(id, { app: lookup.app, ratings: lookup.ratings });
      else if (lookup.kind === "not_found") results.set(id, null);
    }
  }
  return { outcome: "ok", value: results };
}

export async function fetchLookup(
  client: AppleClient,
  { externalAppId, region }: AppInRegion,
): Promise<Exclude<Lookup, { kind: "malformed" }> | UnknownOutcome> {
  const lookups = await fetchBatch(client, { ids: [externalAppId], region });
  if ("outcome" in lookups) return lookups;
  const lookup = lookups.get(externalAppId);
  return lookup === undefined || lookup.kind === "malformed" ? notFacts : lookup;
}

const notFacts = unknownOutcome(`${appleName} sent something else than facts of the app`);

async function fetchBatch(
  client: AppleClient,
  { ids, region }: { ids: readonly string[]; region: string },
): Promise<Map<string, Lookup> | UnknownOutcome> {
  const query = new URLSearchParams({ id: ids.join(","), country: region });
  const response = await client.get(`${client.itunesBaseUrl}/lookup?${query}`);
  const checked = checkResponse(response, { store: appleName, accepted: [400] });
  if (checked.kind === "failed") return checked.outcome;
  if (checked.status === 400) return unknownOutcome(`${appleName} knows no storefront "${region}"`);
  return parseLookups(checked.text, ids) ?? notFacts;
}
