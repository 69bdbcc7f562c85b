// The App Store as a Store, over its public pages. Addresses are built here from ids and page
// numbers alone; links that the store sends are never followed.
import type { Http } from "../../lib/http.ts";
import type { RatingReading } from "../../reviews/snapshot.ts";
import { readAnswer, unknown } from "../refusal.ts";
import type { AppInRegion, Fetched, Store, StoreApp } from "../store.ts";
import { type AppleClient, appleName, lookUp } from "./apple-client.ts";
import { fetchFeedPage } from "./feed-paging.ts";
import { parseProductPage } from "./product-page.ts";

export type AppleStoreOptions = { http: Http; itunesBaseUrl: string; appsBaseUrl: string };

export function openAppleStore(options: AppleStoreOptions): Store {
  const client: AppleClient = {
    get: (url) => options.http({ method: "GET", url, headers: headersOf(url) }),
    itunesBaseUrl: withoutSlash(options.itunesBaseUrl),
    appsBaseUrl: withoutSlash(options.appsBaseUrl),
    answeringFeed: null,
  };
  return {
    id: "appstore",
    checkAppId,
    fetchReviews: ({ cursor, ...app }) =>
      fetchFeedPage(client, { ...inStorefront(app), page: cursor === null ? 1 : Number(cursor) }),
    fetchRatings: (app) => fetchRatings(client, inStorefront(app)),
    fetchApp: (app) => fetchApp(client, inStorefront(app)),
  };
}

function checkAppId(text: string): { ok: true } | { ok: false; reason: string } {
  if (/^[1-9]\d{0,19}$/.test(text)) return { ok: true };
  return { ok: false, reason: "an App Store id is a decimal number, like 1234567890" };
}

/** The product page answers browsers; everything else takes what it is sent. */
function headersOf(url: string): Record<string, string> {
  const isPage = /\/app\/id\d+$/.test(url);
  return {
    accept: isPage ? "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" : "*/*",
    "accept-language": "en-US,en;q=0.9",
  };
}

/** People say uk; the store answers 400 to it. */
function inStorefront({ externalAppId, region }: AppInRegion): AppInRegion {
  const storefront = region.toLowerCase();
  return { externalAppId, region: storefront === "uk" ? "gb" : storefront };
}

/**
 * The product page first: it alone has the histogram, and a series should rest on one source. The
 * lookup stands in when the page fails, and is the one that can say that an app is not sold.
 */
async function fetchRatings(
  client: AppleClient,
  app: AppInRegion,
): Promise<Fetched<RatingReading>> {
  const { externalAppId, region } = app;
  const url = `${client.appsBaseUrl}/${encodeURIComponent(region)}/app/id${externalAppId}`;
  const page = readAnswer(await client.get(url), { store: appleName });
  const shown = page.kind === "answered" ? parseProductPage(page.text, externalAppId) : null;
  if (shown !== null && shown.total > 0) return { outcome: "ok", value: shown };
  const found = await lookUp(client, app);
  if ("outcome" in found) return found;
  if (found.kind === "not_found") return { outcome: "empty" };
  if (found.ratings === null) return unknown(`${appleName} sent ratings that can't be right`);
  return { outcome: "ok", value: found.ratings };
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
