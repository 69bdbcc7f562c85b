// The cost of a page over many apps, read from the plans that PostgreSQL ran: the share of each app twice,
// whatever the filter. One of the apps has far more of the newest reviews than the others.

import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { fillListing } from "../../../test/support/filled-listing.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import type { ReviewFilters } from "../../domain/review/review-filter.ts";
import type { Database } from "../database.ts";
import { type PageQuery, scanMax } from "./review-page-sql.ts";
import { listReviewPage } from "./review-pages.ts";

const appCount = 24;
const limit = 50;
/** One of them has as many newer ones. */
const ofLargest = 500;
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
    await fillListing(client, { app, count: ofLargest });
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

test.each<[ReviewFilters, regions: string[] | null, ranges: number]>([
  [{}, null, 1],
  [{ topic: ["crash"] }, null, 1],
  [{}, ["us"], 1],
  [{ rating: [5] }, null, 5],
  [{ rating: [4, 5] }, null, 10],
  [{ sentiment: ["positive"] }, null, 5],
])(
  "%j of %j: reads the share of each app, and what is newer than the last of those",
  async (filters, regions, ranges) => {
    const apps = query.apps.map((app) => ({ ...app, regions }));
    const plans = openPlanReader(client);
    await listReviewPage(plans.db, { ...query, apps, filters });
    const share = Math.ceil((2 * (limit + 1)) / appCount);
    expect(plans.readCount(tables)).toBeGreaterThan(appCount * share);
    // Each range is looked into twice, and the page is looked up. A page of each app would be 1,224.
    const readMax = 2 * appCount * (share + ranges) + 3 * (limit + 1);
    expect(plans.readCount(tables)).toBeLessThanOrEqual(readMax);
  },
);

test("a scan reads its share of each app, and no more than it may scan behind it", async () => {
  const plans = openPlanReader(client);
  await listReviewPage(plans.db, { ...query, filters: { language: ["xx"] } });
  const share = Math.ceil((2 * scanMax) / appCount);
  const found = 2 * scanMax + ofLargest;
  expect(plans.readCount(tables)).toBeGreaterThan(scanMax);
  expect(plans.readCount(tables)).toBeLessThanOrEqual(appCount * (share + 1) + found);
});

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
  // Looked for among the newest of all.
  { language: ["de"] },
  { language: ["en"], topic: ["crash"] },
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
       and ($5::text[] is null or language = any($5))
     order by date desc, id desc limit 150`,
    [
      query.apps.map(({ listingId }) => listingId),
      ...[filters.rating, filters.sentiment, filters.topic, filters.language],
    ],
  );
  expect(seen.length).toBeGreaterThan(appCount - 1);
  expect(seen).toEqual(rows.map(({ id }) => id));
});
