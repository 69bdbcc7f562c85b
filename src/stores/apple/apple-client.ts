// The shared part of all requests to the App Store's public pages.
import type { RecentResults } from "../recent-results.ts";
import { type CheckedResponse, unknownOutcome } from "../response-check.ts";
import type { ActiveShapes } from "../shapes/active-shapes.ts";
import type { AppInRegion, UnknownOutcome } from "../store.ts";
import type { FoundApp } from "./lookup-parser.ts";

/** `default`, or with one thing changed. `helpful` has the same reviews in another order. */
export type RssVariant = "default" | "xml" | "spelling" | "agent" | "helpful";

export type AppleClient = {
  /** `accepted`: statuses with a meaning of their own besides 200. */
  get(
    url: string,
    options?: { headers?: Readonly<Record<string, string>>; accepted?: readonly number[] },
  ): Promise<CheckedResponse>;
  /** Gaps close with time: two tries of one page stand apart. */
  waitBeforeRetry(): Promise<void>;
  shapes: ActiveShapes;
  itunesBaseUrl: string;
  appsBaseUrl: string;
  otherUserAgent: string;
  /** The last feed that had reviews: when it turns empty too, the network is blocked. */
  lastGoodFeed: AppInRegion | null;
  /** Apps that lookups found, by storefront and id. */
  lookups: RecentResults<FoundApp>;
  /** Apps for which a feed that must be full was read. */
  controls: RecentResults<true>;
  /** Other apps whose facts will soon be needed in a storefront. */
  listCompanions(region: string): Promise<readonly string[]>;
  /** The variant that filled the last gap, by host: for an hour it is asked for first. */
  variants: RecentResults<RssVariant>;
};

export const appleName = "The App Store";

/** The answer of a search or lookup. */
export async function fetchJson(
  client: AppleClient,
  path: string,
  storefront: string,
): Promise<string | UnknownOutcome> {
  const checked = await client.get(`${client.itunesBaseUrl}${path}`, { accepted: [400] });
  if (checked.kind === "failed") return checked.outcome;
  return checked.status === 400 ? unknownStorefront(storefront) : checked.text;
}

export function unknownStorefront(storefront: string): UnknownOutcome {
  return { ...unknownOutcome(`${appleName} knows no storefront "${storefront}"`), isFinal: true };
}

export function productPageUrl(client: AppleClient, app: AppInRegion): string {
  return `${client.appsBaseUrl}/${encodeURIComponent(app.region)}/app/id${app.externalAppId}`;
}
