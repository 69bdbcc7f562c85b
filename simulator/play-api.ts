// Google's official APIs: tokens for service accounts, and the reviews of the last seven days as protobuf
// JSON, which leaves out zero, "" and empty lists.

import { dayMs, secondMs } from "../src/lib/timestamp.ts";
import type { ServiceAccount } from "./api-auth.ts";
import { headerValue, jsonResponse, type OfficialApiDeps } from "./connect-api.ts";
import { type ReviewPosition, sliceAfter } from "./review-list.ts";
import type { SimulatedReview } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";

export async function handleTokenRequest(
  deps: OfficialApiDeps,
  request: StoreRequest,
): Promise<StoreResponse> {
  const form = new URLSearchParams(request.body);
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") {
    return jsonResponse(400, { error: "unsupported_grant_type" });
  }
  const granted = await deps.apiAuth.grantToken(form.get("assertion") ?? "");
  if (granted.kind === "refused") {
    return jsonResponse(400, { error: granted.error, error_description: granted.description });
  }
  const { token, expiresInSeconds } = granted;
  return jsonResponse(200, {
    access_token: token,
    expires_in: expiresInSeconds,
    token_type: "Bearer",
  });
}

const scope = "https://www.googleapis.com/auth/androidpublisher";
const windowMs = 7 * dayMs;

export function handlePlayApi(deps: OfficialApiDeps, request: StoreRequest): StoreResponse {
  const { externalAppId, url } = request;
  const account = findPlayAccount(deps, request);
  if (!account) return googleError(401, "UNAUTHENTICATED");
  if (!(account.packageNames?.includes(externalAppId) ?? true)) {
    return googleError(403, "PERMISSION_DENIED");
  }
  const app = deps.storeState.appNow({ store: "googleplay", externalAppId });
  if (!app) return googleError(404, "NOT_FOUND");
  if (deps.apiAuth.countRequest("play", externalAppId).left < 0) {
    return googleError(429, "RESOURCE_EXHAUSTED");
  }
  const position = readToken(url.searchParams.get("token"));
  if (position === undefined) return googleError(400, "INVALID_ARGUMENT");
  const count = Math.min(100, Math.max(1, Number(url.searchParams.get("maxResults") ?? "10")));
  const sinceMs = deps.storeState.clock.now().getTime() - windowMs;
  const list = deps.storeState.reviewList(app, "all");
  const { reviews, hasMore } = sliceAfter(list, { position, count });
  const inWindow = reviews.filter(({ date }) => date.getTime() > sinceMs);
  // The API has only reviews with text.
  const shown = inWindow.filter(({ text }) => text !== "");
  const last = inWindow.at(-1);
  const next = hasMore && inWindow.length === reviews.length && last ? writeToken(last) : null;
  const translate = url.searchParams.get("translationLanguage");
  return jsonResponse(200, {
    ...(shown.length > 0 ? { reviews: shown.map((review) => apiReview(review, translate)) } : {}),
    ...(next === null ? {} : { tokenPagination: { nextPageToken: next } }),
  });
}

export function findPlayAccount(
  deps: OfficialApiDeps,
  request: StoreRequest,
): ServiceAccount | null {
  return deps.apiAuth.findServiceAccount(headerValue(request, "authorization"), scope);
}

export function apiReview(review: SimulatedReview, translate: string | null): unknown {
  const text = review.title === null ? review.text : `${review.title}\t${review.text}`;
  const user = {
    userComment: {
      text: translate === null ? text : `[${translate}] ${text}`,
      ...(translate === null ? {} : { originalText: text }),
      lastModified: protobufTime(review.date),
      starRating: review.rating,
      reviewerLanguage: review.region,
      device: "sample",
      androidOsVersion: 34,
      ...(review.version === "" ? {} : { appVersionName: review.version }),
      ...(review.votes > 0 ? { thumbsUpCount: review.votes } : {}),
    },
  };
  const { reply } = review;
  const developer = reply && {
    developerComment: { text: reply.text, lastModified: protobufTime(reply.at ?? review.date) },
  };
  return {
    reviewId: review.storeReviewId,
    ...(review.author === "" ? {} : { authorName: review.author }),
    // The order is not defined: the reply may come first.
    comments: developer ? [developer, user] : [user],
  };
}

export function protobufTime(moment: Date): unknown {
  const ms = moment.getTime();
  const nanos = (ms % secondMs) * 1_000_000;
  return { seconds: String(Math.floor(ms / secondMs)), ...(nanos > 0 ? { nanos } : {}) };
}

function writeToken({ date, storeReviewId }: SimulatedReview): string {
  return Buffer.from(`api ${date.getTime()} ${storeReviewId}`).toString("base64url");
}

/** undefined: not a token of this API. */
function readToken(token: string | null): ReviewPosition | null | undefined {
  if (token === null) return null;
  const [mark, dateMs, id] = Buffer.from(token, "base64url").toString().split(" ");
  if (mark !== "api" || !id) return undefined;
  return { dateMs: Number(dateMs), storeReviewId: id };
}

export function googleError(code: number, status: string): StoreResponse {
  return jsonResponse(code, { error: { code, message: "Refused.", status } });
}
