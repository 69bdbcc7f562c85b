// Removes what a reviewer wrote, when they ask for it: name, title, text, reply, translation, earlier versions,
// deliveries, tags and notes, in every workspace. Stars and date stay in the counts, and what the store goes on showing is not
// saved again.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { App } from "../../domain/listing.ts";
import type { Review } from "../../domain/review.ts";
import { assertId, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { requireApp } from "../apps/apps.ts";
import { recordAudit } from "../audit.ts";

const foundMax = 100;

/**
 * Reviews of an app by the name that the author chose in the store, in any case of letters.
 *
 * @throws AppError `not_found`
 */
export async function findReviewsOf(
  database: Pick<Database, "findApp" | "findReviewsByAuthor">,
  query: { appId: string; author: string },
): Promise<{ id: string; author: string; rating: number; date: Date; text: string }[]> {
  const app = await requireApp(database, { field: "app", id: query.appId, workspaceId: null });
  const { listingId } = app;
  return database.findReviewsByAuthor({ listingId, author: query.author.trim(), limit: foundMax });
}

export type ErasedReview = { reviewId: string; listingCount: number; deliveryCount: number };

/** @throws AppError `invalid_input` or `not_found` */
export async function eraseReview(
  deps: { clock: Clock; database: Pick<Database, "findApp" | "transaction">; actor: string },
  input: { appId: string; reviewId: string },
): Promise<ErasedReview> {
  assertId("review", input.reviewId);
  const reviewId = input.reviewId.toLowerCase();
  const app = await requireApp(deps.database, { field: "app", id: input.appId, workspaceId: null });
  return deps.database.transaction(async (tx) => {
    const { listingCount, waitingCount } = await eraseInListings(tx, { app, reviewId });
    if (listingCount === 0) throw notFound("review", reviewId);
    await tx.insertErasedReview({ reviewId, erasedAt: deps.clock.now() });
    await tx.deleteWorkOfReview(reviewId);
    const deliveryCount = waitingCount + (await tx.deleteDeliveriesOfReview(reviewId));
    const { store, externalAppId } = app;
    const entry = { action: "review.erased", subject: reviewId, workspaceId: null };
    const detail = { store, externalAppId, listingCount, deliveryCount };
    await recordAudit(deps, tx, { ...entry, detail });
    return { reviewId, listingCount, deliveryCount };
  });
}

async function eraseInListings(
  tx: DatabaseTransaction,
  { app, reviewId }: { app: App; reviewId: string },
): Promise<{ listingCount: number; waitingCount: number }> {
  const counts = { listingCount: 0, waitingCount: 0 };
  for (const { id: listingId } of await tx.listListingsOfStoreApp(app)) {
    // An ingest of the same listing comes before or after this, and then knows that the review was erased.
    await tx.lockListing(listingId);
    const [before] = await tx.loadReviews({ listingId, ids: [reviewId] });
    if (!before) continue;
    const after = withoutContent(before);
    await tx.updateReviews({ listingId, reviews: [after] });
    await tx.addToRollups({ listingId, changes: [{ before, after }] });
    await tx.deleteReviewTraces({ listingId, reviewId });
    await tx.deleteOwnTopicsOfReview({ listingId, reviewId });
    // Whoever moves it to the queue right now is waited for.
    counts.waitingCount += await tx.deleteReviewFromOutbox({ listingId, reviewId });
    counts.listingCount += 1;
  }
  return counts;
}

/** Sentiment and topics go with the text that they were found in. */
function withoutContent(review: Review): Review {
  const { analysis } = review;
  return {
    ...review,
    storeReviewId: "",
    author: "",
    title: null,
    text: "",
    reply: null,
    translation: null,
    analysis: analysis && { ...analysis, sentiment: null, topics: [] },
  };
}
