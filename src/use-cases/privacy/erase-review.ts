// Removes a review's content when its author asks for it: name, title, text, reply, translations, earlier versions,
// deliveries, digests and frozen pages that quote it, tags and notes, in every workspace. Stars and date stay in the
// counts, and the review is not saved again while the store still shows it.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { requireApp } from "../apps/apps.ts";
import { endings } from "../endings.ts";

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
  const app = await requireApp(database, { id: query.appId, workspaceId: null });
  const { listingId } = app;
  return database.findReviewsByAuthor({ listingId, author: query.author.trim(), limit: foundMax });
}

type Erased = { reviewId: string; listingCount: number; deliveryCount: number };

/** @throws AppError `not_found` */
export async function eraseReview(
  tx: DatabaseTransaction,
  { app, reviewId, now }: { app: App; reviewId: string; now: Date },
): Promise<Erased> {
  const listingIds = await lockListings(tx, app);
  // Locks channels that compose a digest right now: the digest is found below, or knows of the erasure.
  await tx.raiseFollowingChannels({ listingIds });
  const { listingCount, texts } = await eraseInListings(tx, { listingIds, reviewId });
  if (listingCount === 0) throw notFound("review", reviewId);
  await tx.deleteTranslationsOfTexts(texts);
  await tx.insertErasedReview({ reviewId, erasedAt: now });
  const deliveryCount = await tx.deleteDeliveriesOfReview(reviewId);
  for (const { withReview } of endings) await withReview?.(tx, reviewId);
  return { reviewId, listingCount, deliveryCount };
}

/** An ingest of one of the listings commits before this, or knows afterwards that the review was erased. */
async function lockListings(tx: DatabaseTransaction, app: App): Promise<string[]> {
  const locked = new Set<string>();
  // A private copy that was begun before its original was locked here is found by another look.
  for (;;) {
    const listings = await tx.listListingsOfStoreApp(app);
    const added = listings.filter(({ id }) => !locked.has(id));
    if (added.length === 0) return [...locked];
    for (const { id } of added) {
      await tx.lockListing(id);
      locked.add(id);
    }
  }
}

async function eraseInListings(
  tx: DatabaseTransaction,
  { listingIds, reviewId }: { listingIds: readonly string[]; reviewId: string },
): Promise<{ listingCount: number; texts: string[] }> {
  const counts = { listingCount: 0, texts: [] as string[] };
  for (const listingId of listingIds) {
    const [before] = await tx.loadReviews({ listingId, ids: [reviewId] });
    if (!before) continue;
    const versions = await tx.loadReviewVersions({ listingId, reviewIds: [reviewId] });
    counts.texts.push(before.text, ...versions.map(({ text }) => text));
    const after = withoutContent(before);
    await tx.updateReviews({ listingId, reviews: [after] });
    await tx.addToRollups({ listingId, changes: [{ before, after }] });
    await tx.deleteReviewTraces({ listingId, reviewId });
    await tx.deleteOwnTopicsOfReview({ listingId, reviewId });
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
