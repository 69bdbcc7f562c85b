// The shared part of all requests to the App Store's public pages.
import type { HttpResult } from "../../lib/http.ts";
import type { RecentResults } from "../recent-results.ts";
import type { AppInRegion } from "../store.ts";
import type { FoundApp } from "./lookup-parser.ts";

/** `default`, or with one thing changed. `helpful` has the same reviews in another order. */
export type RssVariant = "default" | "xml" | "spelling" | "agent" | "helpful";

export type AppleClient = {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<HttpResult>;
  /** Gaps close with time: two tries of one page stand apart. */
  waitBeforeRetry(): Promise<void>;
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

export function productPageUrl(client: AppleClient, app: AppInRegion): string {
  return `${client.appsBaseUrl}/${encodeURIComponent(app.region)}/app/id${app.externalAppId}`;
}

/** People write uk for gb; the store's response to that is a 400. */
export function storefrontOf(region: string): string {
  const storefront = region.toLowerCase();
  return storefront === "uk" ? "gb" : storefront;
}
