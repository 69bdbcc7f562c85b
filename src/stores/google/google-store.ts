// Google Play as a Store, over its public pages. Reviews come by language, ratings by country: the
// region of a request means the one or the other.

import type { RatingReading } from "../../domain/snapshot.ts";
import type { Http } from "../../lib/http.ts";
import { blocked, readAnswer, unknown } from "../response-check.ts";
import type { AppInRegion, Fetched, FetchedPage, Store, StoreApp, Unknown } from "../store.ts";
import { parseBatch } from "./batch.ts";
import { nextStep, readCursor, type Walk, walkStart, writeCursor } from "./crawl-cursor.ts";
import { type DetailsPage, parseDetailsPage } from "./details-page.ts";
import { isPackageName } from "./package-name.ts";
import { countryOfLanguage, type ReviewCall, reviewCallBody, reviewCalls } from "./review-call.ts";
import { parseReviewsPayload, type ReviewsPayload } from "./reviews-payload.ts";
import { parseSearchPage } from "./search-page.ts";
import { readGoogleLink } from "./store-link.ts";

export type GoogleStoreOptions = { http: Http; baseUrl: string };

export function openGoogleStore(options: GoogleStoreOptions): Store {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const client: GoogleClient = { http: options.http, baseUrl, answeringFeed: null };
  return {
    id: "googleplay",
    checkAppId,
    fetchReviews: (asked) => fetchReviews(client, asked),
    fetchRatings: (asked) => fetchRatings(client, asked),
    fetchApp: (asked) => fetchApp(client, asked),
    readLink: readGoogleLink,
    findApps: (query) => findApps(client, query),
  };
}

type GoogleClient = GoogleStoreOptions & {
  /** The last feed that had reviews: where it falls silent, the network is shut out. */
  answeringFeed: AppInRegion | null;
};

const googleName = "Google Play";

function checkAppId(text: string): { ok: true } | { ok: false; reason: string } {
  if (isPackageName(text)) return { ok: true };
  return { ok: false, reason: "a Google Play id is a package name, like com.example.app" };
}

async function fetchReviews(
  client: GoogleClient,
  asked: AppInRegion & { cursor: string | null },
): Promise<FetchedPage> {
  const end = { next: null, truncated: false };
  const walk = asked.cursor === null ? walkStart : readCursor(asked.cursor);
  if (walk === null) return { ...unknown("the cursor is not one of this store's"), ...end };
  const page = await askReviews(client, { asked, walk });
  if ("outcome" in page) return { ...page, ...end };
  const isEmpty = page.reviews.length + page.rejectedCount === 0;
  const { token, rpcId } = page;
  // One empty page may stand before more; a second one is the end.
  const isOver = token === null || (isEmpty && walk.isAfterEmpty);
  const step = isOver ? null : nextStep(walk, { token, rpcId, isEmpty });
  const next = step === null ? null : writeCursor(step);
  if (isEmpty && next === null && walk.token === null) {
    return { ...(await confirmEmpty(client, asked)), ...end };
  }
  if (isEmpty && next === null) return { outcome: "empty", ...end };
  const { reviews, rejectedCount } = page;
  const { externalAppId, region } = asked;
  if (reviews.length > 0) client.answeringFeed = { externalAppId, region };
  const value = { reviews, rejectedCount, copyMadeAt: null };
  return { outcome: "ok", value, next, truncated: !isOver && step === null };
}

type AskedWalk = { asked: AppInRegion; walk: Walk };

/** The call that the walk began with; at its start the second where the first gets no answer. */
async function askReviews(
  client: GoogleStoreOptions,
  { asked, walk }: AskedWalk,
): Promise<(ReviewsPayload & { rpcId: string }) | Unknown> {
  const [preferred, alternate] = reviewCalls;
  if (walk.rpcId === alternate.rpcId) {
    return (await callReviews(client, { asked, walk, call: alternate })) ?? noAnswer();
  }
  return (
    (await callReviews(client, { asked, walk, call: preferred })) ??
    (await callReviews(client, { asked, walk, call: alternate })) ??
    noAnswer()
  );
}

function noAnswer(): Unknown {
  return unknown(`${googleName} left the question for reviews without an answer`);
}

/** null: the frame of this call is missing. */
async function callReviews(
  { http, baseUrl }: GoogleStoreOptions,
  { asked, walk, call }: AskedWalk & { call: ReviewCall },
): Promise<(ReviewsPayload & { rpcId: string }) | Unknown | null> {
  const { externalAppId, region: language } = asked;
  const query = new URLSearchParams({ hl: language, gl: countryOfLanguage(language) });
  const answer = await http({
    method: "POST",
    url: `${baseUrl}/_/PlayStoreUi/data/batchexecute?${query}`,
    headers: {
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      "accept-language": language,
    },
    body: reviewCallBody(call, { externalAppId, token: walk.token }),
  });
  const read = readAnswer(answer, { store: googleName });
  if (read.kind === "refused") return read.unknown;
  const batch = parseBatch(read.text, call.rpcId);
  if (batch.kind === "missing") return null;
  if (batch.kind === "throttled") return blocked(`${googleName} says that it is asked too often`);
  const page = batch.kind === "payload" ? parseReviewsPayload(batch.payload, language) : null;
  if (page === null) return unknown(`${googleName} sent something else than a page of reviews`);
  return { ...page, rpcId: call.rpcId };
}

/** So many reviews and none to be seen is no state of an app but a gap in what is shown. */
const manyReviews = 1_000;

/**
 * An unknown app, one without reviews in a language and, at times, everything that a shut-out network
 * asks for get the same answer. The app's page settles the first; for an app that people do rate, a
 * feed that must have reviews tells the other two apart.
 */
async function confirmEmpty(
  client: GoogleClient,
  asked: AppInRegion,
): Promise<{ outcome: "empty" } | Unknown> {
  const { externalAppId, region: language } = asked;
  const region = countryOfLanguage(language);
  const page = await fetchDetails(client, { externalAppId, region, language });
  if (page.outcome === "unknown") return page;
  if (page.outcome === "empty" || page.value.ratings?.total === 0) return { outcome: "empty" };
  const count = page.value.reviewCount ?? 0;
  if (count >= manyReviews) {
    return unknown(`${googleName} shows none of the ${count} reviews that it counts`);
  }
  return askControl(client, asked);
}

/** One of the largest apps: its reviews are gone only where all are. */
const controlApp: AppInRegion = { externalAppId: "com.google.android.youtube", region: "en" };

async function askControl(
  client: GoogleClient,
  { externalAppId, region }: AppInRegion,
): Promise<{ outcome: "empty" } | Unknown> {
  const isOther = (feed: AppInRegion): boolean =>
    feed.externalAppId !== externalAppId || feed.region !== region;
  const known = client.answeringFeed;
  const isKnownToAnswer = known !== null && isOther(known);
  // The app itself may have reviews in the language of most.
  const inEnglish = { externalAppId, region: "en" };
  const controls = isKnownToAnswer ? [known] : [inEnglish, controlApp].filter(isOther);
  for (const control of controls) {
    const page = await askReviews(client, { asked: control, walk: walkStart });
    if ("outcome" in page) return page;
    if (page.reviews.length > 0) return { outcome: "empty" };
  }
  const reason = `${googleName} shows no reviews, not even of an app that has many`;
  // Where a feed that was full has fallen silent, the host as a whole is to be left alone.
  return { ...unknown(reason), isFinal: true, blocked: isKnownToAnswer };
}

async function fetchRatings(
  client: GoogleStoreOptions,
  asked: AppInRegion,
): Promise<Fetched<RatingReading>> {
  const page = await fetchDetails(client, { ...asked, language: "en" });
  if (page.outcome !== "ok") return page;
  const { ratings } = page.value;
  if (ratings === null) return unknown(`${googleName} shows no ratings that can be right`);
  return { outcome: "ok", value: ratings };
}

async function fetchApp(
  client: GoogleStoreOptions,
  asked: AppInRegion,
): Promise<Fetched<StoreApp>> {
  const page = await fetchDetails(client, { ...asked, language: "en" });
  if (page.outcome !== "ok") return page;
  const { name, iconUrl } = page.value;
  if (name === "") return unknown(`${googleName} shows the app without a name`);
  return { outcome: "ok", value: { externalAppId: asked.externalAppId, name, iconUrl } };
}

async function findApps(
  client: GoogleStoreOptions,
  query: { term: string; region: string } | { bundleId: string; region: string },
): Promise<Fetched<StoreApp[]>> {
  if ("bundleId" in query) {
    if (!isPackageName(query.bundleId)) return { outcome: "empty" };
    const found = await fetchApp(client, { externalAppId: query.bundleId, region: query.region });
    return found.outcome === "ok" ? { outcome: "ok", value: [found.value] } : found;
  }
  const gl = countryOf(query.region);
  const asked = new URLSearchParams({ q: query.term, c: "apps", hl: "en", gl });
  const answer = await client.http({
    method: "GET",
    url: `${client.baseUrl}/store/search?${asked}`,
    headers: { accept: "text/html,*/*;q=0.8", "accept-language": "en" },
  });
  const read = readAnswer(answer, { store: googleName });
  if (read.kind === "refused") return read.unknown;
  const apps = parseSearchPage(read.text);
  if (apps === null) return unknown(`${googleName} sent something else than search results`);
  return apps.length === 0 ? { outcome: "empty" } : { outcome: "ok", value: apps };
}

async function fetchDetails(
  { http, baseUrl }: GoogleStoreOptions,
  asked: AppInRegion & { language: string },
): Promise<Fetched<DetailsPage>> {
  const { externalAppId, region, language } = asked;
  const gl = countryOf(region);
  const query = new URLSearchParams({ id: externalAppId, hl: language, gl });
  const answer = await http({
    method: "GET",
    url: `${baseUrl}/store/apps/details?${query}`,
    headers: { accept: "text/html,*/*;q=0.8", "accept-language": language },
  });
  const read = readAnswer(answer, { store: googleName, accepted: [404] });
  if (read.kind === "refused") return read.unknown;
  // Unknown, or not offered in that country: the store makes no difference.
  if (read.status === 404) return { outcome: "empty" };
  const page = parseDetailsPage(read.text, externalAppId);
  if (page === null) return unknown(`${googleName} sent something else than the app's page`);
  return { outcome: "ok", value: page };
}

/** People say uk. */
function countryOf(region: string): string {
  const country = region.toLowerCase();
  return country === "uk" ? "gb" : country;
}
