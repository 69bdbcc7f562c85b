// Before the first import into an app on a public listing, the workspace gets a listing of its own: nothing that one
// workspace imports is ever seen, or announced, in another.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { App, Listing } from "../../domain/feed/listing.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { syncFeeds } from "./app-regions.ts";
import { lockApp, releaseListing } from "./apps.ts";

const copyBatchSize = 1_000;
/** Workspaces that share the listing get nothing new while it is copied: 24 s for 100,000 on two busy cores. */
const copiedReviewsMax = 200_000;

type PrivateListingDeps = {
  clock: Clock;
  database: Pick<Database, "transaction">;
  batchSize?: number;
  reviewsMax?: number;
};

/**
 * The app's private listing. A public one that no other workspace follows becomes private; otherwise it is a copy of
 * the reviews that the workspace follows. One transaction, which holds the public listing, so that neither its reviews
 * nor the storefronts that its workspaces follow change meanwhile.
 *
 * @throws AppError `not_found`, or `conflict` for a shared listing with too many reviews
 */
export function ensurePrivateListing(deps: PrivateListingDeps, appId: string): Promise<Listing> {
  return deps.database.transaction(async (tx) => {
    const now = deps.clock.now();
    const { app, listing } = await lockApp(tx, { id: appId, workspaceId: null });
    if (listing.workspaceId !== null) return listing;
    const { id, workspaceId } = app;
    const [followed] = await tx.listFollowedApps({ workspaceId, ids: [id] });
    const regions = followed?.regions ?? null;
    const apps = await tx.listAppsOfListing(listing.id);
    // A private listing shows all of its reviews: those of storefronts that only others followed must not be in it.
    if (apps.length === 1 && regions === null) {
      await tx.adoptListing({ id: listing.id, workspaceId });
      return { ...listing, workspaceId };
    }
    const copy = await copyListing(deps, tx, { app, listing, regions, now });
    await tx.setAppListing({ id, listingId: copy.id });
    await syncFeeds(tx, { listing: copy, now });
    await releaseListing(tx, { listing, now });
    return copy;
  });
}

async function copyListing(
  { batchSize = copyBatchSize, reviewsMax = copiedReviewsMax }: PrivateListingDeps,
  tx: DatabaseTransaction,
  original: { app: App; listing: Listing; regions: readonly string[] | null; now: Date },
): Promise<Listing> {
  const { app, listing, regions, now } = original;
  const { store, externalAppId, id: fromId } = listing;
  if (await tx.hasMoreReviews({ listingId: fromId, count: reviewsMax })) {
    const message = `${app.name} shares more than ${reviewsMax} reviews with other workspaces, too many to copy`;
    const remedy =
      "remove the app, add it with --no-collect or a store credential, and import into that";
    throw new AppError("conflict", `${message}: ${remedy}`);
  }
  const { workspaceId } = app;
  const copy = await tx.ensureListing({
    ...{ id: uuidV7(now), store, externalAppId, workspaceId, now },
  });
  const scope = { fromId, listingId: copy.id, regions };
  let last = await tx.copyReviews({ ...scope, after: null, limit: batchSize });
  while (last !== null) last = await tx.copyReviews({ ...scope, after: last, limit: batchSize });
  await tx.copyListingFacts(scope);
  return copy;
}
