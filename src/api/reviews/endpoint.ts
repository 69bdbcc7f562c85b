// GET /reviews: newest first, in pages that neither skip nor repeat a review while others arrive.

import type { ReadReview, ReviewFilters } from "../../keep/review-pages.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { storeIds } from "../../reviews/store-id.ts";
import { type ReviewsAnswer, reviewsAnswer } from "../contract.ts";
import { defineEndpoint, requireApp } from "../endpoint.ts";
import { exampleReviews } from "../examples.ts";
import { reviewParameters } from "../parameters.ts";

export const reviewsEndpoint = defineEndpoint({
  path: "/reviews",
  id: "listReviews",
  summary: "List reviews",
  description:
    "Reviews of the workspace's apps, newest first. Pass `nextCursor` back as `cursor`, with the same filters, for the next page; `limit` may change. Reviews that arrive meanwhile never make a page skip or repeat one.",
  parameters: reviewParameters,
  body: reviewsAnswer,
  example: exampleReviews,
  problems: ["invalid_parameter", "invalid_cursor", "app_not_found"],
  async answer({ keep, cursors, workspaceId, query }) {
    const { app: appId, store, limit, cursor } = query;
    if (appId !== undefined) await requireApp(keep, { id: appId, workspaceId });
    const filters: ReviewFilters = {
      workspaceId,
      appId: appId ?? null,
      stores: store === undefined ? storeIds : [store],
      from: query.from ?? null,
      to: query.to ?? null,
      rating: query.rating ?? null,
      sentiment: query.sentiment ?? null,
      topic: query.topic ?? null,
    };
    const after = cursor === undefined ? null : cursors.open(cursor, filters);
    // One more than asked for tells whether there is a further page.
    const found = canMatch(filters)
      ? await keep.listReviewPage({ filters, after, limit: limit + 1 })
      : [];
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      reviews: page.map(writeReview),
      nextCursor: last && found.length > limit ? cursors.seal(last.position, filters) : null,
    };
  },
});

/** No topic holds a NUL, and PostgreSQL refuses to be asked for one. */
function canMatch({ topic }: ReviewFilters): boolean {
  return topic === null || !topic.includes("\0");
}

function writeReview(review: ReadReview): ReviewsAnswer["reviews"][number] {
  return {
    id: review.id,
    store: review.store,
    externalAppId: review.externalAppId,
    author: review.author,
    rating: review.rating,
    title: review.title,
    text: review.text,
    translatedText: review.translatedText,
    translatedFrom: review.translatedFrom,
    version: review.version,
    country: review.country,
    date: formatTimestamp(review.date),
    sentiment:
      review.sentiment === null
        ? null
        : { label: review.sentiment, score: review.sentimentScore ?? 0 },
    topics: review.topics,
  };
}
