// Before the first import into an app on a public listing, the workspace gets a listing of its own: nothing that one
// workspace imports is ever seen, or announced, in another.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { App, Listing } from "../../domain/listing.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { syncFeeds } from "./app-regions.ts";
import { lockApp, releaseListing, removeUnfinishedCopy } from "./apps.ts";

// Reviews of one batch, and of one that holds those who share the listing.
const copyBatchSize = 1_000;
const heldBatchSize = 100;

type PrivateListingDeps = {
  clock: Clock;
  database: Pick<Database, "transaction">;
  batchSize?: number;
};

/**
 * The app's private listing. A public one that nobody else follows becomes it; of one that others follow, too, a
 * copy is made in batches. Two that do so at once share the work, and what was interrupted goes on where it was.
 *
 * @throws AppError `not_found`
 */
export async function ensurePrivateListing(
  deps: PrivateListingDeps,
  appId: string,
): Promise<Listing> {
  const { clock, database, batchSize: limit = copyBatchSize } = deps;
  for (;;) {
    const step = await database.transaction((tx) =>
      beginOrFinish(tx, { appId, limit, now: clock.now() }),
    );
    if (step.isPrivate) return step.listing;
    const { copyId, regions } = step;
    let hasMore = true;
    while (hasMore) {
      hasMore = await database.transaction((tx) => copyBatch(tx, { copyId, regions, limit }));
    }
  }
}

type Step =
  | { isPrivate: true; listing: Listing }
  | { isPrivate: false; copyId: string; regions: readonly string[] | null };

/**
 * Holds the listing: nobody else changes it while the app moves. Where there is something to copy yet, that is one
 * batch, and the next ones hold nobody.
 */
async function beginOrFinish(
  tx: DatabaseTransaction,
  { appId, limit, now }: { appId: string; limit: number; now: Date },
): Promise<Step> {
  const { app, listing } = await lockApp(tx, { id: appId, workspaceId: null });
  if (listing.workspaceId !== null) return { isPrivate: true, listing };
  const { id, workspaceId } = app;
  const [followed] = await tx.listFollowedApps({ workspaceId, ids: [id] });
  const regions = followed?.regions ?? null;
  const apps = await tx.listAppsOfListing(listing.id);
  // What is kept of regions that only others followed must not appear.
  if (apps.length === 1 && regions === null) {
    return { isPrivate: true, listing: await adopt(tx, { app, listing, now }) };
  }
  const copy = await ensureCopy(tx, { app, listing, now });
  const step = { ...copy.progress, regions };
  if (await tx.copyNextReviews({ ...step, limit: Math.min(limit, heldBatchSize) })) {
    return { isPrivate: false, copyId: copy.listing.id, regions };
  }
  // Drafts are looked for in the queue, and so is what the app's channels got, under its next listing.
  await tx.moveOutbox({ listingId: listing.id });
  await tx.finishListingCopy(step);
  await tx.setAppListing({ id, listingId: copy.listing.id });
  await syncFeeds(tx, { listing: copy.listing, now });
  await releaseListing(tx, { listing, now });
  return { isPrivate: true, listing: copy.listing };
}

/**
 * Copies without holding the original: what changes there while a batch is read is newer than the copy's beginning,
 * and is copied once more. False without anything to copy, or without the copy.
 */
async function copyBatch(
  tx: DatabaseTransaction,
  batch: { copyId: string; regions: readonly string[] | null; limit: number },
): Promise<boolean> {
  const progress = await lockCopy(tx, batch.copyId);
  return progress !== null && tx.copyNextReviews({ ...progress, ...batch });
}

/** How far a copy has come, while nobody else goes on with it. */
async function lockCopy(tx: DatabaseTransaction, copyId: string): Promise<ListingCopy | null> {
  const copy = await tx.lockListing(copyId);
  return copy && tx.findListingCopy(copy.id);
}

type Move = { app: App; listing: Listing; now: Date };

async function adopt(tx: DatabaseTransaction, { app, listing, now }: Move): Promise<Listing> {
  const { workspaceId } = app;
  await removeUnfinishedCopy(tx, { app, now });
  await tx.adoptListing({ id: listing.id, workspaceId });
  return { ...listing, workspaceId };
}

async function ensureCopy(
  tx: DatabaseTransaction,
  { app, listing, now }: Move,
): Promise<{ listing: Listing; progress: ListingCopy }> {
  const { store, externalAppId, id: fromId } = listing;
  const source = { store, externalAppId, workspaceId: app.workspaceId };
  const found = await tx.findListingBySource(source);
  const progress = found && (await lockCopy(tx, found.id));
  if (found && progress?.fromId === fromId) return { listing: found, progress };
  // A copy of a listing that the app followed before.
  if (found) await removeUnfinishedCopy(tx, { app, now });
  const copy = await tx.ensureListing({ id: uuidV7(now), ...source, now });
  await tx.insertListingCopy({ listingId: copy.id, fromId });
  const begun = await tx.findListingCopy(copy.id);
  if (!begun) throw new Error("a copy that was just begun is gone");
  return { listing: copy, progress: begun };
}

type ListingCopy = NonNullable<Awaited<ReturnType<DatabaseTransaction["findListingCopy"]>>>;
