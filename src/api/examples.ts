// Example responses and events for the documentation, by the operation or event that they belong to. A test checks them
// against the schemas, field by field and in order.
import { topicNames } from "../domain/topics.ts";
import parts from "./examples.json" with { type: "json" };

const { app, review, details, versions, nextCursor, ...rest } = parts;
const { source, eventReview, change, ratingDrop, ...others } = rest;
const editedReview = { ...eventReview, rating: change.newScore };

export const examples: Readonly<Record<string, object>> = {
  ...others,
  listApps: { apps: [app] },
  listReviews: { reviews: [review], nextCursor },
  exportReviews: { ...review, storeId: "10486531442", cursor: nextCursor },
  getReview: { ...review, ...details, versions },
  listEdits: { review, edits: versions },
  listTopics: { topics: [...topicNames].sort() },
  "review.created": { event: "review.created", ...source, review: eventReview },
  "review.updated": { event: "review.updated", ...source, review: editedReview, change },
  "review.rating_drop": { event: "review.rating_drop", ...source, ratingDrop },
};
