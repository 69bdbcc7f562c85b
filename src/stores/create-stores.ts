// A client for the public side of each store, all on one HTTP client.
import type { StoreId } from "../domain/store/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import type { Delay } from "../lib/delay.ts";
import type { Http } from "../lib/http.ts";
import { createAppleStore } from "./apple/apple-store.ts";
import { createFirefoxStore } from "./firefox/firefox-store.ts";
import { createGoogleStore } from "./google/google-store.ts";
import type { ActiveShapes } from "./shapes/active-shapes.ts";
import type { Store } from "./store.ts";

export type PublicStores = Readonly<Record<StoreId, Store>>;

/** Where the stores are, by the names of the settings. */
export type StoreBases = {
  itunesBaseUrl: string;
  appleAppsBaseUrl: string;
  googlePlayBaseUrl: string;
  firefoxAddonsBaseUrl: string;
};

export function createStores(
  bases: StoreBases,
  deps: {
    clock: Clock;
    http: Http;
    /** Left out: those of the release. */
    shapes?: ActiveShapes;
    delay?: Delay;
    /** Ids of other apps of the App Store whose facts will soon be needed in a storefront. */
    listCompanions?: (region: string) => Promise<readonly string[]>;
  },
): PublicStores {
  const { itunesBaseUrl, appleAppsBaseUrl: appsBaseUrl } = bases;
  const { http, clock, shapes } = deps;
  const googleDeps = { http, clock, ...(shapes && { shapes }) };
  return {
    appstore: createAppleStore({ ...deps, itunesBaseUrl, appsBaseUrl }),
    googleplay: createGoogleStore({ ...googleDeps, baseUrl: bases.googlePlayBaseUrl }),
    firefoxaddons: createFirefoxStore({ http, clock, baseUrl: bases.firefoxAddonsBaseUrl }),
  };
}
