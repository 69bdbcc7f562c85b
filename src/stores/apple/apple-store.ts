// The App Store as a Store, over its public pages. Addresses are built here from ids and page
// numbers alone; links that the store sends are never followed.

import type { Delay } from "../../lib/delay.ts";
import type { Http } from "../../lib/http.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { unknown } from "../response-check.ts";
import type { AppInRegion, Fetched, Store, StoreApp } from "../store.ts";
import { type AppleClient, appleName, storefrontOf } from "./apple-client.ts";
import { findApps } from "./find-apps.ts";
import { type LookedUpApps, lookUp, lookUpMany } from "./lookup-client.ts";
import { fetchRatings } from "./ratings.ts";
import { fetchFeedPage } from "./rss-paging.ts";
import { readAppleLink } from "./store-link.ts";

export type AppleStoreOptions = {
  http: Http;
  itunesBaseUrl: string;
  appsBaseUrl: string;
  /** Keeps two tries of one page apart; without it only the pace of `http` does. */
  delay?: Delay;
  /** Some edges answer one client and not the other; this one is as honest. */
  otherUserAgent?: string;
};

export type AppleStore = Store & {
  /** Facts and ratings of many apps in one storefront, in one question for each 150 of them. */
  lookUpMany(asked: {
    externalAppIds: readonly string[];
    region: string;
  }): Promise<Fetched<LookedUpApps>>;
};

export function openAppleStore(options: AppleStoreOptions): AppleStore {
  const client = openAppleClient(options);
  return {
    id: "appstore",
    checkAppId,
    fetchReviews: ({ cursor, ...app }) => fetchFeedPage(client, { ...inStorefront(app), cursor }),
    fetchRatings: (app) => fetchRatings(client, inStorefront(app)),
    fetchApp: (app) => fetchApp(client, inStorefront(app)),
    readLink: readAppleLink,
    findApps: (query) => findApps(client, query),
    lookUpMany: (asked) => lookUpMany(client, { ...asked, region: storefrontOf(asked.region) }),
  };
}

const retryGapMs = 2 * secondMs;

function openAppleClient(options: AppleStoreOptions): AppleClient {
  const { http, delay } = options;
  return {
    get: (url, headers = {}) =>
      http({ method: "GET", url, headers: { ...headersOf(url), ...headers } }),
    waitBeforeRetry: async () => delay?.(retryGapMs),
    itunesBaseUrl: withoutSlash(options.itunesBaseUrl),
    appsBaseUrl: withoutSlash(options.appsBaseUrl),
    otherUserAgent: options.otherUserAgent ?? "Starpost feed reader",
    answeringFeed: null,
    helpfulForm: null,
  };
}

export function checkAppId(text: string): { ok: true } | { ok: false; reason: string } {
  if (/^[1-9]\d{0,19}$/.test(text)) return { ok: true };
  return { ok: false, reason: "an App Store id is a decimal number, like 1234567890" };
}

/** The product page answers browsers; everything else takes what it is sent. */
function headersOf(url: string): Record<string, string> {
  const isPage = /\/app\/id\d+(\?|$)/.test(url);
  return {
    accept: isPage ? "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" : "*/*",
    "accept-language": "en-US,en;q=0.9",
  };
}

function inStorefront({ externalAppId, region }: AppInRegion): AppInRegion {
  return { externalAppId, region: storefrontOf(region) };
}

async function fetchApp(client: AppleClient, app: AppInRegion): Promise<Fetched<StoreApp>> {
  const found = await lookUp(client, app);
  if ("outcome" in found) return found;
  if (found.kind === "not_found") return { outcome: "empty" };
  if (found.app.name === "") return unknown(`${appleName} sent an app without a name`);
  return { outcome: "ok", value: found.app };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
