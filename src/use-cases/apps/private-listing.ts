// Before the first import into an app on a public listing, the workspace gets a private copy of it:
// nothing that one workspace imports is ever seen, or announced, in another.
import type { Database } from "../../database/database.ts";
import type { Listing } from "../../domain/listing.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { syncFeeds } from "./app-regions.ts";
import { lockApp, releaseListing } from "./apps.ts";

/**
 * The app's private listing, made as a copy of the public one when there is none yet.
 *
 * @throws AppError `not_found`
 */
export function ensurePrivateListing(
  deps: { clock: Clock; database: Pick<Database, "transaction"> },
  appId: string,
): Promise<Listing> {
  return deps.database.transaction(async (tx) => {
    // The lock also prevents a crawl from saving between the copy and the move.
    const { app, listing } = await lockApp(tx, { id: appId, workspaceId: null });
    if (listing.workspaceId !== null) return listing;
    const now = deps.clock.now();
    const { store, externalAppId } = listing;
    const id = uuidV7(now);
    const copy = { id, store, externalAppId, workspaceId: app.workspaceId };
    const created = await tx.ensureListing({ ...copy, now });
    // A listing that existed before has rows that the copy would collide with.
    if (created.id !== id) throw new Error("a private listing without an app was left behind");
    await tx.copyListing({ fromId: listing.id, toId: id, now });
    await tx.setAppListing({ id: app.id, listingId: id });
    await syncFeeds(tx, { listing: created, now });
    await releaseListing(tx, { listing, now });
    return created;
  });
}
