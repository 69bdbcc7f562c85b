// The App Store as a Store, over its public pages. Addresses are built here from ids and page numbers
// alone; links that the store sends are never followed.

import { storefrontOf } from "../../domain/store/app-link.ts";
import { parseAppLink } from "../../domain/store/store-traits.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Delay } from "../../lib/delay.ts";
import type { Http } from "../../lib/http.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { RecentResults } from "../recent-results.ts";
import { checkResponse, unknownOutcome } from "../response-check.ts";
import { ActiveShapes } from "../shapes/active-shapes.ts";
import type { AppInRegion, Fetched, Store, StoreApp } from "../store.ts";
import { type AppleClient, appleName } from "./apple-client.ts";
import { findApps } from "./find-apps.ts";
import { fetchLookup } from "./lookup-client.ts";
import { fetchRatings } from "./ratings.ts";
import { fetchReviewPage } from "./rss-paging.ts";

type AppleStoreOptions = {
  http: Http;
  clock: Clock;
  itunesBaseUrl: string;
  appsBaseUrl: string;
  /** Left out: those of the release. */
  shapes?: ActiveShapes;
  /** Keeps two tries of one page apart; without it only the throttle of `http` does. */
  delay?: Delay;
  /** Some edges of the store serve one client and not the other; this name is as honest. */
  otherUserAgent?: string;
  /** Ids of other apps whose facts will soon be needed there: one request brings them along. */
  listCompanions?: (region: string) => Promise<readonly string[]>;
};

export function createAppleStore(options: AppleStoreOptions): Store {
  const client = createAppleClient(options);
  return {
    id: "appstore",
    validateAppId,
    fetchReviews: ({ cursor, ...app }) => fetchReviewPage(client, { ...inStorefront(app), cursor }),
    fetchRatings: (app) => fetchRatings(client, inStorefront(app)),
    fetchApp: (app) => fetchApp(client, inStorefront(app)),
    parseLink: (text) => parseAppLink("appstore", text),
    findApps: (query) => findApps(client, query),
  };
}

const retryGapMs = 2 * secondMs;
/** Apps and storefronts whose facts are remembered, at up to 3 kB each. */
const recentCountMax = 5_000;

function createAppleClient(options: AppleStoreOptions): AppleClient {
  const { http, delay } = options;
  return {
    async get(url, { headers, accepted } = {}) {
      const sent = { ...headersOf(url), ...headers };
      const response = await http({ method: "GET", url, headers: sent });
      return checkResponse(response, { store: appleName, accepted });
    },
    waitBeforeRetry: async () => delay?.(retryGapMs),
    shapes: options.shapes ?? new ActiveShapes(),
    itunesBaseUrl: options.itunesBaseUrl,
    appsBaseUrl: options.appsBaseUrl,
    otherUserAgent: options.otherUserAgent ?? "Starpost feed reader",
    lookups: new RecentResults(options.clock, { countMax: recentCountMax }),
    controls: new RecentResults(options.clock, { countMax: recentCountMax }),
    listCompanions: options.listCompanions ?? (async () => []),
    lastGoodFeed: null,
    variants: new RecentResults(options.clock, { countMax: 1 }),
  };
}

export function validateAppId(text: string): { ok: true } | { ok: false; reason: string } {
  if (/^[1-9]\d{0,19}$/.test(text)) return { ok: true };
  return { ok: false, reason: "an App Store id is a decimal number, like 1234567890" };
}

/** The product page is served to browsers only. */
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
  const lookup = await fetchLookup(client, app);
  if ("outcome" in lookup) return lookup;
  if (lookup.kind === "not_found")
    return { outcome: "empty", ...(lookup.note && { note: lookup.note }) };
  if (lookup.app.name === "") return unknownOutcome(`${appleName} sent an app without a name`);
  return { outcome: "ok", value: lookup.app };
}
