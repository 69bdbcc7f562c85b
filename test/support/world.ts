// Factories for tests: a database of its own, and workspaces, keys, apps, reviews and snapshots in it,
// each with invented defaults that a test overrides where it cares.
import { createHash, randomBytes } from "node:crypto";
import { type Database, openDatabase } from "../../src/database/database.ts";
import type { SentimentLabel } from "../../src/domain/analysis.ts";
import type { App } from "../../src/domain/listing.ts";
import { type Review, reviewIdOf } from "../../src/domain/review.ts";
import type { Snapshot } from "../../src/domain/snapshot.ts";
import type { StoreId } from "../../src/domain/store-id.ts";
import type { Workspace } from "../../src/domain/workspace.ts";
import { MovableClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { dayOf } from "../../src/lib/timestamp.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { cloneDatabase } from "./database.ts";

export type World = {
  database: Database;
  clock: MovableClock;
  connectionString: string;
  close(): Promise<void>;
};

/** A Saturday. */
export const worldStart = new Date("2026-11-21T12:00:00Z");

let idCount = 0;

/** Ids sort in the order they are made: each is of a later millisecond. */
function nextId(): string {
  idCount += 1;
  return uuidV7(new Date(worldStart.getTime() + idCount));
}

export async function openWorld(): Promise<World> {
  const testDatabase = await cloneDatabase();
  const { connectionString } = testDatabase;
  const database = await openDatabase({ log: silentLog, connection: { connectionString } });
  return {
    database,
    connectionString,
    clock: new MovableClock(worldStart),
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
}

export async function aWorkspace(
  database: Database,
  given: Partial<Pick<Workspace, "name" | "plan">> = {},
): Promise<Workspace> {
  const workspace: Workspace = {
    id: nextId(),
    name: "Harbour Apps",
    plan: "studio",
    createdAt: worldStart,
    ...given,
  };
  await database.insertWorkspace(workspace);
  return workspace;
}

/** The key as its maker saw it, and its id. */
export async function aKey(
  database: Database,
  workspace: Pick<Workspace, "id">,
): Promise<{ id: string; key: string }> {
  const id = nextId();
  const key = `sp_${randomBytes(24).toString("hex").slice(0, 43)}`;
  await database.insertApiKey({
    id,
    workspaceId: workspace.id,
    name: "Test key",
    prefix: key.slice(0, 7),
    createdAt: worldStart,
    hash: createHash("sha256").update(key).digest(),
  });
  return { id, key };
}

export type AppWish = {
  workspaceId: string;
  store?: StoreId;
  externalAppId?: string;
  name?: string | null;
  iconUrl?: string;
  countries?: string[];
  /** A listing of its own instead of the one that all workspaces share. */
  isPrivate?: boolean;
};

export async function anApp(database: Database, wish: AppWish): Promise<App> {
  const listing = await database.ensureListing({
    id: nextId(),
    store: wish.store ?? "appstore",
    externalAppId: wish.externalAppId ?? String(randomBytes(5).readUIntBE(0, 5)),
    workspaceId: wish.isPrivate ? wish.workspaceId : null,
    now: worldStart,
  });
  const id = nextId();
  await database.insertApp({
    id,
    workspaceId: wish.workspaceId,
    listingId: listing.id,
    name: wish.name === undefined ? "Tidepool Journal" : wish.name,
    countries: wish.countries ?? ["us", "gb"],
    languages: ["en"],
    addedAt: worldStart,
  });
  if (wish.iconUrl !== undefined) {
    const { iconUrl } = wish;
    await database.saveListingFacts({ id: listing.id, name: "Tidepool in the store", iconUrl });
  }
  const app = await database.findApp({ id, workspaceId: wish.workspaceId });
  if (!app) throw new Error("an app that was just made is gone");
  return app;
}

export type ReviewWish = Partial<
  Omit<Review, "analysis"> & { sentiment: SentimentLabel | null; topics: string[]; score: number }
>;

let reviewCount = 0;

/** An analysed review of the moment the world starts; `sentiment: null` leaves it unanalysed. */
export function aReview(wish: ReviewWish = {}): Review {
  const { sentiment = "neutral", topics = [], score = 0, ...given } = wish;
  reviewCount += 1;
  const storeReviewId = given.storeReviewId ?? `review-${reviewCount}`;
  return {
    // Unique within a test file; saveReviews gives it the id that its listing calls for.
    id: reviewIdOf({ store: "appstore", externalAppId: "0", storeReviewId }),
    storeReviewId,
    author: "riverstone",
    rating: 4,
    title: "Good tides",
    text: "The tide table is right every day.",
    version: "4.2.1",
    country: "us",
    languageHint: null,
    date: worldStart,
    votes: null,
    reply: null,
    analysis:
      sentiment === null
        ? null
        : {
            language: "en",
            version: 1,
            topics,
            sentiment: { label: sentiment, score, clauseMin: score, clauseMax: score },
          },
    translation: null,
    firstSeenAt: worldStart,
    editedAt: null,
    ...given,
  };
}

/** Saves reviews and counts them, as ingest does. */
export async function saveReviews(
  database: Database,
  app: Pick<App, "listingId" | "store" | "externalAppId">,
  reviews: readonly Review[],
): Promise<Review[]> {
  const { listingId, store, externalAppId } = app;
  const named = reviews.map((review) => ({
    ...review,
    id: reviewIdOf({ store, externalAppId, storeReviewId: review.storeReviewId }),
  }));
  await database.transaction(async (tx) => {
    await tx.insertReviews({ listingId, reviews: named });
    await tx.addToRollups({
      listingId,
      changes: named.map((after) => ({ before: null, after })),
    });
  });
  return named;
}

export async function saveSnapshots(
  database: Database,
  app: Pick<App, "listingId">,
  snapshots: readonly Partial<Omit<Snapshot, "listingId">>[],
): Promise<void> {
  for (const snapshot of snapshots) {
    await database.saveSnapshot({
      listingId: app.listingId,
      region: "us",
      day: dayOf(worldStart),
      average: 4,
      total: 10,
      histogram: [1, 0, 2, 2, 5],
      ...snapshot,
      capturedAt: worldStart,
    });
  }
}
