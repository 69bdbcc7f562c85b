// What every request to the App Store's public pages shares, and the lookup that several rest on.
import type { HttpAnswer } from "../../lib/http.ts";
import { readAnswer, unknown } from "../refusal.ts";
import type { AppInRegion, Unknown } from "../store.ts";
import { type Lookup, parseLookup } from "./lookup.ts";

export type AppleClient = {
  get(url: string): Promise<HttpAnswer>;
  itunesBaseUrl: string;
  appsBaseUrl: string;
  /** The last feed that had reviews: where it falls silent, the network is shut out. */
  answeringFeed: AppInRegion | null;
};

export const appleName = "The App Store";

export async function lookUp(
  client: AppleClient,
  { externalAppId, region }: AppInRegion,
): Promise<Exclude<Lookup, { kind: "malformed" }> | Unknown> {
  const query = new URLSearchParams({ id: externalAppId, country: region });
  const answer = await client.get(`${client.itunesBaseUrl}/lookup?${query}`);
  const read = readAnswer(answer, { store: appleName, accepted: [400] });
  if (read.kind === "refused") return read.unknown;
  if (read.status === 400) return unknown(`${appleName} knows no storefront "${region}"`);
  const lookup = parseLookup(read.text, externalAppId);
  if (lookup.kind !== "malformed") return lookup;
  return unknown(`${appleName} sent something else than facts of the app`);
}
