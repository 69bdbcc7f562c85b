// Firefox Add-ons as a Store, over its public API. It has one list of ratings for the whole world, so the region of a request
// changes nothing.
import type { RatingReading } from "../../domain/review/snapshot.ts";
import { parseAddonLink } from "../../domain/store/app-link.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Http } from "../../lib/http.ts";
import { listAt } from "../../lib/json.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { RecentResults } from "../recent-results.ts";
import { unexpectedContent, unknownOutcome } from "../response-check.ts";
import type { Fetched, Store, StoreApp } from "../store.ts";
import { type Addon, parseAddon, withHistogram } from "./addon.ts";
import { type AddonsClient, addonsName, getJson } from "./addons-client.ts";
import { fetchRatingList, fetchReviews } from "./review-paging.ts";

/** Add-ons that are remembered, at up to 3 kB each. */
const recentCountMax = 5_000;
/** Ratings that look wrong are read again after 15 minutes, and must not agree with themselves. */
const ratingsAgeMsMax = 10 * minuteMs;
const foundMax = 20;
const termMax = 100;
/** Words that are typed into a search may be one. */
const guidPattern = /^(\{[\da-f-]{36}\}|[\w.-]*@[\w.-]+)$/i;

export function createFirefoxStore(options: { http: Http; clock: Clock; baseUrl: string }): Store {
  const { clock } = options;
  const addons = new RecentResults<Addon>(clock, { countMax: recentCountMax });
  const client: AddonsClient = { ...options, addons };
  return {
    id: "firefoxaddons",
    listsAllReviews: true,
    validateAppId,
    fetchReviews: (request) => fetchReviews(client, request),
    fetchRatings: ({ externalAppId }) => fetchRatings(client, externalAppId),
    fetchApp: ({ externalAppId }) => fetchApp(client, externalAppId),
    parseLink: (text) => parseAddonLink(text.trim()),
    findApps: (query) => findApps(client, query),
  };
}

/** Slugs change and guids have signs that names of apps lack, so an add-on is known by its number here. */
function validateAppId(text: string): { ok: true } | { ok: false; reason: string } {
  if (/^[1-9]\d{0,9}$/.test(text)) return { ok: true };
  return {
    ok: false,
    reason: "an add-on's id is a number, like 607454; its link or guid finds it",
  };
}

/** @param key an id, a slug or a guid */
async function fetchAddon(
  client: AddonsClient,
  { key, ageMsMax = hourMs }: { key: string; ageMsMax?: number },
): Promise<Fetched<Addon>> {
  const known = client.addons.find(key, ageMsMax);
  if (known) return { outcome: "ok", value: known };
  const path = `addons/addon/${encodeURIComponent(key)}/`;
  const answer = await getJson(client, { path, expected: "an add-on" });
  if ("outcome" in answer) return answer;
  if (answer.kind === "absent")
    return { outcome: "empty", ...(answer.note && { note: answer.note }) };
  const addon = parseAddon(answer.json);
  const names = [addon?.id, addon?.slug, addon?.guid].map((name) => name?.toLowerCase());
  if (!addon || !names.includes(key.toLowerCase()))
    return unexpectedContent(addonsName, "the add-on that was asked for");
  client.addons.save(key, addon);
  return { outcome: "ok", value: addon };
}

async function fetchApp(client: AddonsClient, key: string): Promise<Fetched<StoreApp>> {
  const found = await fetchAddon(client, { key });
  return found.outcome === "ok" ? { outcome: "ok", value: toStoreApp(found.value) } : found;
}

function toStoreApp({ id, name, iconUrl, developer, facts }: Addon): StoreApp {
  return { externalAppId: id, name, iconUrl, ...(developer && { developer }), facts };
}

/** Average and total as the add-on states them; the histogram is beside the list. */
async function fetchRatings(client: AddonsClient, id: string): Promise<Fetched<RatingReading>> {
  const found = await fetchAddon(client, { key: id, ageMsMax: ratingsAgeMsMax });
  if (found.outcome !== "ok") return found;
  const { ratings } = found.value;
  if (ratings === null) return unknownOutcome(`${addonsName} shows no ratings that can be right`);
  const list = await fetchRatingList(client, { addonId: id, page: 1, pageSize: 1 });
  if ("outcome" in list) return list;
  const histogram = "kind" in list ? null : list.histogram;
  return { outcome: "ok", value: withHistogram(ratings, histogram) };
}

async function findApps(
  client: AddonsClient,
  query: { term: string } | { bundleId: string },
): Promise<Fetched<StoreApp[]>> {
  const name = "bundleId" in query ? query.bundleId : query.term;
  if ("bundleId" in query || guidPattern.test(name)) {
    const found = await fetchApp(client, name);
    return found.outcome === "ok" ? { outcome: "ok", value: [found.value] } : found;
  }
  const search = { q: name.slice(0, termMax), page_size: String(foundMax) };
  const answer = await getJson(client, {
    ...{ path: "addons/search/", query: search, expected: "a list of add-ons" },
  });
  if ("outcome" in answer) return answer;
  const items = answer.kind === "found" ? listAt(answer.json, "results") : null;
  if (items === null) return unexpectedContent(addonsName, "a list of add-ons");
  const found = items.flatMap((item) => parseAddon(item) ?? []);
  if (found.length === 0) return { outcome: "empty" };
  return {
    outcome: "ok",
    value: found.map((addon) => {
      const { facts: _, ...app } = toStoreApp(addon);
      return { ...app, ...(addon.ratings?.total && { rating: addon.ratings.average }) };
    }),
  };
}
