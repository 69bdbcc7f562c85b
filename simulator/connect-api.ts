// App Store Connect: reviews of all territories as JSON:API, behind signed tokens and an hourly quota
// that every response reports.

import { territoryOfRegion } from "../src/domain/store/territories.ts";
import { hourMs } from "../src/lib/timestamp.ts";
import type { ApiAuth, ConnectKey } from "./api-auth.ts";
import {
  appVersionOf,
  connectResponse,
  connectReview,
  versionIdOf,
  westCoastTime,
} from "./connect-review.ts";
import {
  createReviewList,
  type ReviewList,
  type ReviewPosition,
  sliceAfter,
} from "./review-list.ts";
import type { SimulatedApp, SimulatedReview } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

export type OfficialApiDeps = { storeState: StoreState; apiAuth: ApiAuth };

export function handleConnect(
  deps: OfficialApiDeps,
  request: StoreRequest,
): Promise<StoreResponse> {
  return answerAuthorized(deps, { request, method: "GET", respond });
}

type Respond = (deps: OfficialApiDeps, authorized: AuthorizedRequest) => StoreResponse;

/** Checks the token and counts the request. */
export async function answerAuthorized(
  deps: OfficialApiDeps,
  { request, method, respond }: { request: StoreRequest; method: string; respond: Respond },
): Promise<StoreResponse> {
  const authorization = headerValue(request, "authorization");
  const key = await deps.apiAuth.findConnectKey(authorization, { method, url: request.url });
  if (!key) return connectError(401, "NOT_AUTHORIZED");
  const { limit, left } = deps.apiAuth.countRequest("connect", key.keyId);
  if (left < 0) return connectError(429, "RATE_LIMIT_EXCEEDED");
  const response = key.isWithoutReviews
    ? connectError(403, "FORBIDDEN_ERROR")
    : respond(deps, { request, key });
  const quota = `user-hour-lim:${limit};user-hour-rem:${left};`;
  return { ...response, headers: { ...response.headers, "x-rate-limit": quota } };
}

function respond({ storeState }: OfficialApiDeps, authorized: AuthorizedRequest): StoreResponse {
  if (authorized.request.kind === "connect-versions") {
    return respondWithVersions(storeState, authorized);
  }
  return respondWithReviews(storeState, authorized);
}

/** Versions that reviews name, each made an hour before the first of them. */
function respondWithVersions(
  storeState: StoreState,
  { request, key }: AuthorizedRequest,
): StoreResponse {
  const app = findOwnApp(storeState, { request, key });
  if (!app) return connectError(404, "NOT_FOUND");
  const firstAt = new Map<string, Date>();
  // Newest first, so that the last one to set it is the first that named it.
  for (const { version, date } of storeState.reviewList(app, "all").slice(0, sortedMax)) {
    if (version !== "") firstAt.set(version, date);
  }
  const data = [...firstAt].slice(0, limitMax).map(([version, at]) => ({
    type: "appStoreVersions",
    id: versionIdOf({ ...app, version }),
    attributes: {
      versionString: version,
      createdDate: westCoastTime(new Date(at.getTime() - hourMs)),
    },
  }));
  return jsonResponse(200, {
    data,
    links: { self: request.url.pathname },
    meta: pagingOf(data.length),
  });
}

function findOwnApp(
  storeState: StoreState,
  { request, key }: AuthorizedRequest,
): SimulatedApp | null {
  const { externalAppId } = request;
  const isOwn = key.appIds?.includes(externalAppId) ?? true;
  return isOwn ? storeState.appNow({ store: "appstore", externalAppId }) : null;
}

export function headerValue({ headers }: StoreRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

export type AuthorizedRequest = { request: StoreRequest; key: ConnectKey };

const sorts = ["createdDate", "-createdDate", "rating", "-rating"];
const limitMax = 200;

function respondWithReviews(
  storeState: StoreState,
  { request, key }: AuthorizedRequest,
): StoreResponse {
  const { url } = request;
  const query = url.searchParams;
  const app = findOwnApp(storeState, { request, key });
  if (!app) return connectError(404, "NOT_FOUND");
  const sort = query.get("sort") ?? "createdDate";
  const limit = Number(query.get("limit") ?? "50");
  if (!sorts.includes(sort)) return connectError(400, "PARAMETER_ERROR.INVALID");
  if (!(limit >= 1 && limit <= limitMax)) return connectError(400, "PARAMETER_ERROR.INVALID");
  const position = readCursor(query.get("cursor"));
  if (position === undefined) return connectError(400, "PARAMETER_ERROR.INVALID");
  const list = listOf(storeState, { app, request });
  const page =
    sort === "-createdDate" && !isFiltered(query)
      ? { ...sliceAfter(list, { position, count: limit }), total: list.length }
      : sortedPage(list.slice(0, sortedMax), { query, sort, position, limit });
  const last = page.reviews.at(-1);
  const cursor = page.hasMore && last ? writeCursor(last) : null;
  const base = `https://api.appstoreconnect.apple.com${url.pathname}`;
  const withResponse = (query.get("include") ?? "").split(",").includes("response");
  const included = withResponse
    ? page.reviews.map(connectResponse).filter((response) => response !== null)
    : [];
  return jsonResponse(200, {
    data: page.reviews.map((review) => connectReview(review, { withResponse })),
    ...(included.length > 0 ? { included } : {}),
    links: {
      self: `${base}${url.search}`,
      ...(cursor === null ? {} : { next: `${base}?cursor=${cursor}&limit=${limit}` }),
    },
    meta: { paging: { total: page.total, limit } },
  });
}

/** All of an app, or those of one version. */
function listOf(
  storeState: StoreState,
  { app, request }: { app: SimulatedApp; request: StoreRequest },
): ReviewList {
  const list = storeState.reviewList(app, "all");
  if (request.kind !== "connect-version-reviews") return list;
  const { version } = appVersionOf(request.url.pathname.split("/")[3] ?? "");
  return createReviewList(list.slice(0, sortedMax).filter((review) => review.version === version));
}

/** Other orders and filters sort all reviews, so they are limited to small apps. */
const sortedMax = 10_000;

function isFiltered(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name.startsWith("filter[") || name.startsWith("exists["));
}

function sortedPage(
  all: readonly SimulatedReview[],
  params: { query: URLSearchParams; sort: string; position: ReviewPosition | null; limit: number },
): { reviews: SimulatedReview[]; hasMore: boolean; total: number } {
  const { query, sort, position, limit } = params;
  const ratings = query.get("filter[rating]")?.split(",");
  const territories = query.get("filter[territory]")?.split(",");
  const hasResponse = query.get("exists[publishedResponse]");
  const matching = all.filter(
    (review) =>
      (ratings?.includes(String(review.rating)) ?? true) &&
      (territories?.includes(territoryOfRegion(review.region) ?? "") ?? true) &&
      (hasResponse === null || (review.reply !== null) === (hasResponse === "true")),
  );
  const ordered = matching.toSorted((one, other) => {
    if (sort.endsWith("rating")) return one.rating - other.rating;
    return one.date.getTime() - other.date.getTime();
  });
  if (sort.startsWith("-")) ordered.reverse();
  const at = ordered.findIndex(({ storeReviewId }) => storeReviewId === position?.storeReviewId);
  const reviews = ordered.slice(at + 1, at + 1 + limit);
  return { reviews, hasMore: ordered.length > at + 1 + limit, total: matching.length };
}

function writeCursor({ date, storeReviewId }: SimulatedReview): string {
  return Buffer.from(`${date.getTime()} ${storeReviewId}`).toString("base64url");
}

/** undefined: not a cursor of this API. */
function readCursor(cursor: string | null): ReviewPosition | null | undefined {
  if (cursor === null) return null;
  const [dateMs, storeReviewId] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (!storeReviewId || !/^\d+$/.test(dateMs ?? "")) return undefined;
  return { dateMs: Number(dateMs), storeReviewId };
}

function pagingOf(total: number): unknown {
  return { paging: { total, limit: limitMax } };
}

export function connectError(status: number, code: string): StoreResponse {
  const error = { id: "0", status: String(status), code, title: "Refused.", detail: "Refused." };
  return jsonResponse(status, { errors: [error] });
}

export function jsonResponse(status: number, body: unknown): StoreResponse {
  const headers = { "content-type": "application/json; charset=UTF-8" };
  return { status, headers, body: JSON.stringify(body) };
}
