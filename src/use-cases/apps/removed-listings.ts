// Deletes what removed listings left behind, in batches: a listing may have millions of reviews, and other statements
// wait for one batch at most.
import type { Database } from "../../database/database.ts";

/** Rows of each table at once. */
export const removedBatchSize = 2_000;

/**
 * Until nothing is left, or the signal ends it after the current batch. Returns how many rows went.
 *
 * @param options.onBatch called after every batch with the rows deleted so far
 */
export async function deleteRemovedListings(
  database: Pick<Database, "findRemovedListing" | "deleteRowsOfRemovedListing">,
  { signal, onBatch }: { signal?: AbortSignal; onBatch?: (count: number) => void } = {},
): Promise<number> {
  let count = 0;
  while (!signal?.aborted) {
    const id = await database.findRemovedListing();
    if (id === null) break;
    const deleted = await database.deleteRowsOfRemovedListing({ id, limit: removedBatchSize });
    count += deleted;
    onBatch?.(count);
  }
  return count;
}
