// A removed app disappears for all workspaces at once; the rows of a large one go in batches.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeApp } from "../../../test/support/acts.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { deleteRemovedListings, removedBatchSize } from "./removed-listings.ts";

let context: TestContext;
let client: pg.Client;
beforeAll(async () => {
  context = await openTestContext();
  client = new pg.Client(context.connectionString);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await context.close();
});

async function countRows(listingId: string): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.columns where column_name = 'listing_id' and table_schema = 'public'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const counted = await client.query(`select count(*) from "${name}" where listing_id = $1`, [
      listingId,
    ]);
    const count = Number(counted.rows[0]?.count);
    if (count > 0) counts[name] = count;
  }
  return counts;
}

test("the rows of a large app go in batches, and a new app of the same store begins with none", async () => {
  const { database, clock } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const app = await anApp(database, { workspaceId, isPrivate: true });
  const reviews = Array.from({ length: 2 * removedBatchSize + 5 }, () =>
    aReview({ topics: ["crash"] }),
  );
  await saveReviews(database, app, reviews);
  let notifiedOf: string | null = null;
  const notify = async (_topic: string, payload = ""): Promise<void> => {
    notifiedOf = payload;
  };
  const deps = { clock, database: { ...database, notify }, actor: "test" };
  await removeApp(deps, { id: app.id, workspaceId });
  // The rest is left to a background worker, which is notified.
  expect(notifiedOf).toBe(app.listingId);
  expect(await countRows(app.listingId)).toMatchObject({ reviews: 5, review_topics: 5 });
  expect(await database.findListing(app.listingId)).toBeNull();
  const toAnalyze = await database.listListingsToAnalyze(null);
  expect(toAnalyze.map(({ listingId }) => listingId)).not.toContain(app.listingId);
  const { externalAppId } = app;
  const again = await anApp(database, { workspaceId, externalAppId, isPrivate: true });
  expect(again.listingId).not.toBe(app.listingId);

  const batches: number[] = [];
  await deleteRemovedListings(database, { onBatch: (count) => batches.push(count) });
  expect(batches.length).toBeGreaterThan(0);
  expect(await countRows(app.listingId)).toEqual({});
  const left = await client.query("select from listings where id = $1", [app.listingId]);
  expect(left.rowCount).toBe(0);
  expect(await database.findListing(again.listingId)).not.toBeNull();
});

test("a listing that is followed loses nothing, whichever process runs it", async () => {
  const { database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const app = await anApp(database, { workspaceId });
  await saveReviews(database, app, [aReview()]);
  const batch = { id: app.listingId, limit: 10 };
  expect(await database.deleteRowsOfRemovedListing(batch)).toBe(0);
  expect(await countRows(app.listingId)).toMatchObject({ reviews: 1 });
});
