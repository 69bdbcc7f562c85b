// The way of a provider's opinion: beside the review, and into the rollups, in one transaction for each
// listing. It makes no event: those were matched by the built-in analysis when the review came.
import type { Database, DatabaseTransaction } from "../database/database.ts";
import { analysisHash } from "../domain/provider.ts";
import type { Review } from "../domain/review.ts";
import type { ProvidedAnalysis } from "./providers/analysis-handler.ts";
import type { JobOutcome } from "./providers/job-handler.ts";

type Done = { provider: string; answered: readonly JobOutcome<ProvidedAnalysis>[] };

export function createAnalysisWriter(database: Database) {
  return async ({ provider, answered }: Done): Promise<void> => {
    const listingIds = new Set(answered.map(({ job }) => job.listingId));
    for (const listingId of listingIds) {
      const ofListing = answered.filter(({ job }) => job.listingId === listingId);
      const changedCount = await database.transaction((tx) =>
        finishListing(tx, { listingId, provider, answered: ofListing }),
      );
      if (changedCount > 0) await database.notify("reviews", listingId);
    }
  };
}

async function finishListing(
  tx: DatabaseTransaction,
  done: Done & { listingId: string },
): Promise<number> {
  const { listingId, provider, answered } = done;
  // As an ingest does: changes to one listing come one after another.
  if (!(await tx.lockListing(listingId))) return 0;
  const ids = answered.map(({ job }) => job.reviewId);
  const known = new Map((await tx.loadReviews({ listingId, ids })).map((one) => [one.id, one]));
  const changes = new Map<string, { before: Review; after: Review }>();
  for (const { job, answer } of answered) {
    const before = known.get(job.reviewId);
    // An opinion of what it said before an edit is of no use any more.
    if (!answer || !before?.analysis || !analysisHash(before).equals(job.contentHash)) continue;
    const { language, version } = before.analysis;
    const analysis = { ...answer, language, version, provider };
    changes.set(before.id, { before, after: { ...before, analysis } });
  }
  const list = [...changes.values()];
  await tx.updateReviews({ listingId, reviews: list.map(({ after }) => after) });
  await tx.addToRollups({ listingId, changes: list });
  await tx.finishProviderJobs(answered.map(({ job }) => job));
  return list.length;
}
