// What every request to Google Play's public pages shares.
import type { Http } from "../../lib/http.ts";
import type { AppInRegion } from "../store.ts";

export type GoogleClient = {
  http: Http;
  baseUrl: string;
  /** The last feed that had reviews: when it turns empty too, the network is blocked. */
  lastGoodFeed: AppInRegion | null;
};

export const googleName = "Google Play";
