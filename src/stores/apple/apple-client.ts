// What every request to the App Store's public pages shares.
import type { HttpAnswer } from "../../lib/http.ts";
import type { AppInRegion } from "../store.ts";
import type { FeedForm } from "./rss-request.ts";

export type AppleClient = {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  /** Holes close with time: two tries of one page stand apart. */
  waitBeforeRetry(): Promise<void>;
  itunesBaseUrl: string;
  appsBaseUrl: string;
  otherUserAgent: string;
  /** The last feed that had reviews: where it falls silent, the network is shut out. */
  answeringFeed: AppInRegion | null;
  /** The form that filled the last hole. */
  helpfulForm: FeedForm | null;
};

export const appleName = "The App Store";

export function productPageUrl(client: AppleClient, app: AppInRegion): string {
  return `${client.appsBaseUrl}/${encodeURIComponent(app.region)}/app/id${app.externalAppId}`;
}

/** People say uk; the store answers 400 to it. */
export function storefrontOf(region: string): string {
  const storefront = region.toLowerCase();
  return storefront === "uk" ? "gb" : storefront;
}
