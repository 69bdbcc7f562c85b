// A review that its author had erased is gone from everything that was stored of it, in every workspace, and does
// not come back while the store goes on showing it.

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseReview } from "../../../test/support/acts.ts";
import { type CrawlFixture, openCrawlFixture } from "../../../test/support/crawl-fixture.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { readRollups } from "../../../test/support/read-rollups.ts";
import { recountRollups } from "../../../test/support/recount.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { importReviews } from "../../features/imports/import-reviews.ts";
import * as triage from "../../features/triage/sql.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { findReviewsOf } from "./erase-review.ts";

const secret = "My name is Ada Invented and the sync lost my notes";
let context: TestContext;
let world: CrawlFixture;
beforeAll(async () => {
  context = await openTestContext();
  world = await openCrawlFixture(context, { store: "appstore" });
});
afterAll(async () => {
  await world.close();
  await context.close();
});

const deps = () => ({ clock: context.clock, database: context.database, actor: "cli" });

/** Whether any table still has the text. */
async function countTraces(text: string): Promise<string[]> {
  const client = new pg.Client(context.connectionString);
  await client.connect();
  try {
    const { rows } = await client.query(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const bodies = name.startsWith("deliveries") ? "convert_from(t.body, 'UTF8')" : "t::text";
      const query = `select count(*) from ${name} t where ${bodies} like $1`;
      if (Number((await client.query(query, [`%${text}%`])).rows[0].count) > 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

test.each([
  ["Bea I.", "bea i."],
  ["İLKER", "ilker"],
  ["θωμας", "ΘΩΜΑΣ"],
  ["Émile (5*)", "éMILE (5*)"],
])("a review of %s is found by the name %s", async (author, name) => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId });
  await saveReviews(context.database, app, [aReview({ author }), aReview({ author: "Another" })]);
  const found = await findReviewsOf(context.database, { appId: app.id, author: name });
  expect(found.map((review) => review.author)).toEqual([author]);
  const { clock, database } = context;
  await recordAudit({ clock, actor: "cli" }, database, "app.added", app, { name: author });
  const query = { workspaceId, subject: null, before: null, limit: 9 };
  const entries = await database.listWorkspaceAudit({ ...query, search: name });
  expect(entries).toHaveLength(1);
  expect(await database.listWorkspaceAudit({ ...query, search: "Somebody" })).toEqual([]);
});

/** A note that quotes it, and a tag. */
async function addWork(reviewId: string): Promise<void> {
  const { clock, database } = context;
  const createdAt = clock.now();
  const { workspaceId } = world.app;
  const user = { email: "lea@example.com", name: "Lea", passwordHash: "none" };
  const [userId, noteId] = [uuidV7(createdAt), uuidV7(createdAt)];
  await database.insertUser({ id: userId, ...user, createdAt });
  await database.with(triage).insertReviewNote({
    id: noteId,
    workspaceId,
    reviewId,
    authorId: userId,
    authorName: null,
    text: `Says: ${secret}`,
    createdAt,
    countMax: 9,
  });
  await database.with(triage).saveReviewWork({
    workspaceId,
    reviewId,
    tags: [secret],
    assigneeId: null,
    isDone: false,
    now: createdAt,
  });
}

test("nothing of it is left, stars stay counted, and crawls and imports don't bring it back", async () => {
  await world.crawl();
  world.writeReviews(3);
  const [storeReviewId = ""] = world.writeReviews(1, { author: "Ada I.", text: secret, rating: 1 });
  await world.crawl();
  const { database } = context;
  const { app, listing } = world;
  const mine = (await world.storedReviews()).find((one) => one.storeReviewId === storeReviewId);
  const reviewId = mine?.id ?? "";
  expect((await world.queuedEvents()).length).toBe(4);
  expect(await countTraces(secret)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^reviews/),
      expect.stringMatching(/^deliveries/),
    ]),
  );
  await addWork(reviewId);
  const [found] = await findReviewsOf(database, { appId: app.id, author: " ada i. " });
  expect(found).toMatchObject({ id: reviewId, rating: 1 });

  const erased = await eraseReview(deps(), { appId: app.id, reviewId });
  expect(erased).toEqual({ reviewId, listingCount: 1, deliveryCount: 1 });
  expect(await countTraces(secret)).toEqual([]);
  expect(await countTraces("Ada I.")).toEqual([]);
  expect(await findReviewsOf(database, { appId: app.id, author: "Ada I." })).toEqual([]);
  const expectCounted = async () => {
    const stored = await world.storedReviews();
    expect(stored).toHaveLength(4);
    expect(stored.find(({ id }) => id === reviewId)).toMatchObject({ rating: 1, text: "" });
    expect(await readRollups(context, listing.id)).toEqual(recountRollups(stored));
  };
  await expectCounted();

  // The store still shows it, and another workspace begins to follow the app.
  await world.crawl();
  await expectCounted();
  const { id: workspaceId } = await aWorkspace(database);
  const other = await anApp(database, { workspaceId, ...world.key, isPrivate: true });
  const row = { id: storeReviewId, author: "Ada I.", text: secret, rating: 1, date: "2026-01-01" };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(row));
  }
  const source = { name: "reviews.jsonl", chunks: chunks() };
  const { ingestReviews } = world.deps;
  const choice = { appId: other.id, workspaceId: null, source, notify: false };
  expect(await importReviews({ ...context, ingestReviews }, choice)).toMatchObject({ inserted: 0 });
  expect(await countTraces(secret)).toEqual([]);
  const entries = await listAuditEntries(database, reviewId);
  expect(entries).toMatchObject([{ action: "review.erased", actor: "cli" }]);
  await expect(eraseReview(deps(), { appId: app.id, reviewId: workspaceId })).rejects.toThrow(
    "review",
  );
});
