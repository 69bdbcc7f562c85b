// App Store Connect: reviews of all territories as JSON:API, behind signed tokens and an hourly quota
// that every answer names.
import { territoryOfRegion } from "../src/stores/apple/territories.ts";
import type { Accounts, ConnectKey } from "./accounts.ts";
import type { Answer } from "./answer.ts";
import { connectResponse, connectReview } from "./connect-review.ts";
import { type ReviewPlace, sliceAfter } from "./review-list.ts";
import type { StoreRequest } from "./store-request.ts";
import type { World, WorldReview } from "./world.ts";

export type OfficialRooms = { world: World; accounts: Accounts };

export async function answerConnect(deps: OfficialRooms, request: StoreRequest): Promise<Answer> {
  const asked = { method: "GET", url: request.url };
  const key = await deps.accounts.connectKey(headerText(request, "authorization"), asked);
  if (!key) return connectError(401, "NOT_AUTHORIZED");
  const { limit, left } = deps.accounts.count("connect", key.keyId);
  if (left < 0) return connectError(429, "RATE_LIMIT_EXCEEDED");
  const answer = answerKnown(deps.world, { request, key });
  const quota = `user-hour-lim:${limit};user-hour-rem:${left};`;
  return { ...answer, headers: { ...answer.headers, "x-rate-limit": quota } };
}

function answerKnown(world: World, asked: Asked): Answer {
  if (asked.request.kind === "connect-apps") return answerApps(world, asked);
  if (asked.key.isWithoutReviews) return connectError(403, "FORBIDDEN_ERROR");
  return answerConnectReviews(world, asked);
}

export function headerText({ headers }: StoreRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

type Asked = { request: StoreRequest; key: ConnectKey };

function answerApps(world: World, { request, key }: Asked): Answer {
  const bundleIds = request.url.searchParams.get("filter[bundleId]")?.split(",");
  const data = world
    .appsNow("appstore")
    .filter(({ externalAppId }) => key.appIds?.includes(externalAppId) ?? true)
    .filter(({ bundleId }) => bundleIds?.includes(bundleId) ?? true)
    .slice(0, 200)
    .map((app) => ({
      type: "apps",
      id: app.externalAppId,
      attributes: { name: app.name, bundleId: app.bundleId },
    }));
  return jsonAnswer(200, {
    data,
    links: { self: request.url.pathname },
    meta: pagingOf(data.length),
  });
}

const sorts = ["createdDate", "-createdDate", "rating", "-rating"];
const limitMax = 200;

function answerConnectReviews(world: World, { request, key }: Asked): Answer {
  const { externalAppId, url } = request;
  const query = url.searchParams;
  const app = world.appNow({ store: "appstore", externalAppId });
  if (!app || !(key.appIds?.includes(externalAppId) ?? true)) return connectError(404, "NOT_FOUND");
  const sort = query.get("sort") ?? "createdDate";
  const limit = Number(query.get("limit") ?? "50");
  if (!sorts.includes(sort)) return connectError(400, "PARAMETER_ERROR.INVALID");
  if (!(limit >= 1 && limit <= limitMax)) return connectError(400, "PARAMETER_ERROR.INVALID");
  const place = readCursor(query.get("cursor"));
  if (place === undefined) return connectError(400, "PARAMETER_ERROR.INVALID");
  const list = world.reviewList(app, "all");
  const page =
    sort === "-createdDate" && !isFiltered(query)
      ? { ...sliceAfter(list, { place, count: limit }), total: list.length }
      : sortedPage(list.slice(0, sortedMax), { query, sort, place, limit });
  const last = page.reviews.at(-1);
  const cursor = page.hasMore && last ? writeCursor(last) : null;
  const base = `https://api.appstoreconnect.apple.com${url.pathname}`;
  const withResponse = (query.get("include") ?? "").split(",").includes("response");
  const included = withResponse
    ? page.reviews.map(connectResponse).filter((response) => response !== null)
    : [];
  return jsonAnswer(200, {
    data: page.reviews.map((review) => connectReview(review, { withResponse })),
    ...(included.length > 0 ? { included } : {}),
    links: {
      self: `${base}${url.search}`,
      ...(cursor === null ? {} : { next: `${base}?cursor=${cursor}&limit=${limit}` }),
    },
    meta: { paging: { total: page.total, limit } },
  });
}

/** Other orders and filters are for small apps. */
const sortedMax = 10_000;

function isFiltered(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name.startsWith("filter[") || name.startsWith("exists["));
}

function sortedPage(
  all: readonly WorldReview[],
  asked: { query: URLSearchParams; sort: string; place: ReviewPlace | null; limit: number },
): { reviews: WorldReview[]; hasMore: boolean; total: number } {
  const { query, sort, place, limit } = asked;
  const ratings = query.get("filter[rating]")?.split(",");
  const territories = query.get("filter[territory]")?.split(",");
  const answered = query.get("exists[publishedResponse]");
  const kept = all.filter(
    (review) =>
      (ratings?.includes(String(review.rating)) ?? true) &&
      (territories?.includes(territoryOfRegion(review.region) ?? "") ?? true) &&
      (answered === null || (review.reply !== null) === (answered === "true")),
  );
  const ordered = kept.toSorted((one, other) => {
    if (sort.endsWith("rating")) return one.rating - other.rating;
    return one.date.getTime() - other.date.getTime();
  });
  if (sort.startsWith("-")) ordered.reverse();
  const at = ordered.findIndex(({ storeReviewId }) => storeReviewId === place?.storeReviewId);
  const reviews = ordered.slice(at + 1, at + 1 + limit);
  return { reviews, hasMore: ordered.length > at + 1 + limit, total: kept.length };
}

function writeCursor({ date, storeReviewId }: WorldReview): string {
  return Buffer.from(`${date.getTime()} ${storeReviewId}`).toString("base64url");
}

/** undefined: not one of ours. */
function readCursor(cursor: string | null): ReviewPlace | null | undefined {
  if (cursor === null) return null;
  const [dateMs, storeReviewId] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (!storeReviewId || !/^\d+$/.test(dateMs ?? "")) return undefined;
  return { dateMs: Number(dateMs), storeReviewId };
}

function pagingOf(total: number): unknown {
  return { paging: { total, limit: limitMax } };
}

export function connectError(status: number, code: string): Answer {
  const error = { id: "0", status: String(status), code, title: "Refused.", detail: "Refused." };
  return jsonAnswer(status, { errors: [error] });
}

export function jsonAnswer(status: number, body: unknown): Answer {
  const headers = { "content-type": "application/json; charset=UTF-8" };
  return { status, headers, body: JSON.stringify(body) };
}
