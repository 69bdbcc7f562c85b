// The context of every part of the benchmark: a database of its own with fsync on, as in production, a
// workspace, and channels that reviews are matched with.
import type pg from "pg";
import type { Database } from "../../src/database/database.ts";
import type { Channel } from "../../src/domain/channel/channel.ts";
import type { App, Listing } from "../../src/domain/feed/listing.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { anApp, aWorkspace, saveChannel } from "../../test/support/factories.ts";
import { openBenchDatabase } from "../database.ts";

export type CollectContext = {
  /** For files; deleted by `close`. */
  folder: string;
  database: Database;
  /** For statements that the service does not have. */
  admin: pg.Client;
  /** An app on a private listing of its own. */
  addApp(regions: readonly string[]): Promise<{ app: App; listing: Listing }>;
  addChannel(overrides: Partial<Channel>): Promise<void>;
  /** Deletes all apps, reviews, channels and deliveries. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function openCollectContext(): Promise<CollectContext> {
  const resources = new ResourceStack();
  const { folder, database, admin } = await openBenchDatabase(resources);
  const { id: workspaceId } = await aWorkspace(database);
  return {
    folder,
    database,
    admin,
    addApp: (regions) => addApp(database, { workspaceId, regions }),
    async addChannel(overrides) {
      await saveChannel(database, { workspaceId, createdAt: systemClock.now(), ...overrides });
    },
    async clear() {
      await admin.query("truncate listings, channels, deliveries cascade");
      await admin.query("vacuum analyze");
    },
    close: () => resources.closeAll(),
  };
}

async function addApp(
  database: Database,
  { workspaceId, regions }: { workspaceId: string; regions: readonly string[] },
): Promise<{ app: App; listing: Listing }> {
  const app = await anApp(database, { workspaceId, store: "googleplay", isPrivate: true });
  const { listingId } = app;
  await database.setFeeds({ listingId, kind: "reviews", regions, now: systemClock.now() });
  const listing = await database.findListing(listingId);
  if (!listing) throw new Error("the new listing is missing");
  return { app, listing };
}
