// Lists move while they are read, so one review can stand twice in a page.
import type { SourceReview } from "../domain/review.ts";

/** Pages are newest first: of two versions of one review the first is the current one. */
export function firstOfEach(reviews: readonly SourceReview[]): SourceReview[] {
  const seen = new Set<string>();
  return reviews.filter(({ storeReviewId }) => {
    const isFirst = !seen.has(storeReviewId);
    seen.add(storeReviewId);
    return isFirst;
  });
}
