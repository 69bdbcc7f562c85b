import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import type { ReviewFilters } from "../../domain/review/review-filter.ts";
import { silentLog } from "../../lib/log.ts";
import { type Database, openDatabase } from "../database.ts";
import type { PageQuery } from "./review-page-sql.ts";
import type { ReviewPosition } from "./review-ranges.ts";

let testDatabase: TestDatabase;
let database: Database;
let pool: pg.Pool;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
  const { connectionString } = testDatabase;
  database = await openDatabase({ log: silentLog, connection: { connectionString } });
  pool = new pg.Pool({ connectionString, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.close();
  await testDatabase.drop();
});

type Page = Awaited<ReturnType<Database["listReviewPage"]>>;

function idsOn(page: Page): string[] {
  return page.reviews.map(({ id }) => id);
}

type Apps = Pick<PageQuery, "workspaceId" | "apps">;

async function walk(apps: Apps, filters: ReviewFilters, limit: number): Promise<string[]> {
  const walked: string[] = [];
  let after: ReviewPosition | null = null;
  do {
    const page: Page = await database.listReviewPage({ ...apps, filters, after, limit });
    walked.push(...idsOn(page));
    after = page.last;
  } while (after !== null);
  return walked;
}

test("reviews that differ by microseconds are walked in order, page by page, by topic too", async () => {
  const workspace = await aWorkspace(database);
  const app = await anApp(database, { workspaceId: workspace.id });
  const date = new Date("2026-11-20T23:59:59.999Z");
  const saved = await saveReviews(
    database,
    app,
    Array.from({ length: 8 }, () => aReview({ date, topics: ["ads"] })),
  );
  for (const [index, { id }] of saved.entries()) {
    // The last ones reach into the next day.
    for (const [table, key] of [
      ["reviews", "id"],
      ["review_topics", "review_id"],
    ]) {
      await pool.query(
        `update ${table} set date = date + $2 * interval '250 microseconds' where ${key} = $1`,
        [id, index],
      );
    }
  }
  const newestFirst = saved.map(({ id }) => id).reverse();
  const apps = {
    workspaceId: workspace.id,
    apps: [{ ...app, regions: null, hasOwnTopics: false }],
  };
  const filters: ReviewFilters = {};
  for (const limit of [1, 3, 8, 9]) {
    expect(await walk(apps, filters, limit)).toEqual(newestFirst);
    expect(await walk(apps, { ...filters, to: "2026-11-20" }, limit)).toEqual(newestFirst.slice(4));
    expect(await walk(apps, { ...filters, rating: [4], sentiment: ["neutral"] }, limit)).toEqual(
      newestFirst,
    );
  }
  const after = { micros: BigInt(Date.parse("2026-12-24")) * 1_000n, id: app.id };
  const until = { ...filters, to: "2026-11-20" };
  // A position behind the end of the range does not widen it.
  expect(
    idsOn(await database.listReviewPage({ ...apps, filters: until, after, limit: 9 })),
  ).toHaveLength(4);
  for (const limit of [1, 3, 8, 9]) {
    expect(await walk(apps, { ...filters, topic: ["ads"] }, limit)).toEqual(newestFirst);
    expect(await walk(apps, { ...filters, topic: ["ads"], from: "2026-11-21" }, limit)).toEqual(
      newestFirst.slice(0, 4),
    );
    expect(await walk(apps, { ...filters, topic: ["ads"], to: "2026-11-20" }, limit)).toEqual(
      newestFirst.slice(4),
    );
  }
});

test("what is stored as JSON with a review is what its columns say, whatever they hold and whenever they change", async () => {
  const workspace = await aWorkspace(database);
  const app = await anApp(database, { workspaceId: workspace.id });
  const odd = 'Tab\t "quoted" \\ line\nend \u2028 \u{1f30a} </script>';
  const [saved] = await saveReviews(database, app, [
    aReview({ author: odd, title: null, text: odd, date: new Date("2026-11-20T10:00:00.250Z") }),
  ]);
  if (!saved) throw new Error("the review is missing");
  const read = async () => {
    const apps = [{ ...app, regions: null, hasOwnTopics: false }];
    const query = { workspaceId: workspace.id, apps, filters: {}, after: null };
    const { reviews } = await database.listReviewPage({ ...query, limit: 1 });
    return JSON.parse(reviews[0]?.json ?? "");
  };
  const shown = await read();
  expect(shown).toMatchObject({
    id: saved.id,
    store: app.store,
    externalAppId: app.externalAppId,
    author: odd,
    title: null,
    text: odd,
    translatedText: null,
    date: "2026-11-20T10:00:00.250Z",
  });
  await pool.query(
    `update reviews set title = '"', date = '2026-11-20T10:00:01Z', sentiment = 'mixed',
       sentiment_score = 0.1, topics = '{ads,crash}', translated_text = 'x', translated_from = 'de'
     where id = $1`,
    [saved.id],
  );
  expect(await read()).toEqual({
    ...shown,
    title: '"',
    translatedText: "x",
    translatedFrom: "de",
    date: "2026-11-20T10:00:01Z",
    sentiment: { label: "mixed", score: 0.1 },
    topics: ["ads", "crash"],
  });
});

test("a page by topics that come together is full", async () => {
  const { id: workspaceId } = await aWorkspace(database);
  const app = await anApp(database, { workspaceId });
  const topics = ["ads", "crash", "login"];
  const reviews = Array.from({ length: 120 }, () => aReview({ topics }));
  const saved = await saveReviews(database, app, reviews);
  const apps = { workspaceId, apps: [{ ...app, regions: null, hasOwnTopics: false }] };
  const walked = await walk(apps, { topic: topics }, 100);
  expect(walked.sort()).toEqual(saved.map(({ id }) => id).sort());
});
