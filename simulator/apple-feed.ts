// Apple's customer-review feed: 50 entries a page, 10 pages, newest first or the helpful ones first, as
// JSON or as XML.
import { type Answer, errorPage, scriptAnswer } from "./answer.ts";
import { type FeedCopy, writeFeedJson } from "./apple-feed-json.ts";
import { writeFeedXml } from "./apple-feed-xml.ts";
import type { StoreRequest } from "./store-request.ts";
import type { World, WorldReview } from "./world.ts";

const pageSize = 50;
export const feedPagesMax = 10;

export function answerFeed(world: World, request: StoreRequest): Answer {
  const refusal = refuseFeed(request);
  if (refusal) return refusal;
  const app = { store: "appstore", externalAppId: request.externalAppId } as const;
  const list = world.reviewList(app, request.region);
  const start = (request.page - 1) * pageSize;
  const reviews =
    request.sort === "mosthelpful"
      ? mostHelpful(list.slice(0, pageSize * feedPagesMax)).slice(start, start + pageSize)
      : list.slice(start, pageSize);
  return feedAnswer({
    request,
    reviews,
    lastPage: Math.min(feedPagesMax, Math.ceil(list.length / pageSize)),
    madeAt: world.clock.now(),
  });
}

/** Both orders show the same pool. */
function mostHelpful(reviews: readonly WorldReview[]): WorldReview[] {
  return reviews.toSorted((one, other) => other.votes - one.votes);
}

/** What the store says before it looks at any app. */
export function refuseFeed(request: StoreRequest): Answer | null {
  if (request.page > feedPagesMax) {
    return scriptAnswer(400, "CustomerReviews RSS page depth is limited to 10");
  }
  if (request.region === "uk") return { status: 400, headers: {}, body: "" };
  return /^[a-z]{2}$/.test(request.region) ? null : errorPage(404, "Not Found");
}

/** `lastPage` 0: nothing at all, and every paging link is empty. */
export function feedAnswer(page: {
  request: StoreRequest;
  reviews: readonly WorldReview[];
  lastPage: number;
  madeAt: Date;
}): Answer {
  const { request, lastPage } = page;
  const { region } = request;
  const linkTo = (target: number): string =>
    lastPage === 0
      ? ""
      : `https://itunes.apple.com/${region}/rss/customerreviews/page=${target}` +
        `/id=${request.externalAppId}/sortby=${request.sort}` +
        `/xml?urlDesc=/customerreviews/page=${request.page}`;
  const copy: FeedCopy = {
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
  if (request.format !== "xml") return scriptAnswer(200, writeFeedJson(copy));
  const headers = { "content-type": "text/xml; charset=UTF-8" };
  return { status: 200, headers, body: writeFeedXml(copy) };
}
