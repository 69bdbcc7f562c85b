// The way of a translation: from a provider's answer beside the review, into the bodies that wait for
// it, and to whoever reads the listing. One transaction for each listing; the request is long over.
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { Translation } from "../domain/review.ts";
import type { Clock } from "../lib/clock.ts";
import { addTranslation } from "../matching/translations.ts";
import type { JobOutcome } from "./providers/job-handler.ts";

type Answers = readonly JobOutcome<Translation>[];

export function createTranslationWriter(deps: { clock: Clock; database: Database }) {
  const { clock, database } = deps;
  return async (done: { provider: string; answered: Answers }): Promise<void> => {
    const listingIds = new Set(done.answered.map(({ job }) => job.listingId));
    for (const listingId of listingIds) {
      const answered = done.answered.filter(({ job }) => job.listingId === listingId);
      const now = clock.now();
      const saved = await database.transaction((tx) =>
        finishListing(tx, { ...done, listingId, answered, now }),
      );
      if (saved.translatedCount > 0) await database.notify("reviews", listingId);
      if (saved.freedCount > 0) await database.notify("deliveries");
    }
  };
}

async function finishListing(
  tx: DatabaseTransaction,
  done: { provider: string; listingId: string; answered: Answers; now: Date },
): Promise<{ translatedCount: number; freedCount: number }> {
  const { provider, listingId, answered, now } = done;
  await tx.saveTranslations({
    provider,
    translations: answered.map(({ job, answer }) => ({
      contentHash: job.contentHash,
      text: answer?.text ?? null,
    })),
    now,
  });
  // The jobs go with a listing that was removed meanwhile.
  if (!(await tx.lockListing(listingId))) return { translatedCount: 0, freedCount: 0 };
  const translated = answered.flatMap(({ job, answer }) =>
    answer ? [{ reviewId: job.reviewId, source: job.text, translation: answer }] : [],
  );
  const translatedCount = await tx.setTranslations({ listingId, translated });
  const freedCount = await freeDrafts(tx, done);
  await tx.finishProviderJobs(answered.map(({ job }) => job));
  return { translatedCount, freedCount };
}

/** Each draft speaks of the version it told of: only the translation of that very text goes into it. */
async function freeDrafts(
  tx: DatabaseTransaction,
  done: { listingId: string; answered: Answers; now: Date },
): Promise<number> {
  const { listingId, answered, now } = done;
  const jobs = answered.map(({ job }) => job);
  const byHash = new Map(
    answered.map(({ job, answer }) => [job.contentHash.toString("hex"), answer]),
  );
  const drafts = await tx.listDrafts({ listingId, jobs, now });
  const frozen = drafts.map(({ id, channelId, body, isTranslated, contentHash }) => {
    const translation = byHash.get(contentHash.toString("hex"));
    const isTold = isTranslated && translation;
    return { id, channelId, body: isTold ? addTranslation(body, translation) : body };
  });
  return tx.finishDrafts({ drafts: frozen, now });
}
