// Google Play as a Store, over its public pages. Reviews come by language, ratings by country: the
// region of a request means the one or the other.

import type { RatingReading } from "../../domain/review/snapshot.ts";
import { isPackageName, storefrontOf } from "../../domain/store/app-link.ts";
import { parseAppLink } from "../../domain/store/store-traits.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Http } from "../../lib/http.ts";
import { listAt, textAt, valueAt } from "../../lib/json.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { RecentResults } from "../recent-results.ts";
import { unexpectedContent, unknownOutcome } from "../response-check.ts";
import { ActiveShapes } from "../shapes/active-shapes.ts";
import { googleApp } from "../shapes/google-shapes.ts";
import { readItem } from "../shapes/shape.ts";
import { appNameMax, parseStars, sourceText, webUrl } from "../source-text.ts";
import type { AppInRegion, Fetched, Store, StoreApp } from "../store.ts";
import { isPartial } from "./details-page.ts";
import { fetchDetails } from "./details-request.ts";
import { blocksOf } from "./page-blocks.ts";
import { fetchHtml, type GoogleClient, googleName } from "./public-client.ts";
import { fetchReviews } from "./review-paging.ts";

type GoogleStoreOptions = {
  http: Http;
  clock: Clock;
  baseUrl: string;
  /** Left out: those of the release. */
  shapes?: ActiveShapes;
};

/** Pages of apps that are remembered, at up to 3 kB each. */
const recentCountMax = 5_000;
/** Ratings that look wrong are read again after 15 minutes, and must not agree with themselves. */
const ratingsAgeMsMax = 10 * minuteMs;

export function createGoogleStore(options: GoogleStoreOptions): Store {
  const { baseUrl, clock, http, shapes = new ActiveShapes() } = options;
  const client: GoogleClient = {
    ...{ http, shapes, baseUrl, lastGoodFeed: null, refusedRequest: null },
    pages: new RecentResults(clock, { countMax: recentCountMax }),
    reviewCounts: new RecentResults(clock, { countMax: 10 * recentCountMax }),
    controls: new RecentResults(clock, { countMax: recentCountMax }),
  };
  return {
    id: "googleplay",
    validateAppId,
    fetchReviews: (request) => fetchReviews(client, request),
    fetchRatings: (app) => fetchRatings(client, app),
    fetchApp: (app) => fetchApp(client, app),
    parseLink: (text) => parseAppLink("googleplay", text),
    findApps: (query) => findApps(client, query),
  };
}

function validateAppId(text: string): { ok: true } | { ok: false; reason: string } {
  if (isPackageName(text)) return { ok: true };
  return { ok: false, reason: "a Google Play id is a package name, like com.example.app" };
}

async function fetchRatings(
  client: GoogleClient,
  app: AppInRegion,
): Promise<Fetched<RatingReading>> {
  const query = { ...app, language: "en", ageMsMax: ratingsAgeMsMax };
  const page = await fetchDetails(client, query);
  if (page.outcome !== "ok") return page;
  const { ratings } = page.value;
  if (ratings === null) return unknownOutcome(`${googleName} shows no ratings that can be right`);
  return { outcome: "ok", value: ratings };
}

async function fetchApp(client: GoogleClient, app: AppInRegion): Promise<Fetched<StoreApp>> {
  const page = await fetchDetails(client, { ...app, language: "en" });
  if (page.outcome !== "ok") return page;
  const { name, developer, iconUrl, facts } = page.value;
  const { externalAppId } = app;
  const found = { externalAppId, name, iconUrl, ...(developer && { developer }) };
  return { outcome: "ok", value: isPartial(page.value) ? found : { ...found, facts } };
}

async function findApps(
  client: GoogleClient,
  query: { term: string; region: string } | { bundleId: string; region: string },
): Promise<Fetched<StoreApp[]>> {
  if ("bundleId" in query) {
    if (!isPackageName(query.bundleId)) return { outcome: "empty" };
    const found = await fetchApp(client, { externalAppId: query.bundleId, region: query.region });
    return found.outcome === "ok" ? { outcome: "ok", value: [found.value] } : found;
  }
  const params = { q: query.term, c: "apps", hl: "en", gl: storefrontOf(query.region) };
  const checked = await fetchHtml(client, "/store/search", { params });
  if (checked.kind === "failed") return checked.outcome;
  const apps = parseSearchPage(checked.text);
  if (apps === null) return unexpectedContent(googleName, "search results");
  return apps.length === 0 ? { outcome: "empty" } : { outcome: "ok", value: apps };
}

const searchRpcId = "lGYRle";

/** The exact match first. null: no page of search results. */
export function parseSearchPage(html: string): StoreApp[] | null {
  const data = blocksOf(html, searchRpcId).find((block) => listAt(block, 0) !== null);
  if (data === undefined) return null;
  // Without results, the sections are missing.
  const sections = listAt(data, 0, 1) ?? [];
  const exact = sections.map((section) => parseExactMatch(listAt(section, 23, 16)));
  const listed = sections.flatMap((section) => listAt(section, 22, 0) ?? []).map(parseListed);
  const apps = new Map<string, StoreApp>();
  for (const app of [...exact, ...listed]) {
    if (app !== null && !apps.has(app.externalAppId)) apps.set(app.externalAppId, app);
  }
  return [...apps.values()];
}

/** Has the fields of a details page, with the package name beside them. */
function parseExactMatch(match: unknown[] | null): StoreApp | null {
  const app = readItem(googleApp, listAt(match, 2));
  const id = textAt(match, 11, 0, 0) ?? textAt(match?.at(-1), "12", 0, 0) ?? app.packageName;
  return toStoreApp({ ...app, id, rating: app.average });
}

function parseListed(item: unknown): StoreApp | null {
  return toStoreApp({
    id: textAt(item, 0, 0, 0),
    name: valueAt(item, 0, 3),
    icon: valueAt(item, 0, 1, 3, 2),
    developer: valueAt(item, 0, 14),
    rating: valueAt(item, 0, 4, 0, 1),
  });
}

type RawApp = {
  id: string | null;
  name: unknown;
  icon: unknown;
  developer: unknown;
  rating: unknown;
};

function toStoreApp(raw: RawApp): StoreApp | null {
  const name = sourceText(raw.name, appNameMax);
  if (raw.id === null || !isPackageName(raw.id) || name === "") return null;
  const developer = sourceText(raw.developer, appNameMax);
  const rating = parseStars(raw.rating);
  return {
    ...{ externalAppId: raw.id, name, iconUrl: webUrl(raw.icon) },
    ...(developer && { developer }),
    ...(rating !== null && { rating }),
  };
}
