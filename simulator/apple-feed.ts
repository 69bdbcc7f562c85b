// Writes Apple's customer-review feed as JSON: 50 entries a page, 10 pages, every scalar a string
// in a `label`, paging links that name the XML variant and are empty when there is nothing.
import { hourMs } from "../src/lib/timestamp.ts";
import { type Answer, errorPage, scriptAnswer } from "./answer.ts";
import type { StoreRequest } from "./store-request.ts";
import type { World, WorldReview } from "./world.ts";

const pageSize = 50;
export const feedPagesMax = 10;

export function answerFeed(world: World, request: StoreRequest): Answer {
  const refusal = refuseFeed(request);
  if (refusal) return refusal;
  const app = { store: "appstore", externalAppId: request.externalAppId } as const;
  const reviews = world.reviewsNow(app, request.region);
  if (/sortby=mosthelpful/i.test(request.url.pathname)) {
    reviews.sort((one, other) => other.votes - one.votes);
  }
  const start = (request.page - 1) * pageSize;
  return feedAnswer({
    request,
    entries: reviews
      .slice(start, start + pageSize)
      .map((review) => entryOf(review, request.externalAppId)),
    lastPage: Math.min(feedPagesMax, Math.ceil(reviews.length / pageSize)),
    madeAt: world.clock.now(),
  });
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
export function feedAnswer(feed: {
  request: StoreRequest;
  entries: unknown[];
  lastPage: number;
  madeAt: Date;
}): Answer {
  const { request, entries, lastPage, madeAt } = feed;
  const { page, region } = request;
  const linkTo = (target: number): string =>
    lastPage === 0
      ? ""
      : `https://itunes.apple.com/${region}/rss/customerreviews/page=${target}` +
        `/id=${request.externalAppId}/sortby=mostrecent/xml?urlDesc=/customerreviews/page=${page}`;
  const self = `https://17.0.0.1${request.url.pathname}`;
  const link = [
    linkOf("alternate", `https://music.apple.com/viewGrouping?cc=${region}`),
    linkOf("self", self),
    linkOf("first", linkTo(1)),
    linkOf("last", linkTo(lastPage)),
    linkOf("previous", linkTo(Math.max(1, page - 1))),
    linkOf("next", linkTo(Math.min(feedPagesMax, page + 1))),
  ];
  const body = {
    feed: {
      author: { name: label("iTunes Store"), uri: label("http://www.apple.com/itunes/") },
      ...(entries.length > 0 ? { entry: entries.length === 1 ? entries[0] : entries } : {}),
      updated: label(pacificTime(madeAt)),
      rights: label("Copyright 2008 Apple Inc."),
      title: label("iTunes Store: Customer Reviews"),
      icon: label("http://itunes.apple.com/favicon.ico"),
      link,
      id: label(self),
    },
  };
  return scriptAnswer(200, JSON.stringify(body));
}

function entryOf(review: WorldReview, externalAppId: string): unknown {
  const { region } = review;
  return {
    author: {
      uri: label(`https://itunes.apple.com/${region}/reviews/id0`),
      name: label(review.author),
      label: "",
    },
    updated: label(pacificTime(review.date)),
    "im:rating": label(String(review.rating)),
    "im:version": label(review.version),
    id: label(review.storeReviewId),
    title: label(review.title ?? ""),
    content: { label: review.text, attributes: { type: "text" } },
    link: linkOf(
      "related",
      `https://itunes.apple.com/${region}/review?id=${externalAppId}&type=Purple%20Software`,
    ),
    "im:voteSum": label(String(review.votes)),
    "im:contentType": { attributes: { term: "Application", label: "Application" } },
    "im:voteCount": label(String(review.votes)),
  };
}

function label(text: string): { label: string } {
  return { label: text };
}

function linkOf(rel: string, href: string): unknown {
  return { attributes: { rel, href } };
}

/** The feed writes -07:00 in winter too. */
function pacificTime(moment: Date): string {
  const shifted = new Date(moment.getTime() - 7 * hourMs);
  return `${shifted.toISOString().slice(0, 19)}-07:00`;
}
