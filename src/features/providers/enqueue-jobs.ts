// The job queue of ingest: deliveries that wait for a translation, edits of what was translated before,
// and reviews to be analysed by a provider. Everything is enqueued in the transaction of ingest.
import { type NewProviderJob, toProviderJob } from "../../domain/review/provider.ts";
import type { ReviewChange } from "../../domain/review/review.ts";
import type { IngestBatch, JobQueue } from "../../ingest/ingest-batch.ts";
import { delayForTranslation, listRetranslationJobs } from "../../matching/translations.ts";

/** The enabled providers. */
export type EnrichmentOptions = {
  /** How long a delivery waits for its translation; null when nothing is translated. */
  translateWaitMs: number | null;
  /** Whether a provider analyses reviews beside the built-in analysis. */
  isAnalysisEnabled: boolean;
};

export function createJobQueue({
  translateWaitMs,
  isAnalysisEnabled,
}: EnrichmentOptions): JobQueue {
  return {
    async enqueueDeliveries(tx, { listingId, events, deliveries, now }) {
      if (translateWaitMs === null) {
        await tx.enqueueDeliveries({ deliveries, now });
        return 0;
      }
      const heldUntil = new Date(now.getTime() + translateWaitMs);
      const delayed = delayForTranslation({ listingId, events, deliveries, heldUntil });
      await tx.enqueueDeliveries({ deliveries: delayed.deliveries, now });
      await tx.insertProviderJobs({ jobs: delayed.jobs, now });
      await tx.insertTranslationWaits(delayed.waits);
      return delayed.jobs.length;
    },
    async enqueueJobs(tx, { batch, changes, now }) {
      const jobs = [
        ...(translateWaitMs === null ? [] : listRetranslationJobs(batch.listing.id, changes)),
        ...(isAnalysisEnabled ? listAnalysisJobs(batch, changes) : []),
      ];
      await tx.insertProviderJobs({ jobs, now });
      return jobs.length;
    },
  };
}

// Reviews of today come before the many of a backfill.
function listAnalysisJobs(
  { listing, notifyPolicy }: IngestBatch,
  changes: readonly ReviewChange[],
): NewProviderJob[] {
  const isUrgent = notifyPolicy.kind === "recent" || notifyPolicy.kind === "always";
  return (
    changes
      .filter(({ kind }) => kind === "new" || kind === "edited")
      // An import can bring a provider's analysis.
      .filter(({ after: { analysis } }) => analysis?.sentiment && analysis.provider === undefined)
      .map(({ after: review }) =>
        toProviderJob("analyse", { listingId: listing.id, review, isUrgent }),
      )
  );
}
