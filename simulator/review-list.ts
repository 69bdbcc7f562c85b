// Reviews in the order of the stores, newest first, that can be read piece by piece: a page costs the
// same however many there are.
import type { SimulatedReview } from "./store-state.ts";

export type ReviewList = {
  length: number;
  slice(start: number, count: number): SimulatedReview[];
  /** How many stand before this place: the newer ones, and of the same moment those of a higher id. */
  countBefore(place: ReviewPosition): number;
};

export type ReviewPosition = { dateMs: number; storeReviewId: string };

/** @param reviews newest first */
export function createReviewList(reviews: readonly SimulatedReview[]): ReviewList {
  return {
    length: reviews.length,
    slice: (start, count) => reviews.slice(start, start + count),
    countBefore: (place) => {
      let [low, high] = [0, reviews.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        const review = reviews[middle];
        if (review && isBefore(review, place)) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

export const noReviews: ReviewList = createReviewList([]);

/** The page that follows a review, and what comes before it is not read. */
export function sliceAfter(
  list: ReviewList,
  { place, count }: { place: ReviewPosition | null; count: number },
): { reviews: SimulatedReview[]; hasMore: boolean } {
  let start = place === null ? 0 : list.countBefore(place);
  // The review itself may still stand there, or have moved on with an edit.
  const [first] = place === null ? [] : list.slice(start, 1);
  if (first && first.storeReviewId === place?.storeReviewId) start += 1;
  return { reviews: list.slice(start, count), hasMore: list.length > start + count };
}

function isBefore(review: SimulatedReview, place: ReviewPosition): boolean {
  const dateMs = review.date.getTime();
  if (dateMs !== place.dateMs) return dateMs > place.dateMs;
  return review.storeReviewId > place.storeReviewId;
}
