// What of the news a provider is asked about, queued in the ingest transaction: deliveries that wait
// for a translation, edits of what was translated, and reviews to be analysed once more.

import type { DatabaseTransaction } from "../database/database.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import { analyseJob, type NewProviderJob } from "../domain/provider.ts";
import type { IngestBatch } from "../ingest/ingest-batch.ts";
import type { ReviewChange, ReviewEvent } from "../matching/match-reviews.ts";
import { delayForTranslation, listRetranslationJobs } from "../matching/translations.ts";

/** What the operator asks of providers. */
export type EnrichmentOptions = {
  /** How long a delivery waits for its translation; null when nobody translates. */
  translateWaitMs: number | null;
  /** Whether somebody beside the built-in engine analyses reviews. */
  isAnalysisEnabled: boolean;
};

export const noEnrichment: EnrichmentOptions = { translateWaitMs: null, isAnalysisEnabled: false };

export function isEnrichmentEnabled({ translateWaitMs, isAnalysisEnabled: isAnalysed }: EnrichmentOptions): boolean {
  return translateWaitMs !== null || isAnalysed;
}

type Tx = Pick<DatabaseTransaction, "enqueueDeliveries" | "insertProviderJobs" | "insertTranslationWaits">;

/** Queues deliveries, each of `events` in its place; those that wait for a translation come due later. */
export async function enenqueueDeliveries(
  tx: Tx,
  queued: {
    listingId: string;
    events: readonly ReviewEvent[];
    deliveries: readonly NewDelivery[];
    options: EnrichmentOptions;
    now: Date;
  },
): Promise<void> {
  const { deliveries, options: wishes, now } = queued;
  if (wishes.translateWaitMs === null) {
    await tx.enqueueDeliveries({ deliveries, now });
    return;
  }
  const heldUntil = new Date(now.getTime() + wishes.translateWaitMs);
  const held = delayForTranslation({ ...queued, heldUntil });
  await tx.enqueueDeliveries({ deliveries: held.deliveries, now });
  await tx.insertProviderJobs({ jobs: held.jobs, now });
  await tx.insertTranslationWaits(held.waits);
}

/** Queues what nobody waits for. */
export async function enqueueProviderJobs(
  tx: Pick<DatabaseTransaction, "insertProviderJobs">,
  queued: {
    batch: IngestBatch;
    changes: readonly ReviewChange[];
    wishes: EnrichmentOptions;
    now: Date;
  },
): Promise<void> {
  const { batch, changes, wishes, now } = queued;
  const listingId = batch.listing.id;
  const renewed = wishes.translateWaitMs === null ? [] : listRetranslationJobs(listingId, changes);
  const analysed = wishes.isAnalysisEnabled ? listAnalyseJobs(batch, changes) : [];
  await tx.insertProviderJobs({ jobs: [...renewed, ...analysed], now });
}

// Fresh reviews come before the many of a silent baseline.
function listAnalyseJobs(batch: IngestBatch, changes: readonly ReviewChange[]): NewProviderJob[] {
  const isUrgent = batch.announce === "fresh" || batch.announce === "all";
  return changes
    .filter(({ kind }) => kind === "new" || kind === "edited")
    .filter(({ after }) => after.analysis?.sentiment)
    .map(({ after }) => ({ ...analyseJob(batch.listing.id, after), isUrgent }));
}
