// With the largest tables in parts, statements that people, crawls and deliveries wait for look into one part alone:
// that of their listing or bucket. `npm run test:partitioned` runs the other tests on such tables.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../src/database/database.ts";
import type { Db } from "../src/database/query.ts";
import * as overview from "../src/database/read-models/overview.ts";
import { readAppPages } from "../src/database/read-models/review-app-pages.ts";
import { listReviewChanges } from "../src/database/read-models/review-changes.ts";
import { loadFeedReviews } from "../src/database/read-models/review-feed.ts";
import { listReviewPage } from "../src/database/read-models/review-pages.ts";
import { searchReviews } from "../src/database/read-models/review-search.ts";
import {
  countFeltTopics,
  countNegativeTopics,
} from "../src/database/read-models/topic-opinions.ts";
import { countTopics, countWeeks } from "../src/database/read-models/trends.ts";
import { checkLeases, leaseChannels } from "../src/database/repositories/delivery-leases.ts";
import { readDueDeliveries } from "../src/database/repositories/due-deliveries.ts";
import { loadReviews, updateReviews } from "../src/database/repositories/reviews.ts";
import type { App } from "../src/domain/listing.ts";
import { silentLog } from "../src/lib/log.ts";
import { lowestUuid } from "../src/lib/uuid.ts";
import { cloneDatabase, type TestDatabase } from "./support/database.ts";
import {
  anApp,
  aReview,
  aWorkspace,
  noReviewFilters,
  saveReviews,
  startTime,
} from "./support/factories.ts";
import { partitionTables } from "./support/partitions.ts";
import { openPlanReader } from "./support/query-plan.ts";

const partCount = 8;

let testDatabase: TestDatabase;
let database: Database;
let client: pg.Client;
let app: App;
let reviewId: string;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
  const { connectionString } = testDatabase;
  client = new pg.Client({ connectionString });
  await client.connect();
  if (process.env["TEST_PARTITIONS"] === undefined) await partitionTables(client, partCount);
  database = await openDatabase({ log: silentLog, connection: { connectionString } });
  // Of several listings, so that there is something in other parts.
  for (let index = 0; index < 6; index += 1) {
    app = await anApp(database, { workspaceId: (await aWorkspace(database)).id });
    const reviews = Array.from({ length: 20 }, () => aReview({ topics: ["ads"] }));
    [{ id: reviewId } = { id: "" }] = await saveReviews(database, app, reviews);
  }
  await client.query("vacuum analyze");
  // Plans like those of large tables, which nobody reads as a whole.
  await client.query(
    "set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off",
  );
});
afterAll(async () => {
  await client.end();
  await database.close();
  await testDatabase.drop();
});

const seen = () => ({
  workspaceId: app.workspaceId,
  apps: [{ ...app, regions: null, hasOwnTopics: false }],
});
const scope = () => ({ ...seen(), from: "2026-08-01", to: "2026-11-25" });
const page = () => ({ ...seen(), filters: noReviewFilters, after: null, limit: 10 });
const pageOfApp = (chosen: object) => ({
  ...{ ...page(), appId: app.id },
  filters: { ...noReviewFilters, ...chosen },
});
const search = () => ({
  filters: {
    ...{ ...seen(), from: null, to: null, ratings: null, sentiment: null, topics: null },
    ...{ country: null, language: null, version: null, editedOnly: false, hasReply: null },
    ...{ tag: null, assigneeId: null, words: ["tide"] },
  },
  ...{ after: null, limit: 10, scanMax: 100 },
});
const ofIngest = () => ({ listingId: app.listingId, ids: [reviewId] });
const workerId = 1;
const now = startTime;
const head = { dueAt: new Date(0), id: lowestUuid };
const looks = () => [{ channelId: app.id, fresh: head, retries: head, countMax: 4 }];

test.each<[string, (db: Db) => Promise<unknown>]>([
  ["a page", (db) => listReviewPage(db, page())],
  [
    "a page by stars",
    (db) => listReviewPage(db, { ...page(), filters: { ...noReviewFilters, ratings: [5] } }),
  ],
  [
    "a page by topic",
    (db) => listReviewPage(db, { ...page(), filters: { ...noReviewFilters, topics: ["ads"] } }),
  ],
  [
    "a page by country",
    (db) => listReviewPage(db, { ...page(), filters: { ...noReviewFilters, countries: ["us"] } }),
  ],
  ["the page of an app", (db) => readAppPages(db, { queries: [pageOfApp({})], filters: "" })],
  [
    "the page of an app by topic",
    (db) => readAppPages(db, { queries: [pageOfApp({ topics: ["ads"] })], filters: "Topic" }),
  ],
  [
    "changes",
    (db) =>
      listReviewChanges(db, {
        ...page(),
        since: "2026-01-01T00:00:00Z",
        until: "2030-01-01T00:00:00Z",
      }),
  ],
  [
    "the review feed",
    (db) =>
      loadFeedReviews(db, { ...seen(), reviews: [{ listingId: app.listingId, id: reviewId }] }),
  ],
  ["a search", (db) => searchReviews(db, search())],
  ["weeks", (db) => countWeeks(db, scope())],
  ["counts of apps and weeks", (db) => overview.countAppsAndWeeks(db, scope())],
  ["topics", (db) => countTopics(db, { ...scope(), limit: 10 })],
  ["opinions on topics", (db) => countFeltTopics(db, scope())],
  ["negative topics", (db) => countNegativeTopics(db, scope())],
  [
    "ranges of days",
    (db) =>
      overview.countDateRanges(db, {
        ...seen(),
        ranges: seen().apps.map((one) => ({ app: one, from: scope().from, to: scope().to })),
      }),
  ],
  ["regions", (db) => overview.countRegions(db, { ...scope(), limit: 10 })],
  ["the reviews that an ingest compares", (db) => loadReviews(db, ofIngest())],
  [
    "an ingest's edit",
    async (db) =>
      updateReviews(db, {
        listingId: app.listingId,
        reviews: await database.loadReviews(ofIngest()),
      }),
  ],
  [
    "looking for channels",
    (db) =>
      leaseChannels(db, {
        workerId,
        now,
        answeringMax: 1,
        failingMax: 1,
        firstMax: 1,
        fullHosts: [],
      }),
  ],
  ["reading deliveries", (db) => readDueDeliveries(db, { looks: looks(), now })],
  [
    "checking leases",
    (db) => checkLeases(db, { workerId, now, channels: [{ channelId: app.id, version: 1 }] }),
  ],
])("%s looks into one part", async (_, run) => {
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    await client.query(`set plan_cache_mode = ${mode}`);
    const reader = openPlanReader(client);
    await run(reader.db);
    const parts = reader.tableNames().filter((name) => name.includes("_part_"));
    const tables = parts.map((name) => name.replace(/_part_\d+$/, ""));
    expect(tables, `${mode}: ${parts}`).toEqual([...new Set(tables)]);
  }
});
