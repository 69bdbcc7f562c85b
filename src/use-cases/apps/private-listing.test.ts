// A workspace that imports gets a listing of its own, without holding those who share the public one.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeApp, removeApp } from "../../../test/support/acts.ts";
import {
  anApp,
  aReview,
  aWorkspace,
  saveReviews,
  saveSnapshots,
  startTime,
} from "../../../test/support/factories.ts";
import { readRollups } from "../../../test/support/read-rollups.ts";
import { recountRollups } from "../../../test/support/recount.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { volume } from "../../../test/support/volume.ts";
import type { App, Listing } from "../../domain/feed/listing.ts";
import type { Review, SourceReview } from "../../domain/review/review.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { syncFeeds } from "./app-regions.ts";
import { ensurePrivateListing } from "./private-listing.ts";

const batchSize = 20;

let context: TestContext;
let app: App;
let shared: App;
let appCount = 0;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

/** One app that two workspaces follow. */
beforeEach(async () => {
  appCount += 1;
  const externalAppId = String(88_000 + appCount);
  app = await follow(externalAppId);
  shared = await follow(externalAppId);
});

async function follow(externalAppId: string): Promise<App> {
  const { id: workspaceId } = await aWorkspace(context.database);
  return anApp(context.database, { workspaceId, externalAppId, countries: ["us"] });
}

function manyReviews(count: number): Review[] {
  return Array.from({ length: count }, (_, index) =>
    aReview({
      rating: (index % 5) + 1,
      topics: index % 2 === 0 ? ["crash"] : ["ads", "price"],
      date: new Date(startTime.getTime() - (index % 90) * dayMs),
    }),
  );
}

async function reviewsOf(listingId: string): Promise<Review[]> {
  return context.database.listReviewsById({ listingId, afterId: null, limit: 10_000 });
}

function fork(options: { batchSize?: number; reviewsMax?: number } = {}): Promise<Listing> {
  return ensurePrivateListing({ ...context, batchSize, ...options }, app.id);
}

/** A copy has what the workspace follows of the original, and rollups that equal a recount. */
async function expectCopy(listing: Listing, reviews: readonly Review[]): Promise<void> {
  const copied = await reviewsOf(listing.id);
  expect(copied).toEqual(reviews);
  expect(await readRollups(context, listing.id)).toEqual(recountRollups(copied));
}

test("a listing that no other workspace follows becomes private as it is, and the next one is public", async () => {
  const { database, clock } = context;
  await removeApp({ database, clock, actor: "test" }, { id: shared.id, workspaceId: null });
  await saveReviews(database, app, manyReviews(3));
  const listing = await fork();
  expect(listing).toMatchObject({ id: app.listingId, workspaceId: app.workspaceId });
  expect(await reviewsOf(listing.id)).toHaveLength(3);
  const { workspaceId, externalAppId } = shared;
  const again = await anApp(database, { workspaceId, externalAppId });
  expect(again.listingId).not.toBe(listing.id);
  expect(await reviewsOf(again.listingId)).toEqual([]);
});

test("a shared listing is copied with versions, rollups and ratings", async () => {
  const [edited] = await saveReviews(context.database, app, manyReviews(2 * batchSize + 10));
  if (!edited) throw new Error("nothing was saved");
  const { listingId } = app;
  await context.database.insertReviewVersions({
    ...{ listingId, reviewIds: [edited.id], now: startTime },
  });
  await saveSnapshots(context.database, app, [{ average: 4.5 }]);
  const listing = await fork();
  await expectCopy(listing, await reviewsOf(listingId));
  const versions = { listingId: listing.id, reviewIds: [edited.id] };
  expect(await context.database.loadReviewVersions(versions)).toHaveLength(1);
  const [moved] = await context.database.listApps({ workspaceId: app.workspaceId });
  expect(moved?.listingId).toBe(listing.id);
  const summary = { listingId: listing.id, day: "2026-11-21", withHistogram: false };
  expect(await context.database.listSnapshotsAsOf(summary)).toMatchObject([{ average: 4.5 }]);
});

test("two at once get one copy, and one that breaks off leaves nothing behind", async () => {
  await saveReviews(context.database, app, manyReviews(2 * batchSize + 1));
  const transaction: TestContext["database"]["transaction"] = (work) =>
    context.database.transaction(async (tx) => {
      await work(tx);
      throw new Error("on purpose");
    });
  const failing = ensurePrivateListing({ ...context, database: { transaction } }, app.id);
  await expect(failing).rejects.toThrow("on purpose");
  expect(await context.database.findListingBySource(app)).toBeNull();
  const [one, other] = await Promise.all([fork(), fork()]);
  expect(one.id).toBe(other.id);
  await expectCopy(one, await reviewsOf(app.listingId));
});

test("a shared listing that is too large is refused in words, and stays as it is", async () => {
  await saveReviews(context.database, app, manyReviews(3));
  await expect(fork({ reviewsMax: 2 })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("--no-collect"),
  });
  expect(await context.database.findListingBySource(app)).toBeNull();
  await expectCopy(await fork({ reviewsMax: 3 }), await reviewsOf(app.listingId));
});

const countries = ["us", "gb", "jp", "de"];

function sourceReviews(count: number, pick: (max: number) => number): SourceReview[] {
  return Array.from({ length: count }, () => {
    const storeReviewId = `fuzz-${pick(150)}`;
    // A review stays in its storefront.
    const country = countries[Number(storeReviewId.slice(5)) % countries.length] ?? "us";
    const daysAgo = pick(40);
    const { author, title, version } = aReview();
    return {
      ...{ storeReviewId, author, title, version, country, votes: null, reply: null },
      ...{ text: `Tides ${pick(1_000)}`, rating: 1 + pick(5), languageHint: null },
      date: new Date(startTime.getTime() - daysAgo * dayMs),
    };
  });
}

/** Numbers below `max`, the same for the same seed. */
function seededPick(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * max);
  };
}

async function crawl(listingId: string, pick: (max: number) => number): Promise<void> {
  const { clock, database } = context;
  const listing = await database.findListing(listingId);
  if (!listing) return;
  const policy = { notifyPolicy: { kind: "never" }, source: "store", undatedAt: null } as const;
  const reviews = sourceReviews(15, pick);
  await createIngest({ clock, database })({ listing, reviews, ...policy });
}

async function refollow({ id, workspaceId }: App, pick: (max: number) => number): Promise<void> {
  const others = countries.slice(1).filter(() => pick(2) === 0);
  const change = { countries: ["us", ...others] };
  await changeApp({ ...context, actor: "test" }, { id, workspaceId, change });
}

test("fuzzed: storefronts come and go and reviews arrive while the copy is made", async () => {
  const { database } = context;
  for (let round = 0; round < volume(12); round += 1) {
    const pick = seededPick(round + 1);
    const externalAppId = String(99_000 + round);
    [app, shared] = [await follow(externalAppId), await follow(externalAppId)];
    const { listingId } = app;
    const listing = await database.findListing(listingId);
    if (!listing) throw new Error("the listing is missing");
    await database.transaction((tx) => syncFeeds(tx, { listing, now: startTime }));
    // In every second round the workspace itself follows the same storefront all the time.
    const changing = round % 2 === 0 ? [shared] : [app, shared];
    for (let page = 0; page < 10; page += 1) await crawl(listingId, pick);
    const before = await reviewsOf(listingId);
    let isForked = false;
    const forking = fork({ batchSize: 5 }).finally(() => {
      isForked = true;
    });
    do {
      const changes = changing.map((one) => refollow(one, pick));
      await Promise.all([crawl(listingId, pick), ...changes]);
    } while (!isForked);
    const copied = await reviewsOf((await forking).id);
    for (const id of [(await forking).id, listingId]) {
      expect(await readRollups(context, id)).toEqual(recountRollups(await reviewsOf(id)));
    }
    const copiedIds = new Set(copied.map(({ id }) => id));
    for (const country of countries) {
      const earlier = before.filter((one) => one.country === country);
      const present = earlier.filter(({ id }) => copiedIds.has(id));
      const isFollowed = changing.includes(app) ? present.length > 0 : country === "us";
      expect(present, `${country} in round ${round}`).toHaveLength(isFollowed ? earlier.length : 0);
    }
  }
});

test("reviews of storefronts that only others follow, or followed once, stay behind", async () => {
  const { database, clock } = context;
  await saveReviews(database, app, [aReview({ country: "us" }), aReview({ country: "jp" })]);
  const first = await fork();
  app = await follow(shared.externalAppId);
  await removeApp({ database, clock, actor: "test" }, { id: shared.id, workspaceId: null });
  const second = await fork();
  for (const { id } of [first, second]) {
    const copied = await reviewsOf(id);
    expect(copied.map(({ country }) => country)).toEqual(["us"]);
    expect(await readRollups(context, id)).toEqual(recountRollups(copied));
  }
  expect(await database.findListing(shared.listingId)).toBeNull();
});
