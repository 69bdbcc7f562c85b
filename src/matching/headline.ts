// The changes of an edit, as facts and as one English line.
import type { EventChange } from "../domain/event.ts";
import type { Review } from "../domain/review.ts";

type ReviewContent = Pick<Review, "rating" | "title" | "text">;

/** Title counts as text. */
export function describeChange(before: ReviewContent, after: ReviewContent): EventChange {
  const ratingChanged = before.rating !== after.rating;
  const textChanged = before.text !== after.text || before.title !== after.title;
  return {
    oldScore: before.rating,
    newScore: after.rating,
    ratingChanged,
    textChanged,
    headline: composeHeadline({ before, after, ratingChanged, textChanged }),
  };
}

function composeHeadline(change: {
  before: ReviewContent;
  after: ReviewContent;
  ratingChanged: boolean;
  textChanged: boolean;
}): string {
  if (!change.ratingChanged) return "Text edited";
  const stars = `Rating changed from ${change.before.rating} to ${change.after.rating} stars`;
  return change.textChanged ? `${stars} and text edited` : stars;
}
