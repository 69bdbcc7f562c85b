// Saves analyses by a provider: on the review and in the rollups, in one transaction per listing. They
// cause no event: events were matched with the built-in analysis when the review arrived.

import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { analysisHash } from "../../domain/review/provider.ts";
import type { Review } from "../../domain/review/review.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { ProvidedAnalysis } from "./providers/analysis-handler.ts";
import type { JobResult } from "./providers/job-handler.ts";

type AnalysisResults = { provider: string; results: readonly JobResult<ProvidedAnalysis>[] };

export function createAnalysisWriter(database: Pick<Database, "transaction">) {
  return async ({ provider, results }: AnalysisResults): Promise<void> => {
    // Each listing is saved in a transaction of its own.
    for (const [listingId, ofListing] of groupBy(results, ({ job }) => job.listingId)) {
      await database.transaction((tx) =>
        saveAnalyses(tx, { listingId, provider, results: ofListing }),
      );
    }
  };
}

async function saveAnalyses(
  tx: DatabaseTransaction,
  { listingId, provider, results }: AnalysisResults & { listingId: string },
): Promise<void> {
  // As in ingest, the lock puts changes of one listing in order.
  if (!(await tx.lockListing(listingId))) return;
  const ids = results.map(({ job }) => job.reviewId);
  const stored = await tx.loadReviews({ listingId, ids });
  const byId = new Map(stored.map((review) => [review.id, review]));
  const changes = new Map<string, { before: Review; after: Review }>();
  for (const { job, result } of results) {
    const before = byId.get(job.reviewId);
    // An analysis of the text before an edit is dropped.
    if (!result || !before?.analysis || !analysisHash(before).equals(job.contentHash)) continue;
    const { language, version } = before.analysis;
    const analysis = { ...result, language, version, provider };
    changes.set(before.id, { before, after: { ...before, analysis } });
  }
  const changed = [...changes.values()];
  await tx.updateReviews({ listingId, reviews: changed.map(({ after }) => after) });
  await tx.addToRollups({ listingId, changes: changed });
  await tx.finishProviderJobs(results.map(({ job }) => job));
}
