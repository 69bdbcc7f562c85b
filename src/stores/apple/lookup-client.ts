// Asks for the facts of apps in one storefront, many at once: the budget is some 20 questions a minute.
import { readAnswer, unknown } from "../response-check.ts";
import type { AppInRegion, Fetched, Unknown } from "../store.ts";
import { type AppleClient, appleName } from "./apple-client.ts";
import { type LookedUp, type Lookup, parseLookups } from "./lookup-parser.ts";

/** What is said of an app that the storefront does not sell is null. */
export type LookedUpApps = ReadonlyMap<string, LookedUp | null>;

/** As many as one answer holds. */
const idsMax = 150;

export async function lookUpMany(
  client: AppleClient,
  { externalAppIds, region }: { externalAppIds: readonly string[]; region: string },
): Promise<Fetched<LookedUpApps>> {
  const all = new Map<string, LookedUp | null>();
  for (let start = 0; start < externalAppIds.length; start += idsMax) {
    const ids = externalAppIds.slice(start, start + idsMax);
    const found = await ask(client, { ids, region });
    if ("outcome" in found) return found;
    // An app that the answer leaves in doubt is left out.
    for (const [id, lookup] of found) {
      if (lookup.kind === "found") all.set(id, { app: lookup.app, ratings: lookup.ratings });
      else if (lookup.kind === "not_found") all.set(id, null);
    }
  }
  return { outcome: "ok", value: all };
}

export async function lookUp(
  client: AppleClient,
  { externalAppId, region }: AppInRegion,
): Promise<Exclude<Lookup, { kind: "malformed" }> | Unknown> {
  const found = await ask(client, { ids: [externalAppId], region });
  if ("outcome" in found) return found;
  const lookup = found.get(externalAppId);
  return lookup === undefined || lookup.kind === "malformed" ? notFacts : lookup;
}

const notFacts = unknown(`${appleName} sent something else than facts of the app`);

async function ask(
  client: AppleClient,
  { ids, region }: { ids: readonly string[]; region: string },
): Promise<Map<string, Lookup> | Unknown> {
  const query = new URLSearchParams({ id: ids.join(","), country: region });
  const answer = await client.get(`${client.itunesBaseUrl}/lookup?${query}`);
  const read = readAnswer(answer, { store: appleName, accepted: [400] });
  if (read.kind === "refused") return read.unknown;
  if (read.status === 400) return unknown(`${appleName} knows no storefront "${region}"`);
  return parseLookups(read.text, ids) ?? notFacts;
}
