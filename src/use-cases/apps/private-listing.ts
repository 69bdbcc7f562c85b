// Before the first import into an app on a public listing, the workspace gets a listing of its own: nothing that one
// workspace imports is ever seen, or announced, in another.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { App, Listing } from "../../domain/listing.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { syncFeeds } from "./app-regions.ts";
import { lockApp, releaseListing, removeUnfinishedCopy } from "./apps.ts";

// Reviews of one batch: whoever else changes the listing waits no longer than for one.
const copyBatchSize = 1_000;

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
  const { clock, database, batchSize = copyBatchSize } = deps;
  for (;;) {
    const listing = await database.transaction((tx) =>
      takeNextStep(tx, { appId, batchSize, now: clock.now() }),
    );
    if (listing) return listing;
  }
}

/** null while there is more to copy. */
async function takeNextStep(
  tx: DatabaseTransaction,
  { appId, batchSize, now }: { appId: string; batchSize: number; now: Date },
): Promise<Listing | null> {
  // The lock also prevents a crawl from saving in the middle of a batch.
  const { app, listing } = await lockApp(tx, { id: appId, workspaceId: null });
  if (listing.workspaceId !== null) return listing;
  const { id, workspaceId } = app;
  const [followed] = await tx.listFollowedApps({ workspaceId, ids: [id] });
  const regions = followed?.regions ?? null;
  const apps = await tx.listAppsOfListing(listing.id);
  // What is kept of regions that only others followed must not appear.
  if (apps.length === 1 && regions === null) return adopt(tx, { app, listing, now });
  const copy = await ensureCopy(tx, { app, listing, now });
  const step = { ...copy.progress, regions };
  if (await tx.copyNextReviews({ ...step, limit: batchSize })) return null;
  await tx.finishListingCopy(step);
  await tx.setAppListing({ id, listingId: copy.listing.id });
  await syncFeeds(tx, { listing: copy.listing, now });
  await releaseListing(tx, { listing, now });
  return copy.listing;
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
  const progress = found && (await tx.findListingCopy(found.id));
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
