// Labels that features give to new and edited reviews, in the transaction that saves them: a review has them for one workspace,
// beside the topics that it has for all.

import type { App } from "../domain/feed/listing.ts";
import type { Review, ReviewChange } from "../domain/review/review.ts";
import type { DatabaseTransaction } from "./database.ts";

export type LabelRepository = Pick<DatabaseTransaction, "with">;

/** The labels that a review has for the workspace of an app. */
export type LabelsOf = (review: Pick<Review, "id">, app: Pick<App, "id">) => readonly string[];

/** Finds and saves labels. The listing is locked: no other transaction labels these reviews. */
export type LabelReviews = (
  tx: LabelRepository,
  input: { listingId: string; changes: readonly ReviewChange[] },
) => Promise<LabelsOf>;

/** A table: features add theirs. */
export const labelers: LabelReviews[] = [];

export const noLabels: LabelsOf = () => [];

export const labelReviews: LabelReviews = async (tx, input) => {
  const found: LabelsOf[] = [];
  for (const label of labelers) found.push(await label(tx, input));
  return (review, app) => found.flatMap((labelsOf) => labelsOf(review, app));
};
