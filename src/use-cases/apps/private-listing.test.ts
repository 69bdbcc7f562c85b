// A workspace that imports gets a listing of its own, without holding those who share the public one.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  anApp,
  aReview,
  aWorkspace,
  saveReviews,
  saveSnapshots,
  startTime,
} from "../../../test/support/factories.ts";
import { recountRollups } from "../../../test/support/recount.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { Database } from "../../database/database.ts";
import type { App, Listing } from "../../domain/listing.ts";
import type { Review } from "../../domain/review.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { removeApp } from "./apps.ts";
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

/** Does something after each committed transaction of the fork; counts them. */
function afterEachStep(act: (step: number) => Promise<void>): Pick<Database, "transaction"> {
  let step = 0;
  return {
    async transaction(work) {
      const result = await context.database.transaction(work);
      step += 1;
      await act(step);
      return result;
    },
  };
}

function fork(database: Pick<Database, "transaction"> = context.database): Promise<Listing> {
  return ensurePrivateListing({ clock: context.clock, database, batchSize }, app.id);
}

/** What an ingest does: lock the listing, then write. */
async function edit(reviewed: Review, text: string): Promise<void> {
  const { listingId } = app;
  await context.database.transaction(async (tx) => {
    await tx.lockListing(listingId);
    const after = { ...reviewed, text, topics: [] };
    await tx.insertReviewVersions({ listingId, reviewIds: [after.id], now: startTime });
    await tx.updateReviews({ listingId, reviews: [after] });
    await tx.addToRollups({ listingId, changes: [{ before: reviewed, after }] });
  });
}

test("a listing that nobody else follows becomes private as it is, and the next one is public", async () => {
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

test("a shared listing is copied in batches, and what changes meanwhile comes along", async () => {
  const saved = await saveReviews(context.database, app, manyReviews(2 * batchSize + 10));
  await saveSnapshots(context.database, app, [{ average: 4.5 }]);
  const byId = [...saved].sort((one, other) => (one.id < other.id ? -1 : 1));
  const [first, last] = [byId[0], byId.at(-1)];
  if (!first || !last) throw new Error("nothing was saved");
  let stepCount = 0;
  const database = afterEachStep(async (step) => {
    stepCount = step;
    // One that was copied already, one that was not, and a new one.
    if (step !== 1) return;
    await edit(first, "Edited while it was copied");
    await edit(last, "Edited before it was copied");
    await saveReviews(context.database, app, [aReview({ text: "New" })]);
  });
  const listing = await fork(database);
  // Three batches of reviews, one of what changed, one look that finds nothing, and the move.
  expect(stepCount).toBe(6);
  const copied = await reviewsOf(listing.id);
  expect(copied).toEqual(await reviewsOf(app.listingId));
  expect(copied.find(({ id }) => id === first.id)?.text).toBe("Edited while it was copied");
  const rollups = await context.database.readRollups(listing.id);
  expect(rollups).toEqual(recountRollups(copied));
  const versions = { listingId: listing.id, reviewIds: [first.id, last.id] };
  expect(await context.database.loadReviewVersions(versions)).toHaveLength(2);
  const [moved] = await context.database.listApps({ workspaceId: app.workspaceId });
  expect(moved?.listingId).toBe(listing.id);
  const summary = { listingId: listing.id, day: "2026-11-21", withHistogram: false };
  expect(await context.database.listSnapshotsAsOf(summary)).toMatchObject([{ average: 4.5 }]);
});

test("whoever changes the listing while a batch is copied does not wait, and the copy has it", async () => {
  const saved = await saveReviews(context.database, app, manyReviews(3 * batchSize));
  const oldest = saved.reduce((one, other) => (one.date <= other.date ? one : other));
  let step = 0;
  const database: Pick<Database, "transaction"> = {
    transaction: (work) =>
      context.database.transaction(async (tx) => {
        const done = await work(tx);
        step += 1;
        // The first batch has the listing; this one copied reviews after the one that is edited.
        if (step === 2) await edit(oldest, "Edited in the middle of a batch");
        return done;
      }),
  };
  const listing = await fork(database);
  const copied = await reviewsOf(listing.id);
  expect(copied.find(({ id }) => id === oldest.id)?.text).toBe("Edited in the middle of a batch");
  expect(copied).toEqual(await reviewsOf(app.listingId));
  expect(await context.database.readRollups(listing.id)).toEqual(recountRollups(copied));
});

test("a copy that was interrupted goes on, and two at once share the work", async () => {
  await saveReviews(context.database, app, manyReviews(2 * batchSize + 1));
  const failing = afterEachStep(async (step) => {
    if (step === 1) throw new Error("on purpose");
  });
  await expect(fork(failing)).rejects.toThrow("on purpose");
  const [one, other] = await Promise.all([fork(), fork()]);
  expect(one?.id).toBe(other?.id);
  const copied = await reviewsOf(one?.id ?? "");
  expect(copied).toEqual(await reviewsOf(app.listingId));
  expect(await context.database.readRollups(one?.id ?? "")).toEqual(recountRollups(copied));
});

test("a copy that was never finished goes with its app", async () => {
  await saveReviews(context.database, app, manyReviews(batchSize));
  const failing = afterEachStep(() => Promise.reject(new Error("on purpose")));
  await expect(fork(failing)).rejects.toThrow("on purpose");
  const { database, clock } = context;
  expect(await database.findListingBySource(app)).not.toBeNull();
  await removeApp({ database, clock, actor: "test" }, { id: app.id, workspaceId: null });
  expect(await database.findListingBySource(app)).toBeNull();
  expect(await reviewsOf(shared.listingId)).toHaveLength(batchSize);
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
    expect(await database.readRollups(id)).toEqual(recountRollups(copied));
  }
  expect(await database.findListing(shared.listingId)).toBeNull();
});
