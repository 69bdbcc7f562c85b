// Google Play's batchexecute responses for reviews: the payload is JSON inside a string inside
// JSON after a guard line. Tokens are opaque, and belong to one app, language and crawl.

import { uuidV5 } from "../src/lib/uuid.ts";
import { type ReviewPosition, sliceAfter } from "./review-list.ts";
import type { SimulatedReview } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

const pageSizeMax = 150;

export function handlePlayReviews(storeState: StoreState, request: StoreRequest): StoreResponse {
  const app = { store: "googleplay", externalAppId: request.externalAppId } as const;
  const { batch } = request;
  const rpcId = batch?.rpcId ?? "";
  const count = Math.min(pageSizeMax, Math.max(1, batch?.pageSize ?? pageSizeMax));
  const position = readToken(batch?.token ?? null);
  const list = storeState.reviewList(app, request.region);
  const { reviews, hasMore } = sliceAfter(list, { position, count });
  const last = reviews.at(-1);
  // The store has no error for an unknown app: it sends an empty payload in the same shape.
  if (!last) return batchResponse(rpcId, null);
  const token = hasMore ? writeToken(last, request.page + 1) : null;
  return batchResponse(rpcId, [
    reviews.map(reviewItems),
    ...(token ? [null, [null, token]] : [null, null]),
  ]);
}

/** The page number in a token; 1 without one. */
export function pageOfToken(token: string | null): number {
  return readToken(token)?.page ?? 1;
}

export function batchResponse(rpcId: string, payload: unknown): StoreResponse {
  const inner = payload === null ? null : JSON.stringify(payload);
  const frames = [
    ["wrb.fr", rpcId, inner, null, null, null, "generic"],
    ["di", 42],
    ["af.httprm", 42, "0", 1],
  ];
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `)]}'\n\n${JSON.stringify(frames)}`,
  };
}

export const reviewerPicture = "https://images.sample.invalid/user";

export function userIdOf(author: string): string {
  return uuidV5(author, "1f6f7f0e-6d5c-5b7a-8a53-0f3f7f6f9b10");
}

export function reviewItems(review: SimulatedReview): unknown[] {
  const picture = [null, 2, null, [null, null, reviewerPicture]];
  return [
    review.storeReviewId,
    [review.author, picture],
    review.rating,
    // Google Play dropped titles years ago; a few old reviews still have one.
    review.title,
    review.text === "" ? null : review.text,
    secondsAndNanos(review.date),
    review.votes,
    review.reply
      ? ["Sample Makers", review.reply.text, secondsAndNanos(review.reply.at ?? review.date)]
      : null,
    null,
    [userIdOf(review.author), review.author, null, [picture, true], picture],
    review.version === "" ? null : review.version,
    null,
    criteria[review.text.length % criteria.length],
    null,
    review.votes > 0 ? [true, false] : null,
    null,
    1,
  ];
}

/** Answers to further questions of the store, in every form that they take. */
const criteria = [
  null,
  [[["vaf_never_display_ease_of_use", null, [2]]]],
  null,
  [[["vaf_app_quality_stability", [1]], ["vaf_app_quality_battery_heat"]]],
];

/** Nanoseconds are an integer without leading zeros: 77 ms are 77000000. */
function secondsAndNanos(moment: Date): [number, number] {
  const ms = moment.getTime();
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}

type TokenPosition = ReviewPosition & { page: number };

function writeToken(last: SimulatedReview, page: number): string {
  const text = [last.date.getTime(), page, last.storeReviewId].join(" ");
  return Buffer.from(text).toString("base64url");
}

function readToken(token: string | null): TokenPosition | null {
  if (!token) return null;
  const [dateMs, page, storeReviewId] = Buffer.from(token, "base64url").toString().split(" ");
  if (!storeReviewId) return null;
  return { dateMs: Number(dateMs), page: Number(page), storeReviewId };
}
