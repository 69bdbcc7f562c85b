// What became of a review that was read again: the result of comparing a source with the database.
import type { Review } from "./review.ts";

export type ReviewChange =
  | { kind: "new"; before: null; after: Review }
  /** Rating, title or text changed. */
  | { kind: "edited"; before: Review; after: Review }
  /** Version, votes, reply, author or date changed: saved, and no event. */
  | { kind: "metadata_changed"; before: Review; after: Review }
  | { kind: "unchanged"; before: Review; after: Review };
