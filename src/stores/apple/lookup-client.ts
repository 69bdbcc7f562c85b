// Fetches facts and ratings of apps in one storefront, many with each request: the store allows about
// 20 lookups a minute.
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { unexpectedContent } from "../response-check.ts";
import type { AppInRegion, UnknownOutcome } from "../store.ts";
import { type AppleClient, appleName, fetchJson } from "./apple-client.ts";
import { type Lookup, parseLookups } from "./lookup-parser.ts";

/** As many as one response holds. */
export const lookupIdsMax = 150;

/** How old the facts of an app may be when they confirm that there is nothing else of it. */
const factsAgeMsMax = hourMs;
/** Ratings that look wrong are read again after 15 minutes, and must not agree with themselves. */
export const ratingsAgeMsMax = 10 * minuteMs;

/**
 * The facts of one app, and with the same request those of others that will soon be needed there. That the
 * storefront does not sell the app counts from a request for this app alone.
 */
export async function fetchLookup(
  client: AppleClient,
  app: AppInRegion,
  { ageMsMax = factsAgeMsMax }: { ageMsMax?: number } = {},
): Promise<Exclude<Lookup, { kind: "malformed" }> | UnknownOutcome> {
  const known = client.lookups.find(keyOf(app), ageMsMax);
  if (known) return known;
  const { externalAppId, region } = app;
  const companions = (await client.listCompanions(region)).filter(
    (id) =>
      id !== externalAppId && !client.lookups.find(keyOf({ ...app, externalAppId: id }), ageMsMax),
  );
  const together = [externalAppId, ...companions].slice(0, lookupIdsMax);
  for (const ids of together.length > 1 ? [together, [externalAppId]] : [together]) {
    const lookups = await fetchBatch(client, { ids, region });
    if ("outcome" in lookups) return lookups;
    for (const [id, lookup] of lookups) {
      if (lookup.kind === "found")
        client.lookups.save(keyOf({ region, externalAppId: id }), lookup);
    }
    const lookup = lookups.get(externalAppId);
    if (lookup?.kind === "found" || (lookup?.kind === "not_found" && ids.length === 1))
      return lookup;
  }
  return notFacts;
}

function keyOf({ externalAppId, region }: AppInRegion): string {
  return `${region} ${externalAppId}`;
}

const notFacts = unexpectedContent(appleName, "details of the app");

async function fetchBatch(
  client: AppleClient,
  { ids, region }: { ids: readonly string[]; region: string },
): Promise<Map<string, Lookup> | UnknownOutcome> {
  const query = new URLSearchParams({ id: ids.join(","), country: region });
  const json = await fetchJson(client, `/lookup?${query}`, region);
  return typeof json === "string" ? (parseLookups(json, ids) ?? notFacts) : json;
}
