// Saves translations: on the review and in the delivery bodies that wait for them, in one transaction per
// listing. A delivery whose body is complete becomes due.

import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { Translation } from "../../domain/review/review.ts";
import type { Clock } from "../../lib/clock.ts";
import { groupBy } from "../../lib/group-by.ts";
import { addTranslation } from "../../matching/translations.ts";
import type { JobResult } from "./providers/job-handler.ts";

type TranslationResults = { provider: string; results: readonly JobResult<Translation>[] };
type ListingResults = TranslationResults & { listingId: string; now: Date };

export function createTranslationWriter(deps: {
  clock: Clock;
  database: Pick<Database, "transaction" | "notify">;
}) {
  const { clock, database } = deps;
  return async ({ provider, results }: TranslationResults): Promise<void> => {
    // Each listing is saved in a transaction of its own.
    for (const [listingId, ofListing] of groupBy(results, ({ job }) => job.listingId)) {
      const now = clock.now();
      const dueCount = await database.transaction((tx) =>
        saveTranslations(tx, { listingId, provider, results: ofListing, now }),
      );
      if (dueCount > 0) await database.notify("deliveries");
    }
  };
}

/** Returns how many deliveries became due. */
async function saveTranslations(tx: DatabaseTransaction, input: ListingResults): Promise<number> {
  const { provider, listingId, results, now } = input;
  // A listing that was removed meanwhile took its jobs along.
  if (!(await tx.lockListing(listingId))) return 0;
  // An erasure holds the listing, too: it is either finished and known here, or deletes what is saved now.
  const erased = await tx.listErasedReviews(results.map(({ job }) => job.reviewId));
  const kept = results.filter(({ job }) => !erased.has(job.reviewId));
  await tx.saveTranslations({
    provider,
    translations: kept.map(({ job, result }) => ({
      contentHash: job.contentHash,
      source: job.text,
      text: result?.text ?? null,
    })),
    now,
  });
  const translated = results.flatMap(({ job, result }) =>
    result ? [{ reviewId: job.reviewId, source: job.text, translation: result }] : [],
  );
  await tx.setTranslations({ listingId, translated });
  const dueCount = await completeDrafts(tx, input);
  await tx.finishProviderJobs(results.map(({ job }) => job));
  return dueCount;
}

/** A draft contains one version of a review, and only the translation of that very text goes into it. */
async function completeDrafts(
  tx: DatabaseTransaction,
  { listingId, results, now }: ListingResults,
): Promise<number> {
  const byHash = new Map(
    results.map(({ job, result }) => [job.contentHash.toString("hex"), result]),
  );
  const drafts = await tx.listDrafts({ listingId, jobs: results.map(({ job }) => job), now });
  const completed = drafts.map(({ id, channelId, body, isTranslated, contentHash }) => {
    const translation = isTranslated ? byHash.get(contentHash.toString("hex")) : null;
    return { id, channelId, body: translation ? addTranslation(body, translation) : body };
  });
  return tx.finishDrafts({ drafts: completed, now });
}
