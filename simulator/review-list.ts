// Reviews in the order of the stores, newest first, read page by page: a page costs the same at any
// position and for any number of reviews.
import type { SimulatedReview } from "./store-facts.ts";

export type ReviewList = {
  length: number;
  slice(start: number, count: number): SimulatedReview[];
  /** The number of reviews before this position: the newer ones, and those of the same moment with a higher id. */
  countBefore(position: ReviewPosition): number;
};

export type ReviewPosition = { dateMs: number; storeReviewId: string };

/** @param reviews newest first */
export function createReviewList(reviews: readonly SimulatedReview[]): ReviewList {
  return {
    length: reviews.length,
    slice: (start, count) => reviews.slice(start, start + count),
    countBefore: (position) =>
      countWhile(reviews.length, (index) => {
        const review = reviews[index];
        return review !== undefined && isBefore(review, position);
      }),
  };
}

/** The number of indexes at the start for which a condition holds that never holds again after it failed. */
export function countWhile(length: number, condition: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const noReviews: ReviewList = createReviewList([]);

/** The page after a position, or the first page. */
export function sliceAfter(
  list: ReviewList,
  { position, count }: { position: ReviewPosition | null; count: number },
): { reviews: SimulatedReview[]; hasMore: boolean } {
  let start = position === null ? 0 : list.countBefore(position);
  // The review itself may still be there, or have moved to the top with an edit.
  const [first] = position === null ? [] : list.slice(start, 1);
  if (first && first.storeReviewId === position?.storeReviewId) start += 1;
  return { reviews: list.slice(start, count), hasMore: list.length > start + count };
}

function isBefore(review: SimulatedReview, position: ReviewPosition): boolean {
  const dateMs = review.date.getTime();
  if (dateMs !== position.dateMs) return dateMs > position.dateMs;
  return review.storeReviewId > position.storeReviewId;
}
