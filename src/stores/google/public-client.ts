// The shared part of all requests to Google Play's public pages.
import type { Http } from "../../lib/http.ts";
import type { RecentResults } from "../recent-results.ts";
import { type CheckedResponse, checkResponse } from "../response-check.ts";
import type { ActiveShapes } from "../shapes/active-shapes.ts";
import type { AppInRegion } from "../store.ts";
import type { DetailsPage } from "./details-page.ts";

export type GoogleClient = {
  http: Http;
  shapes: ActiveShapes;
  baseUrl: string;
  /** The last feed that had reviews: when it turns empty too, the network is blocked. */
  lastGoodFeed: AppInRegion | null;
  /** The request for reviews that got an error in place of them last; null after a good one. */
  refusedRequest: string | null;
  /** Pages of apps, by app, country and language. */
  pages: RecentResults<DetailsPage>;
  /** How many reviews an app's page counts, by app and language. */
  reviewCounts: RecentResults<number>;
  /** Apps for which a feed that must be full was read. */
  controls: RecentResults<true>;
};

export const googleName = "Google Play";

/** @param accepted statuses with a meaning of their own besides 200 */
export async function fetchHtml(
  { http, baseUrl }: GoogleClient,
  path: string,
  { params, accepted }: { params: { hl: string } & Record<string, string>; accepted?: number[] },
): Promise<CheckedResponse> {
  const url = `${baseUrl}${path}?${new URLSearchParams(params)}`;
  const headers = { accept: "text/html,*/*;q=0.8", "accept-language": params.hl };
  const response = await http({ method: "GET", url, headers });
  return checkResponse(response, { store: googleName, accepted });
}
