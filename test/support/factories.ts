// Factories for tests and benchmarks: workspaces, keys, apps, reviews, snapshots, channels and deliveries
// with invented defaults. A caller overrides the fields that matter to it.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../../src/database/database.ts";
import { type Channel, channelDefaults, webhookFields } from "../../src/domain/channel/channel.ts";
import type { NewDelivery } from "../../src/domain/channel/delivery.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import type { KeyScope, Workspace } from "../../src/domain/people/workspace.ts";
import type { SentimentLabel } from "../../src/domain/review/analysis.ts";
import { type Review, reviewIdOf } from "../../src/domain/review/review.ts";
import type { Snapshot } from "../../src/domain/review/snapshot.ts";
import type { StoreId } from "../../src/domain/store/store-id.ts";
import { createSecretBox } from "../../src/lib/secret-box.ts";
import { dayOf } from "../../src/lib/timestamp.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";

/** The moment at which the clock of a test context starts: a Saturday. */
export const startTime = new Date("2026-11-21T12:00:00Z");

let idCount = 0;

/** Ids sort in the order they are made: each is of a later millisecond. */
function nextId(): string {
  idCount += 1;
  return uuidV7(new Date(startTime.getTime() + idCount));
}

export async function aWorkspace(
  database: Database,
  overrides: Partial<Pick<Workspace, "name" | "plan">> = {},
): Promise<Workspace> {
  const workspace: Workspace = {
    id: nextId(),
    name: "Harbour Apps",
    plan: "studio",
    createdAt: startTime,
    requiresSecondFactor: false,
    version: startTime.getTime(),
    ...overrides,
  };
  await database.insertWorkspace(workspace);
  return workspace;
}

/** Stores a key; returns its text, which the database does not have, and its id. */
export async function aKey(
  database: Database,
  workspace: Pick<Workspace, "id">,
  scope: KeyScope = "read",
): Promise<{ id: string; key: string }> {
  const id = nextId();
  const key = `sp_${randomBytes(24).toString("hex").slice(0, 43)}`;
  await database.insertApiKey({
    id,
    workspaceId: workspace.id,
    name: "Test key",
    prefix: key.slice(0, 7),
    scope,
    createdAt: startTime,
    hash: createHash("sha256").update(key).digest(),
  });
  return { id, key };
}

/** Stores an owner of the workspace who can't sign in; returns the user's id. */
export async function anOwner(database: Database, workspaceId: string): Promise<string> {
  const id = nextId();
  const person = { email: `${id}@example.com`, name: "Ann Invented", passwordHash: "none" };
  await database.insertUser({ id, ...person, createdAt: startTime });
  await database.insertMember({ workspaceId, userId: id, role: "owner", joinedAt: startTime });
  return id;
}

export type AppInput = {
  workspaceId: string;
  store?: StoreId;
  externalAppId?: string;
  name?: string | null;
  iconUrl?: string;
  countries?: string[];
  /** A listing of its own instead of the one that all workspaces share. */
  isPrivate?: boolean;
  /** Read through this account. */
  credentialId?: string;
};

export async function anApp(database: Database, input: AppInput): Promise<App> {
  const listing = await database.ensureListing({
    id: nextId(),
    store: input.store ?? "appstore",
    externalAppId: input.externalAppId ?? String(randomBytes(5).readUIntBE(0, 5)),
    workspaceId: input.isPrivate || input.credentialId ? input.workspaceId : null,
    credentialId: input.credentialId ?? null,
    now: startTime,
  });
  const id = nextId();
  await database.insertApp({
    id,
    workspaceId: input.workspaceId,
    listingId: listing.id,
    name: input.name === undefined ? "Tidepool Journal" : input.name,
    countries: input.countries ?? ["us", "gb"],
    languages: ["en"],
    addedAt: startTime,
  });
  if (input.iconUrl !== undefined) {
    const { iconUrl } = input;
    await database.saveListingDetails({ id: listing.id, name: "Tidepool in the store", iconUrl });
  }
  const app = await database.findApp({ id, workspaceId: input.workspaceId });
  if (!app) throw new Error("the new app is missing");
  return app;
}

export type ReviewInput = Partial<
  Omit<Review, "analysis"> & {
    sentiment: SentimentLabel | null;
    topics: string[];
    analysisVersion: number;
    topicScores: number[];
    score: number;
  }
>;

let reviewCount = 0;

/** An analysed review dated `startTime`; `sentiment: null` makes one without analysis. */
export function aReview(input: ReviewInput = {}): Review {
  const {
    analysisVersion = 1,
    sentiment = "neutral",
    topics = [],
    topicScores,
    score = 0,
    ...overrides
  } = input;
  reviewCount += 1;
  const storeReviewId = overrides.storeReviewId ?? `review-${reviewCount}`;
  return {
    // Unique within a test file; saveReviews replaces it by the id that follows from its app.
    id: reviewIdOf({ store: "appstore", externalAppId: "0", storeReviewId }),
    storeReviewId,
    author: "riverstone",
    rating: 4,
    title: "Good tides",
    text: "The tide table is right every day.",
    version: "4.2.1",
    country: "us",
    languageHint: null,
    date: startTime,
    isDateAssumed: false,
    votes: null,
    reply: null,
    analysis:
      sentiment === null
        ? null
        : {
            language: "en",
            version: analysisVersion,
            topics,
            ...(topicScores && { topicScores }),
            sentiment: { label: sentiment, score, clauseMin: score, clauseMax: score },
          },
    translation: null,
    firstSeenAt: startTime,
    editedAt: null,
    ...overrides,
  };
}

/** A review of an app with a credential and the public answer "We know"; its id. The credential can't be read. */
export async function anAnsweredReview(database: Database, workspaceId: string): Promise<string> {
  const id = nextId();
  const account = { name: "Answers", subject: "ABCDEF1234", version: 0, createdAt: startTime };
  const encryptedSecret = createSecretBox([Buffer.alloc(32, 5)]).seal("{}", id);
  await database.insertCredential({
    ...account,
    id,
    workspaceId,
    store: "appstore",
    encryptedSecret,
  });
  const app = await anApp(database, { workspaceId, credentialId: id });
  await database.updateApp({ ...app, languages: [] });
  const reply = { text: "We know", at: startTime };
  const [review] = await saveReviews(database, app, [aReview({ reply })]);
  return review?.id ?? "";
}

/** Saves reviews and updates the rollups, as ingest does. */
export async function saveReviews(
  database: Database,
  app: Pick<App, "listingId" | "store" | "externalAppId">,
  reviews: readonly Review[],
): Promise<Review[]> {
  const { listingId, store, externalAppId } = app;
  const identified = reviews.map((review) => ({
    ...review,
    // Google Play's pages are lists by language.
    languageHint: review.languageHint ?? (store === "googleplay" ? "en" : null),
    id: reviewIdOf({ store, externalAppId, storeReviewId: review.storeReviewId }),
  }));
  await database.transaction(async (tx) => {
    await tx.insertReviews({ listingId, reviews: identified });
    await tx.addToRollups({
      listingId,
      changes: identified.map((after) => ({ before: null, after })),
    });
  });
  return identified;
}

export async function saveSnapshots(
  database: Database,
  app: Pick<App, "listingId">,
  snapshots: readonly Partial<Omit<Snapshot, "listingId">>[],
): Promise<void> {
  const { listingId } = app;
  const usual = { region: "us", day: dayOf(startTime), average: 4, total: 10 };
  const histogram: Snapshot["histogram"] = [1, 0, 2, 2, 5];
  const whole = snapshots.map((snapshot) => ({ ...usual, histogram, ...snapshot }));
  await database.saveSnapshots({ listingId, snapshots: whole, capturedAt: startTime });
}

export function aChannel(
  overrides: Partial<Channel> & Pick<Channel, "workspaceId" | "createdAt">,
): Channel {
  return {
    ...channelDefaults,
    ...webhookFields,
    id: randomUUID(),
    name: "Invented channel",
    url: "https://hooks.example.com/in",
    ...overrides,
  };
}

/** Saves a channel whose secret is never decrypted. */
export async function saveChannel(
  database: Database,
  overrides: Partial<Channel> & Pick<Channel, "workspaceId">,
): Promise<Channel> {
  const channel = aChannel({ createdAt: startTime, ...overrides });
  await database.insertChannel({ ...channel, encryptedSecret: Buffer.from("encrypted") });
  return channel;
}

/** A `review.created` whose body holds text beyond ASCII; `now` decides the order of the ids. */
export function aDelivery(
  channel: Pick<Channel, "id" | "workspaceId">,
  { now = startTime, ...overrides }: Partial<NewDelivery> & { now?: Date } = {},
): NewDelivery {
  const id = uuidV7(now);
  return {
    id,
    channelId: channel.id,
    workspaceId: channel.workspaceId,
    appId: null,
    reviewId: null,
    event: "review.created",
    filterable: null,
    body: Buffer.from(JSON.stringify({ event: "review.created", text: `Grüße 🌱 ${id}` })),
    isTest: false,
    ...overrides,
  };
}
