// Apple's customer-review feed: 50 entries a page, 10 pages, newest first or the helpful ones first, as
// JSON or as XML.

import { type FeedPage, formatFeedJson } from "./apple-feed-json.ts";
import { formatFeedXml } from "./apple-feed-xml.ts";
import type { SimulatedReview } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import { errorResponse, type StoreResponse, scriptResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

const pageSize = 50;
export const feedPagesMax = 10;

export function handleFeed(storeState: StoreState, request: StoreRequest): StoreResponse {
  const error = validateFeedRequest(request);
  if (error) return error;
  const app = { store: "appstore", externalAppId: request.externalAppId } as const;
  const list = storeState.reviewList(app, request.region);
  const start = (request.page - 1) * pageSize;
  const reviews =
    request.sort === "mosthelpful"
      ? mostHelpful(list.slice(0, pageSize * feedPagesMax)).slice(start, start + pageSize)
      : list.slice(start, pageSize);
  return feedResponse({
    request,
    reviews,
    lastPage: Math.min(feedPagesMax, Math.ceil(list.length / pageSize)),
    madeAt: storeState.clock.now(),
  });
}

/** Both orders show the same 500 reviews. */
function mostHelpful(reviews: readonly SimulatedReview[]): SimulatedReview[] {
  return reviews.toSorted((one, other) => other.votes - one.votes);
}

/** The error response to a request that is invalid for every app; null for a valid one. */
export function validateFeedRequest(request: StoreRequest): StoreResponse | null {
  if (request.page > feedPagesMax) {
    return scriptResponse(400, "CustomerReviews RSS page depth is limited to 10");
  }
  if (request.region === "uk") return { status: 400, headers: {}, body: "" };
  return /^[a-z]{2}$/.test(request.region) ? null : errorResponse(404, "Not Found");
}

/** `lastPage` 0: no page at all, and every paging link is empty. */
export function feedResponse(page: {
  request: StoreRequest;
  reviews: readonly SimulatedReview[];
  lastPage: number;
  madeAt: Date;
}): StoreResponse {
  const { request, lastPage } = page;
  const { region } = request;
  const linkTo = (target: number): string =>
    lastPage === 0
      ? ""
      : `https://itunes.apple.com/${region}/rss/customerreviews/page=${target}` +
        `/id=${request.externalAppId}/sortby=${request.sort}` +
        `/xml?urlDesc=/customerreviews/page=${request.page}`;
  const feedPage: FeedPage = {
    ...page,
    externalAppId: request.externalAppId,
    region,
    self: `https://17.0.0.1${request.url.pathname}`,
    links: {
      first: linkTo(1),
      last: linkTo(lastPage),
      previous: linkTo(Math.max(1, request.page - 1)),
      next: linkTo(Math.min(feedPagesMax, request.page + 1)),
    },
  };
  if (request.format !== "xml") return scriptResponse(200, formatFeedJson(feedPage));
  const headers = { "content-type": "text/xml; charset=UTF-8" };
  return { status: 200, headers, body: formatFeedXml(feedPage) };
}
