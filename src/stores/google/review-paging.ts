// One page of Google Play's reviews in one language, and what an empty one means: the end, an app
// without reviews, or a network that is blocked. Only what the store confirms counts as empty.

import { createHash } from "node:crypto";
import type { Reading } from "../../domain/review/review.ts";
import { parseCodeTable } from "../../domain/store/territories.ts";
import type { HttpResult } from "../../lib/http.ts";
import { countAt, listAt, parseJson, textAt } from "../../lib/json.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";
import {
  blockedOutcome,
  checkResponse,
  foreignCursor,
  mayHelp,
  noNextPage,
  unexpectedContent,
  unknownOutcome,
} from "../response-check.ts";
import type { AppInRegion, FetchedPage, UnknownOutcome } from "../store.ts";
import { batchBody, parseBatch } from "./batch.ts";
import { fetchDetails } from "./details-request.ts";
import { type GoogleClient, googleName } from "./public-client.ts";
import { parseReviewsPayload, type ReviewsPayload } from "./reviews-payload.ts";

export async function fetchReviews(
  client: GoogleClient,
  request: AppInRegion & { cursor: string | null },
): Promise<FetchedPage> {
  const { externalAppId, region, cursor } = request;
  const position = cursor === null ? crawlStart : parseCursor(cursor);
  if (position === null) return foreignCursor;
  const page = await fetchConfirmed(client, { externalAppId, language: region, position });
  if ("outcome" in page) return { ...page, ...noNextPage };
  return describePage(client, { externalAppId, language: region, position }, page);
}

async function describePage(
  client: GoogleClient,
  request: PayloadRequest,
  page: Page,
): Promise<FetchedPage> {
  const { externalAppId, language: region, position } = request;
  const { reviews, rejectedCount, token, rpcId, cookie, others, lacksReplies, shape } = page;
  const itemCount = countItems(page);
  const isEmpty = itemCount === 0;
  const isEnd = token === null || (isEmpty && position.emptyCount >= emptyRunMax);
  const after = isEnd ? null : nextPosition(position, { token, rpcId, itemCount, cookie });
  const seenCount = position.seenCount + itemCount;
  if (seenCount === 0 && after === null) {
    const confirmed = await confirmEmpty(client, request);
    if (!("rpcId" in confirmed)) return { ...confirmed, ...noNextPage };
    return describePage(client, { ...request, position: crawlStart }, confirmed);
  }
  const ending = isEnd
    ? await describeEnd(client, { externalAppId, language: region, seenCount })
    : {};
  if (isEmpty && after === null) return { outcome: "empty", ...noNextPage, ...ending };
  if (reviews.length > 0) client.lastGoodFeed = { externalAppId, region };
  return {
    outcome: "ok",
    value: {
      reviews,
      rejectedCount,
      copyMadeAt: null,
      ...(lacksReplies && { lacksReplies }),
      ...(others.length > 0 && { others, shape }),
    },
    next: after && formatCursor(after),
    capped: !isEnd && after === null,
    ...ending,
  };
}

/** Lists with a quarter of what is counted are usual. */
const shownShareMin = 1 / 20;
/** The numbers that it takes to know hardly move. */
const reviewCountAgeMsMax = 7 * dayMs;

/** The end of a list that shows a small part of the reviews which the app's page counts is not believed. */
async function describeEnd(
  client: GoogleClient,
  list: { externalAppId: string; language: string; seenCount: number },
): Promise<Pick<FetchedPage, "cutShort">> {
  const { externalAppId, language, seenCount } = list;
  const key = `${externalAppId} ${language}`;
  let counted = client.reviewCounts.find(key, reviewCountAgeMsMax);
  if (counted === null) {
    const region = countryOfLanguage(language);
    const page = await fetchDetails(client, { externalAppId, region, language });
    counted = page.outcome === "ok" ? page.value.reviewCount : null;
    if (counted !== null) client.reviewCounts.save(key, counted);
  }
  if (counted === null || counted < manyReviews || seenCount >= counted * shownShareMin) return {};
  return {
    cutShort: `the list ended after ${seenCount} of the ${counted} reviews that the app's page counts`,
  };
}

/**
 * The end of a list is believed where a page is shorter than the ones before it. A full page without a token, and nothing
 * where the page before promised more, are requested once more: the store drops follow-ups now and then.
 */
async function fetchConfirmed(
  client: GoogleClient,
  request: PayloadRequest,
): Promise<Page | UnknownOutcome> {
  const page = await fetchPayload(client, request);
  if ("outcome" in page || page.token !== null) return page;
  const count = countItems(page);
  const isDoubtful = count >= pageSize || (count === 0 && request.position.token !== null);
  return isDoubtful ? fetchPayload(client, request) : page;
}

function isUndated({ reviews }: ReviewsPayload): boolean {
  return reviews.length > 0 && reviews.every(({ date }) => date === null);
}

const countItems = ({ reviews, rejectedCount }: ReviewsPayload): number =>
  reviews.length + rejectedCount;

/** `cookie`: what the store set, "" when it set none. */
type Page = ReviewsPayload & {
  rpcId: string;
  cookie: string;
  lacksReplies?: true;
  shape: string;
  /** The same items by other shapes. */
  others: readonly Reading[];
};

type PayloadRequest = { externalAppId: string; language: string; position: CrawlPosition };

/** By the call that the crawl began with, and by the second one where the first has no reviews, or none with a date. */
async function fetchPayload(
  client: GoogleClient,
  request: PayloadRequest,
): Promise<Page | UnknownOutcome> {
  const [preferred, alternate] = reviewCalls;
  const isAlternate = request.position.rpcId === alternate.rpcId;
  const first = await callReviews(client, {
    ...request,
    call: isAlternate ? alternate : preferred,
  });
  const isTried = "outcome" in first ? mayHelp(first) : isUndated(first);
  if (!isTried || isAlternate) return first;
  const second = await callReviews(client, { ...request, call: alternate });
  // Another call may not know the token: an empty list of it is not the end.
  const isRead =
    !("outcome" in second) &&
    (countItems(second) > 0 || request.position.token === null) &&
    !isUndated(second);
  return isRead ? second : first;
}

async function callReviews(
  client: GoogleClient,
  { externalAppId, language, position, call }: PayloadRequest & { call: ReviewCall },
): Promise<Page | UnknownOutcome> {
  const { http, baseUrl } = client;
  const query = new URLSearchParams({ hl: language, gl: countryOfLanguage(language) });
  const response = await http({
    method: "POST",
    url: `${baseUrl}/_/PlayStoreUi/data/batchexecute?${query}`,
    headers: {
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      "accept-language": language,
      ...(position.cookie === "" ? {} : { cookie: position.cookie }),
    },
    body: reviewCallBody(call, { externalAppId, token: position.token }),
  });
  const checked = checkResponse(response, { store: googleName });
  if (checked.kind === "failed") return checked.outcome;
  const named = parseBatch(checked.text, call.rpcId);
  // One call was sent: a payload under another name is its answer, and a frame of another name without one is none.
  const renamed = named.kind === "missing" ? parseBatch(checked.text, null) : named;
  const isNone = renamed !== named && renamed.kind === "payload" && renamed.payload === null;
  const batch = isNone ? named : renamed;
  if (batch.kind === "missing")
    return unknownOutcome(`${googleName} ignored the request for reviews`);
  if (batch.kind === "throttled") {
    // Once it is a hiccup, which another try passes. Where the next page or app gets it too, the client is meant.
    const request = JSON.stringify([externalAppId, language, position.token]);
    const isBlocked = (client.refusedRequest ?? request) !== request;
    client.refusedRequest = request;
    const reason = `${googleName} says that the requests are too many`;
    return isBlocked ? blockedOutcome(reason) : unknownOutcome(reason);
  }
  client.refusedRequest = null;
  if (batch.kind === "refused") {
    return unknownOutcome(
      `${googleName} sent an error (status ${batch.status}) instead of reviews`,
    );
  }
  const payload = batch.kind === "payload" ? batch.payload : undefined;
  client.shapes.notePayload("google-reviews", { externalAppId, region: language }, payload);
  const pages = payload === undefined ? [] : readByShapes(client, payload, language);
  const page = pages.find((one) => one.reviews.length > 0 && !isUndated(one)) ?? pages[0];
  if (!page) return unexpectedContent(googleName, "a review page");
  const others = pages.filter((one) => one !== page && one.reviews.length > 0);
  return { ...page, others, rpcId: call.rpcId, cookie: cookieOf(response) };
}

function readByShapes({ shapes }: GoogleClient, payload: unknown, language: string) {
  return shapes.findAll("google-reviews").flatMap((shape) => {
    const page = parseReviewsPayload(payload, language, shape);
    const lacksReplies = shape.fields.replyText.paths.length === 0 && {
      lacksReplies: true as const,
    };
    return page ? [{ ...page, ...lacksReplies, shape: shapes.nameOf(shape) }] : [];
  });
}

const cookieCharsMax = 4_096;

/** Name and value of each cookie that was set. "" without one, and for more than a browser would keep. */
function cookieOf(response: HttpResult): string {
  if (response.kind !== "response") return "";
  const lines = (response.headers["set-cookie"] ?? "").split("\n");
  const pairs = lines.map((line) => line.split(";", 1)[0]?.trim() ?? "");
  const cookie = pairs.filter((pair) => /^[^\s=]+=[^\s]*$/.test(pair)).join("; ");
  return cookie.length <= cookieCharsMax ? cookie : "";
}

/** An app with this many reviews must show some, so the page is treated as a gap. */
const manyReviews = 1_000;

/**
 * An unknown app, one without reviews in a language and, at times, every request of a blocked network get
 * the same response. The app's page shows the first; for an app with ratings, a feed that must have reviews
 * distinguishes the other two.
 */
async function confirmEmpty(
  client: GoogleClient,
  request: PayloadRequest,
): Promise<{ outcome: "empty"; doubt?: string } | UnknownOutcome | Page> {
  const { externalAppId, language } = request;
  const region = countryOfLanguage(language);
  const page = await fetchDetails(client, { externalAppId, region, language });
  if (page.outcome === "unknown") return page;
  if (page.outcome === "empty" || page.value.ratings?.total === 0) return { outcome: "empty" };
  const count = page.value.reviewCount ?? 0;
  if (count > 0) {
    const [preferred, alternate] = reviewCalls;
    const call = request.position.rpcId === alternate.rpcId ? preferred : alternate;
    const other = await callReviews(client, { ...request, position: crawlStart, call });
    if (!("outcome" in other) && countItems(other) > 0) return other;
  }
  const doubt = `${googleName} shows none of the ${count} reviews that it counts`;
  if (count >= manyReviews) return unknownOutcome(doubt);
  const confirmed = await checkControlFeed(client, { externalAppId, region: language });
  // The count is of all languages: an app may have no reviews in one of them.
  return confirmed.outcome === "empty" && count > 0 ? { ...confirmed, doubt } : confirmed;
}

/** One of the largest apps: its reviews are missing only where all are. */
const controlApp: AppInRegion = { externalAppId: "com.google.android.youtube", region: "en" };

async function checkControlFeed(
  client: GoogleClient,
  { externalAppId, region }: AppInRegion,
): Promise<{ outcome: "empty" } | UnknownOutcome> {
  const isOther = (feed: AppInRegion): boolean =>
    feed.externalAppId !== externalAppId || feed.region !== region;
  // One for all languages of an app.
  if (client.controls.find(externalAppId, hourMs)) return { outcome: "empty" };
  const known = client.lastGoodFeed;
  const wasReadable = known !== null && isOther(known);
  // The app itself may have reviews in English.
  const inEnglish = { externalAppId, region: "en" };
  const controls = wasReadable ? [known] : [inEnglish, controlApp].filter(isOther);
  for (const control of controls) {
    const feed = { externalAppId: control.externalAppId, language: control.region };
    const page = await fetchPayload(client, { ...feed, position: crawlStart });
    if ("outcome" in page) return page;
    if (page.reviews.length === 0) continue;
    client.controls.save(externalAppId, true);
    return { outcome: "empty" };
  }
  const reason = `${googleName} shows no reviews, not even of an app that has many`;
  // Where a feed that was full has turned empty, the host blocks this network.
  return { ...unknownOutcome(reason), isFinal: true, blocked: wasReadable };
}

type ReviewCall = { rpcId: string; argument(params: ReviewCallParams): unknown };

type ReviewCallParams = { externalAppId: string; token: string | null };

/** More than 150 comes back short or not at all. */
const pageSize = 150;
const newestFirst = 2;
/** Any score and any device. */
const unfiltered = [null, null, null, null, null, null, null, null, null];

/** In the order of preference. */
const reviewCalls: readonly [ReviewCall, ReviewCall] = [
  {
    rpcId: "oCPfdb",
    argument: ({ externalAppId, token }) => [
      null,
      [2, newestFirst, token === null ? [pageSize] : [pageSize, null, token], null, unfiltered],
      [externalAppId, 7],
    ],
  },
  {
    rpcId: "UsvDTd",
    argument: ({ externalAppId, token }) => [
      null,
      null,
      [2, newestFirst, [pageSize, null, token], null, []],
      [externalAppId, 7],
    ],
  },
];

function reviewCallBody(call: ReviewCall, params: ReviewCallParams): string {
  return batchBody(call.rpcId, call.argument(params));
}

/** Reviews come by language; the country that goes with it keeps the pool the same every time. */
function countryOfLanguage(language: string): string {
  const [base = "", region] = language
    .toLowerCase()
    .split("-")
    .filter((part) => part.length === 2);
  return region ?? countries.get(base) ?? "us";
}

/** Language and country. */
const countries = parseCodeTable(`
  arsa cscz dadk dede elgr eses fifi frfr heil hiin huhu idid itit jajp kokr nlnl nono plpl ptbr
  roro ruru svse thth trtr ukua vivn zhtw
`);

type CrawlPosition = {
  /** null for the first page. */
  token: string | null;
  /** The call that the token is of. */
  rpcId: string | null;
  /** So many pages before this one were empty and yet had a token. */
  emptyCount: number;
  /** Items on the pages before this one. */
  seenCount: number;
  /** Hashes of all tokens of this crawl. */
  marks: string[];
  /**
   * The cookies that the store set with the first page, as a `cookie` header: it leads to the server that knows the
   * tokens.
   */
  cookie: string;
};

const crawlStart: CrawlPosition = {
  token: null,
  rpcId: null,
  emptyCount: 0,
  seenCount: 0,
  marks: [],
  cookie: "",
};

const emptyRunMax = 10;
/** 150,000 reviews: deeper than any crawl, and a bound for the cursor's length. */
const marksMax = 1_000;

/** The position after this page, or null where the token was used before. */
function nextPosition(
  position: CrawlPosition,
  page: { token: string; rpcId: string; itemCount: number; cookie: string },
): CrawlPosition | null {
  const { marks } = position;
  const mark = createHash("sha256").update(page.token).digest("base64url").slice(0, 8);
  if (marks.includes(mark) || marks.length >= marksMax) return null;
  const { token, rpcId, itemCount } = page;
  const seenCount = position.seenCount + itemCount;
  const cookie = page.cookie || position.cookie;
  return {
    token,
    rpcId,
    emptyCount: itemCount === 0 ? position.emptyCount + 1 : 0,
    seenCount,
    marks: [...marks, mark],
    cookie,
  };
}

function formatCursor(position: CrawlPosition): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** null: not a cursor of this store. */
function parseCursor(cursor: string): CrawlPosition | null {
  const json = parseJson(Buffer.from(cursor, "base64url").toString());
  const token = textAt(json, "token");
  const rpcId = textAt(json, "rpcId");
  const marks = listAt(json, "marks")?.filter((mark) => typeof mark === "string");
  const seenCount = countAt(json, "seenCount");
  if (token === null || rpcId === null || marks === undefined || seenCount === null) return null;
  const emptyCount = countAt(json, "emptyCount") ?? 0;
  return { token, rpcId, emptyCount, seenCount, marks, cookie: textAt(json, "cookie") ?? "" };
}
