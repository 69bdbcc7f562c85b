// The guarantees of a parser of damaged responses: report a review that was not there, or change the
// rating or the date of one.
import { expect } from "vitest";
import type { SourceReview } from "../../src/domain/review/review.ts";

export function expectOnlyKnown(
  reviews: readonly SourceReview[],
  originals: readonly SourceReview[],
): void {
  const known = new Map(originals.map((review) => [review.storeReviewId, review]));
  for (const { storeReviewId, rating, date } of reviews) {
    const original = known.get(storeReviewId);
    expect(original?.rating).toBe(rating);
    if (date === null) continue;
    const driftMs = Math.abs(date.getTime() - (original?.date?.getTime() ?? 0));
    // Less than a second: fractions are separate from seconds, and may be damaged alone.
    expect(driftMs).toBeLessThan(1_000);
  }
  expect(new Set(reviews.map(({ storeReviewId }) => storeReviewId)).size).toBe(reviews.length);
}
