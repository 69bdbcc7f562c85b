// What every part of the benchmark runs in: a database of its own with fsync on, as in production, a
// workspace, and channels that reviews are matched with. Everything in it is invented.
import { randomUUID } from "node:crypto";
import type { Database } from "../../src/database/database.ts";
import { type Channel, channelDefaults } from "../../src/domain/channel.ts";
import type { App, Listing } from "../../src/domain/listing.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { openBenchDatabase } from "../database.ts";

export type BenchWorld = {
  /** For files, gone with the world. */
  folder: string;
  database: Database;
  workspaceId: string;
  /** An app of its own on a private listing. */
  addApp(regions: readonly string[]): Promise<{ app: App; listing: Listing }>;
  addChannel(wish: Partial<Channel>): Promise<void>;
  /** Away with all apps, reviews, channels and deliveries. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function openBenchWorld(): Promise<BenchWorld> {
  const resources = new ResourceStack();
  const { folder, database, admin } = await openBenchDatabase(resources);
  const workspaceId = randomUUID();
  const now = systemClock.now();
  await database.insertWorkspace({
    id: workspaceId,
    name: "Bench",
    plan: "studio",
    createdAt: now,
  });
  return {
    folder,
    database,
    workspaceId,
    addApp: (regions) => addApp(database, { workspaceId, regions }),
    async addChannel(wish) {
      const channel = aChannel({ workspaceId, ...wish });
      await database.insertChannel({ ...channel, sealedSecret: Buffer.alloc(40) });
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
  wish: { workspaceId: string; regions: readonly string[] },
): Promise<{ app: App; listing: Listing }> {
  const { workspaceId, regions } = wish;
  const now = systemClock.now();
  const store = "googleplay" as const;
  const facts = { id: uuidV7(now), store, externalAppId: "com.example.bench", workspaceId };
  const listing = await database.ensureListing({ ...facts, now });
  const id = uuidV7(now);
  const chosen = { name: "Bench", countries: [], languages: regions, addedAt: now };
  await database.insertApp({ id, workspaceId, listingId: listing.id, ...chosen });
  await database.setFeeds({ listingId: listing.id, kind: "reviews", regions, now });
  const app = await database.findApp({ id, workspaceId });
  if (!app) throw new Error("an app that was just made is gone");
  return { app, listing };
}

function aChannel(wish: Partial<Channel> & { workspaceId: string }): Channel {
  const createdAt = systemClock.now();
  const health = { failingSince: null, failingReason: null };
  const url = "https://hooks.example.com/in";
  return {
    ...channelDefaults,
    id: uuidV7(createdAt),
    name: "Bench",
    url,
    createdAt,
    ...health,
    ...wish,
  };
}
