// Queues stored reviews for the translator: found by the database, a batch at a time, in the turns of their workspace.
import type { Database } from "../../database/database.ts";
import { toProviderJob } from "../../domain/review/provider.ts";
import type { Clock } from "../../lib/clock.ts";
import { readBatches } from "../../lib/read-batches.ts";
import type { UntranslatedReview } from "./sql.ts";
import * as statements from "./sql.ts";

type QueueDeps = { clock: Clock; database: Pick<Database, "with" | "transaction" | "notify"> };

/** A translator takes days for as many. */
export const queuedMax = 100_000;
const batchMax = 500;

/** The listings whose reviews this process is queueing. */
const running = new Map<string, Promise<void>>();

/** Queues the reviews of a listing that are neither English nor translated: one, or all that are not being queued already. */
export async function queueTranslations(
  deps: QueueDeps,
  choice: { listingId: string; reviewId: string | null },
): Promise<void> {
  const { listingId, reviewId } = choice;
  if (reviewId !== null) return queueAll(deps, choice);
  const known = running.get(listingId);
  if (known) return known;
  const queueing = queueAll(deps, choice).finally(() => running.delete(listingId));
  running.set(listingId, queueing);
  return queueing;
}

async function queueAll(
  deps: QueueDeps,
  choice: { listingId: string; reviewId: string | null },
): Promise<void> {
  const { database } = deps;
  const batches = readBatches(batchMax, (last: UntranslatedReview | null) => {
    const page = { ...choice, afterId: last?.id ?? null, limit: batchMax };
    return database.with(statements).listUntranslated(page);
  });
  let count = 0;
  for await (const reviews of batches) {
    await queueReviews(deps, { ...choice, reviews });
    count += reviews.length;
    if (count >= queuedMax) break;
  }
  await database.notify("jobs");
}

function queueReviews(
  { clock, database }: QueueDeps,
  { listingId, reviews }: { listingId: string; reviews: readonly UntranslatedReview[] },
): Promise<number> {
  return database.transaction(async (tx) => {
    // A listing that was deleted has no reviews left, and a job needs its review.
    if (!(await tx.lockListing(listingId))) return 0;
    const jobs = reviews.map(({ language, ...review }) =>
      toProviderJob("translate", {
        listingId,
        review: { ...review, analysis: { language } },
        isUrgent: false,
      }),
    );
    return tx.insertProviderJobs({ jobs, now: clock.now() });
  });
}
