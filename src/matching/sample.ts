// Sample data for the test event: a review and an app that exist nowhere.
import type { App } from "../domain/listing.ts";
import { type Review, reviewIdOf } from "../domain/review.ts";

export const sampleApp: Pick<App, "id" | "name" | "store" | "externalAppId"> = {
  id: "00000000-0000-4000-8000-000000000001",
  name: "Sample App",
  store: "appstore",
  externalAppId: "0",
};

export function sampleReview(now: Date): Review {
  const storeReviewId = "sample";
  return {
    // No store has such an app id, so this can never be the id of a real review.
    id: reviewIdOf({ store: sampleApp.store, externalAppId: "sample", storeReviewId }),
    storeReviewId,
    author: "Sample Author",
    rating: 4,
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
