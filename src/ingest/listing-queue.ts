// Saves the batches of one listing one after the other, in the order in which they came: none holds a connection while it
// waits for the lock of the listing.
import type { IngestReviews } from "./ingest-batch.ts";

export function queueByListing(save: IngestReviews): IngestReviews {
  const lastOfListing = new Map<string, Promise<unknown>>();
  return async (batch) => {
    const { id } = batch.listing;
    const saved = (lastOfListing.get(id) ?? Promise.resolve()).then(() => save(batch));
    // The next batch waits for this one, however it ends.
    const ended = saved.catch(() => undefined);
    lastOfListing.set(id, ended);
    try {
      return await saved;
    } finally {
      if (lastOfListing.get(id) === ended) lastOfListing.delete(id);
    }
  };
}
