// Averages of ratings by day without their number, from exports of the Play Console: saved as they are, without events.
import type { DatabaseTransaction } from "../database/database.ts";
import type { RatingAverage } from "../domain/review/rating-average.ts";
import type { IngestDeps } from "./ingest-batch.ts";

type AverageRepository = Pick<DatabaseTransaction, "lockListing" | "saveRatingAverages">;

type IngestRatingAverages = (save: {
  listingId: string;
  averages: readonly RatingAverage[];
}) => Promise<{ inserted: number; updated: number }>;

/** Each region and day once. Nothing is saved for a listing that was removed. */
export function createRatingAveragesIngest({
  database,
}: {
  database: Pick<IngestDeps<AverageRepository>["database"], "transaction">;
}): IngestRatingAverages {
  return (save) =>
    database.transaction(async (tx) => {
      const listing = await tx.lockListing(save.listingId);
      return listing ? tx.saveRatingAverages(save) : { inserted: 0, updated: 0 };
    });
}
