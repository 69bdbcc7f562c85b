// Writes the public API of Firefox Add-ons: ratings by page number, an add-on by id, slug or guid, and a search. The numbers of
// users are in the answers, as in the real ones: clients must not keep them.
import { formatTimestamp } from "../src/lib/timestamp.ts";
import { jsonResponse } from "./connect-api.ts";
import { noRatings, sumUp } from "./histograms.ts";
import type { SimulatedApp, SimulatedReview } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

export const addonsStore = "firefoxaddons";
/** The add-ons' one list is stored under it. */
const region = "001";
const pageSizeMax = 50;
const host = "https://addons.mozilla.org";

const notFound = jsonResponse(404, { detail: "Not found." });

export function handleAddonRatings(storeState: StoreState, request: StoreRequest): StoreResponse {
  const app = findAddon(storeState, request.externalAppId);
  if (!app) return notFound;
  const { searchParams } = request.url;
  const pageSize = Math.min(pageSizeMax, Number(searchParams.get("page_size") ?? "25"));
  const { page } = request;
  const list = storeState.reviewList(app, region);
  const pageCount = Math.max(1, Math.ceil(list.length / pageSize));
  if (page < 1 || page > pageCount) return jsonResponse(404, { detail: "Invalid page." });
  const linkTo = (number: number): string | null =>
    number >= 1 && number <= pageCount ? linkOf(request.url, number) : null;
  const results = list.slice((page - 1) * pageSize, pageSize).map((one) => toRating(app, one));
  const histogram = storeState.ratingsNow(app, region) ?? noRatings;
  const grouped = Object.fromEntries(histogram.map((count, index) => [index + 1, count]));
  return jsonResponse(200, {
    ...{ page_size: pageSize, page_count: pageCount, count: list.length },
    ...{ next: linkTo(page + 1), previous: linkTo(page - 1), results },
    ...(searchParams.get("show_grouped_ratings") === "1" && { grouped_ratings: grouped }),
  });
}

function linkOf(url: URL, page: number): string {
  const query = new URLSearchParams(url.searchParams);
  query.set("page", String(page));
  return `${host}${url.pathname}?${query}`;
}

export function handleAddonDetails(storeState: StoreState, request: StoreRequest): StoreResponse {
  const app = findAddon(storeState, request.externalAppId);
  return app ? jsonResponse(200, toAddon(storeState, app)) : notFound;
}

export function handleAddonSearch(storeState: StoreState, { url }: StoreRequest): StoreResponse {
  const words = (url.searchParams.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const results = storeState
    .appsNow(addonsStore)
    .filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)))
    .map((app) => toAddon(storeState, app));
  return jsonResponse(200, { ...{ page_size: 25, count: results.length, next: null }, results });
}

/** By its id, its slug or its guid, as the API does. */
function findAddon(storeState: StoreState, key: string): SimulatedApp | null {
  const byId = storeState.appNow({ store: addonsStore, externalAppId: key });
  const isNamed = (app: SimulatedApp): boolean => app.bundleId === key || slugOf(app) === key;
  return byId ?? storeState.appsNow(addonsStore).find(isNamed) ?? null;
}

export function slugOf({ name }: Pick<SimulatedApp, "name">): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
}

function toAddon(storeState: StoreState, app: SimulatedApp): object {
  const { average, total } = sumUp(storeState.ratingsNow(app, region) ?? noRatings);
  const { facts } = app;
  return {
    id: Number(app.externalAppId),
    ...{ slug: slugOf(app), guid: app.bundleId, default_locale: "en-US", type: "extension" },
    name: { "en-US": app.name },
    icon_url: app.iconUrl,
    icons: { "32": app.iconUrl, "64": app.iconUrl, "128": app.iconUrl },
    authors: [{ id: 77, name: app.developer, url: `${host}/user/77/`, username: "sample-makers" }],
    current_version: {
      ...{ id: 1, version: app.version },
      files: [{ id: 1, created: formatTimestamp(facts?.releasedAt ?? new Date(0)) }],
      release_notes: facts ? { "en-US": facts.releaseNotes } : null,
    },
    ratings: { average, bayesian_average: average, count: total, text_count: total },
  };
}

function toRating(app: SimulatedApp, review: SimulatedReview): object {
  const { storeReviewId, text, version, reply } = review;
  const userId = Number(storeReviewId) % 1_000_000;
  return {
    id: Number(storeReviewId),
    addon: { id: Number(app.externalAppId), slug: slugOf(app), name: { "en-US": app.name } },
    body: text === "" ? null : text,
    created: formatTimestamp(review.date),
    ...{ is_deleted: false, is_developer_reply: false, is_latest: true, previous_count: 0 },
    user: userOf(userId, review.author),
    score: review.rating,
    reply: reply && {
      ...{ id: Number(storeReviewId) + 1, body: reply.text, is_developer_reply: true },
      ...{ created: formatTimestamp(reply.at ?? review.date), user: userOf(77, app.developer) },
    },
    version: version === "" ? null : { id: 1, version },
  };
}

function userOf(id: number, name: string): object {
  return { id, name, url: `${host}/en-US/firefox/user/${id}/`, username: `user-${id}` };
}
