// The cost of a page over many apps, read from the plans that PostgreSQL ran: a look at each app and a few of its
// reviews, whatever the filter. One of the apps has far more of the newest reviews than the others.

import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { fillListing } from "../../../test/support/filled-listing.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import type { ReviewFilters } from "../../domain/review-filter.ts";
import type { Database } from "../database.ts";
import { listReviewPage } from "./review-pages.ts";
import type { PageQuery } from "./review-ranges.ts";

const appCount = 24;
const limit = 50;
const tables = ["reviews", "review_topics"];

let database: Database;
let client: pg.Client;
let query: Omit<PageQuery, "filters">;
beforeAll(async () => {
  const { close, ...context } = await openTestContextWithClient();
  ({ database, client } = context);
  const workspaceId = (await aWorkspace(database)).id;
  const apps: PageQuery["apps"][number][] = [];
  while (apps.length < appCount) {
    const app = await anApp(database, { workspaceId });
    await fillListing(client, { app, count: 500 });
    apps.push({ ...app, regions: null, hasOwnTopics: false });
  }
  for (const table of tables) {
    await client.query(
      `update ${table} set date = '2026-11-20'::timestamptz - ('2026-11-20'::timestamptz - date) / 20
       where listing_id = $1`,
      [apps[0]?.listingId],
    );
  }
  query = { workspaceId, apps, after: null, limit };
  await client.query("analyze");
  return close;
});

test.each<[ReviewFilters, regions: string[] | null, ofEach: number, ranges: number]>([
  [{}, null, 16, 1],
  [{ topic: ["crash"] }, null, 16, 1],
  [{}, ["us"], 16, 2],
  [{ rating: [5] }, null, 32, 1],
  [{ rating: [4, 5] }, null, 32, 1],
  [{ sentiment: ["positive"] }, null, 32, 1],
])(
  "%j of %j: looks once at each app, for its newest reviews",
  async (filters, regions, ofEach, ranges) => {
    const apps = query.apps.map((app) => ({ ...app, regions }));
    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      await client.query(`set plan_cache_mode = ${mode}`);
      const plans = openPlanReader(client);
      await listReviewPage(plans.db, {
        ...query,
        apps,
        filters,
      });
      const ofLargest = 2 * 10;
      expect(plans.lookupCount(tables)).toBeLessThanOrEqual(
        appCount * ranges + ofLargest + limit + 1,
      );
      // A page of the app with the most reviews is read as well. A page of each would be 1,224.
      const pages = 2 * (limit + 1);
      expect(plans.readCount(tables)).toBeGreaterThan(appCount * ofEach);
      expect(plans.readCount(tables)).toBeLessThanOrEqual(appCount * (ofEach + 5) + pages + 50);
    }
  },
);

test.each<ReviewFilters>([
  {},
  { topic: ["crash"] },
  { rating: [5] },
  { rating: [2, 3] },
  { sentiment: ["positive"] },
  { rating: [4], sentiment: ["negative"] },
  // Three of each app, the oldest that it has.
  { rating: [1] },
  { sentiment: ["mixed"] },
])("%j: page by page the same reviews as of all apps in one list", async (filters) => {
  const seen: string[] = [];
  let after: PageQuery["after"] = null;
  for (let page = 0; page < 3; page += 1) {
    const read = await database.listReviewPage({
      ...query,
      after,
      filters,
    });
    seen.push(...read.reviews.map(({ id }) => id));
    after = read.last;
    if (after === null) break;
  }
  const { rows } = await client.query<{ id: string }>(
    `select id from reviews where listing_id = any($1::uuid[])
       and ($2::smallint[] is null or rating = any($2)) and ($3::text[] is null or sentiment = any($3))
       and ($4::text[] is null or topics && $4)
     order by date desc, id desc limit 150`,
    [
      query.apps.map(({ listingId }) => listingId),
      ...[filters.rating, filters.sentiment, filters.topic],
    ],
  );
  expect(seen.length).toBeGreaterThan(appCount - 1);
  expect(seen).toEqual(rows.map(({ id }) => id));
});
