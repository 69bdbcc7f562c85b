// What every part of the benchmark runs in: a database of its own with fsync on, as in production, a
// workspace, and channels that reviews are matched with. Everything in it is invented.
import { randomUUID } from "node:crypto";
import type { Keep } from "../../src/keep/keep.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Closers } from "../../src/lib/closers.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { type Channel, channelDefaults } from "../../src/reviews/channel.ts";
import type { App, Listing } from "../../src/reviews/listing.ts";
import { openBenchDatabase } from "../database.ts";

export type BenchWorld = {
  /** For files, gone with the world. */
  folder: string;
  keep: Keep;
  workspaceId: string;
  /** An app of its own on a private listing. */
  addApp(regions: readonly string[]): Promise<{ app: App; listing: Listing }>;
  addChannel(wish: Partial<Channel>): Promise<void>;
  /** Away with all apps, reviews, channels and deliveries. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function openBenchWorld(): Promise<BenchWorld> {
  const closers = new Closers();
  const { folder, keep, admin } = await openBenchDatabase(closers);
  const workspaceId = randomUUID();
  const now = systemClock.now();
  await keep.insertWorkspace({ id: workspaceId, name: "Bench", plan: "studio", createdAt: now });
  return {
    folder,
    keep,
    workspaceId,
    addApp: (regions) => addApp(keep, { workspaceId, regions }),
    async addChannel(wish) {
      const channel = aChannel({ workspaceId, ...wish });
      await keep.insertChannel({ ...channel, sealedSecret: Buffer.alloc(40) });
    },
    async clear() {
      await admin.query("truncate listings, channels, deliveries cascade");
      await admin.query("vacuum analyze");
    },
    close: () => closers.closeAll(),
  };
}

async function addApp(
  keep: Keep,
  wish: { workspaceId: string; regions: readonly string[] },
): Promise<{ app: App; listing: Listing }> {
  const { workspaceId, regions } = wish;
  const now = systemClock.now();
  const store = "googleplay" as const;
  const facts = { id: uuidV7(now), store, externalAppId: "com.example.bench", workspaceId };
  const listing = await keep.ensureListing({ ...facts, now });
  const id = uuidV7(now);
  const chosen = { name: "Bench", countries: [], languages: regions, addedAt: now };
  await keep.insertApp({ id, workspaceId, listingId: listing.id, ...chosen });
  await keep.setFeeds({ listingId: listing.id, kind: "reviews", regions, now });
  const app = await keep.findApp({ id, workspaceId });
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
