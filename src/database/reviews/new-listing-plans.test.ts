// The cost of reading and writing reviews by their ids in a listing that the statistics of the server do not know yet:
// one that was added since, beside a large one.
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, startTime } from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import type { Database } from "../database.ts";
import { setTranslations } from "../enrichment/translations.ts";
import type { Db } from "../query.ts";
import { insertReviewVersions, loadReviews, updateReviews } from "./reviews.ts";

const reviewCount = 10_000;
const batchSize = 50;

let database: Database;
let client: pg.Client;
let listingId: string;
let ids: string[];
beforeAll(async () => {
  const { close, ...context } = await openTestContextWithClient();
  ({ database, client } = context);
  const { id: workspaceId } = await aWorkspace(database);
  const known = await anApp(database, { workspaceId });
  await fill(known.listingId, reviewCount);
  await client.query("analyze");
  // Where tables are in parts, in that of the large one: a part that was never looked at has no statistics at all.
  do {
    ({ listingId } = await anApp(database, { workspaceId }));
    await fill(listingId, reviewCount / 20);
  } while (!(await areInOnePart(known.listingId, listingId)));
  const reviews = await database.listReviewsById({ listingId, afterId: null, limit: batchSize });
  ids = reviews.map(({ id }) => id);
  return close;
});

async function fill(id: string, count: number): Promise<void> {
  await client.query(
    `insert into reviews (listing_id, id, store_review_id, author, rating, body, version, country, date,
       first_seen_at)
     select $1, gen_random_uuid(), n, 'riverstone', 1 + n % 5, 'The tide table is right.', '1', 'us',
       now() - n * interval '15 minutes', now() from generate_series(1, $2::integer) n`,
    [id, count],
  );
}

async function areInOnePart(one: string, other: string): Promise<boolean> {
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct tableoid)::integer as count from reviews where listing_id in ($1, $2)`,
    [one, other],
  );
  return rows[0]?.count === 1;
}

test.each<[what: string, run: (db: Db) => Promise<unknown>]>([
  ["reading reviews", (db) => loadReviews(db, { listingId, ids })],
  [
    "keeping versions",
    (db) => insertReviewVersions(db, { listingId, reviewIds: ids, now: startTime }),
  ],
  [
    "writing reviews",
    async (db) =>
      updateReviews(db, { listingId, reviews: await database.loadReviews({ listingId, ids }) }),
  ],
  [
    "saving translations",
    (db) =>
      setTranslations(db, {
        listingId,
        translated: ids.map((reviewId) => ({
          reviewId,
          source: "The tide table is right.",
          translation: { text: "x", from: "de" },
        })),
      }),
  ],
])("%s of a new listing looks for each id", async (_, run) => {
  const reader = openPlanReader(client);
  await client.query("begin");
  await run(reader.db);
  await client.query("rollback");
  // The rows of the parameters, of the index and of the versions.
  expect(reader.readCount()).toBeLessThanOrEqual(4 * batchSize);
  // With the others the server reads every entry of the listing for each id.
  expect(reader.indexNames()).toContain("reviews_pkey");
  expect(reader.indexNames().filter((name) => name !== "reviews_pkey")).toEqual([]);
});
