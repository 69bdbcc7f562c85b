// Sample data for the test event: a review and an app that exist nowhere.
import type { AlertName, Channel, EventName } from "../domain/channel/channel.ts";
import type { AlertContent, DigestContent } from "../domain/channel/channel-event.ts";
import type { DigestRhythm } from "../domain/channel/digest-rhythm.ts";
import type { App } from "../domain/feed/listing.ts";
import { type Review, reviewIdOf } from "../domain/review/review.ts";
import { addDays, dayOf } from "../lib/timestamp.ts";

export const sampleApp: Pick<App, "id" | "name" | "store" | "externalAppId"> = {
  id: "00000000-0000-4000-8000-000000000001",
  name: "Sample App",
  store: "appstore",
  externalAppId: "0",
};

export function sampleReview(now: Date, rating = 4): Review {
  const storeReviewId = "sample";
  return {
    // No store has such an app id, so this can never be the id of a real review.
    id: reviewIdOf({ store: sampleApp.store, externalAppId: "sample", storeReviewId }),
    storeReviewId,
    author: "Sample Author",
    rating,
    title: "A sample review",
    text: "This review is invented. It shows what a delivery looks like.",
    version: "1.0.0",
    country: "us",
    languageHint: "en",
    date: now,
    isDateAssumed: false,
    votes: null,
    reply: null,
    analysis: null,
    translation: null,
    firstSeenAt: now,
    editedAt: null,
  };
}

/** The content of a test event; a review has a rating that the channel gets. */
export function sampleEvent(
  event: EventName,
  { now, stars }: { now: Date; stars: Channel["stars"] },
) {
  const review = sampleReview(now, stars?.includes(4) ? 4 : stars?.[0]);
  switch (event) {
    case "review.created":
      return { event, review };
    case "review.updated": {
      const rating = review.rating === 2 ? 1 : 2;
      return { event, review, before: { ...review, rating, text: "This text is invented." } };
    }
    case "review.rating_drop": {
      const averages = { currentAvg: 4.1, baselineAvg: 4.5, drop: 0.4 };
      const sizes = { sampleSize: 120, baselineSampleSize: 100, periodDays: 7 };
      return { event, ratingDrop: { ...averages, ...sizes } };
    }
  }
}

const alertLines = {
  "reviews.spike": "6 of 14 reviews complain about crashes: 43% now, 4 of 120 before.",
  "release.worse":
    "1.0.0: After 14 reviews over 2 days: 6 of 14 are negative (12 of 120 in the 12 weeks before).",
  "storefront.failing": "Reviews, us: HTTP 503",
  "channel.failing": "HTTP 500",
} as const satisfies Record<AlertName, string>;

const sampleQuote = {
  reviewId: sampleReview(new Date(0)).id,
  rating: 1,
  text: "This review is invented. It shows what a complaint looks like.",
  version: "1.0.0",
  country: "us",
};

/** The content of a test of an alert. */
export function sampleAlert(event: AlertName): AlertContent {
  const isOfChannel = event === "channel.failing";
  return {
    event,
    app: isOfChannel ? null : sampleApp,
    failing: isOfChannel ? { id: sampleApp.id, name: "Sample channel" } : null,
    ...(event === "release.worse" && { version: "1.0.0", quote: sampleQuote }),
    lines: [alertLines[event]],
    moreCount: 0,
  };
}

/** The test message of a channel with digests. */
export function sampleDigest(now: Date, rhythm: DigestRhythm): DigestContent {
  const to = addDays(dayOf(now), -1);
  const days = rhythm === "daily" ? "Yesterday" : "In the week before";
  return {
    rhythm,
    range: { from: rhythm === "daily" ? to : addDays(to, -6), to },
    apps: [
      {
        app: sampleApp,
        sentences: [
          `${days} there were 14 invented reviews, 9 would be usual, with 3.21 stars on average (4.10 before).`,
          "6 of 14 reviews complain about crashes: 43% now, 4 of 36 before.",
        ],
        matchingCount: null,
        ratings: { average: 4.21, total: 12_345 },
        ratingsBefore: { average: 4.25, total: 12_284 },
        complaints: [{ topic: "crash", count: 6, quote: sampleQuote }],
      },
    ],
    others: [],
    unnamedCount: 0,
  };
}
