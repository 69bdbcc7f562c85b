// Before the first import into an app on a public listing, the workspace gets a private copy of it: so
// nothing that one workspace imports is ever seen, or announced, in another.
import type { Database } from "../../database/database.ts";
import type { Listing } from "../../domain/listing.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { syncFeeds } from "./app-regions.ts";
import { lockApp, releaseListing } from "./apps.ts";

/** The app's private listing, made as a copy of the public one when there is none yet. */
export function ensurePrivateListing(
  deps: { clock: Clock; database: Pick<Database, "transaction"> },
  appId: string,
): Promise<Listing> {
  return deps.database.transaction(async (tx) => {
    // The lock also keeps a pass from saving between the copy and the move.
    const { app, listing } = await lockApp(tx, { id: appId, workspaceId: null });
    if (listing.workspaceId !== null) return listing;
    const now = deps.clock.now();
    const { store, externalAppId } = listing;
    const id = uuidV7(now);
    const copy = { id, store, externalAppId, workspaceId: app.workspaceId };
    const made = await tx.ensureListing({ ...copy, now });
    // A copy into a listing that was there before would meet its rows.
    if (made.id !== id) throw new Error("a private listing without an app was left behind");
    await tx.copyListing({ fromId: listing.id, toId: id, now });
    await tx.setAppListing({ id: app.id, listingId: id });
    await syncFeeds(tx, { listing: made, now });
    await releaseListing(tx, { listing, now });
    return made;
  });
}
