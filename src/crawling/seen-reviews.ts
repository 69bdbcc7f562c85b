// The reviews of one crawl: each is counted once, and a list that begins again brings no new ones.
import type { SourceReview } from "../domain/review/review.ts";

/** Some ten megabytes; a longer list ends by its cursors, or by its number of pages. */
const countMax = 200_000;

export class SeenReviews {
  readonly #ids = new Set<string>();

  /** Counts the reviews that were not on an earlier page of the crawl. */
  countNew(reviews: readonly Pick<SourceReview, "storeReviewId">[]): number {
    const before = this.#ids.size;
    for (const { storeReviewId } of reviews) {
      if (this.#ids.size < countMax) this.#ids.add(storeReviewId);
    }
    return this.#ids.size < countMax ? this.#ids.size - before : reviews.length;
  }
}
