import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  anApp,
  aReview,
  aWorkspace,
  saveChannel,
  saveReviews,
} from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { AppError } from "../../domain/error.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { IngestReviews } from "../../ingest/ingest-batch.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import type { Delay } from "../../lib/delay.ts";
import { exportReviews } from "../exports/export-reviews.ts";
import type { ImportResult } from "./import-result.ts";
import { importReviews } from "./import-reviews.ts";

let context: TestContext;
let ingest: IngestReviews;

beforeAll(async () => {
  context = await openTestContext();
  ingest = createIngest(context);
});
afterAll(() => context.close());

type Row = Record<string, unknown>;

function aRow(row: Row = {}): Row {
  return { id: "r1", rating: 4, date: "2026-11-20T10:00:00Z", text: "Steady.", ...row };
}

async function importRows(
  app: Pick<App, "id">,
  rows: readonly (Row | string)[],
  more: { name?: string; notify?: boolean; ingest?: IngestReviews; delay?: Delay } = {},
): Promise<ImportResult> {
  const lines = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(lines.join("\n"), "utf8");
  }
  return importReviews(
    { ...context, ingestReviews: more.ingest ?? ingest, ...(more.delay && { delay: more.delay }) },
    {
      appId: app.id,
      workspaceId: null,
      source: { name: more.name ?? "reviews.jsonl", chunks: chunks() },
      notify: more.notify ?? false,
    },
  );
}

async function exported(app: Pick<App, "id">): Promise<unknown[]> {
  const reviews: unknown[] = [];
  const query = { appId: app.id, workspaceId: null };
  for await (const batch of exportReviews(context.database, query)) reviews.push(...batch);
  return reviews;
}

test("good rows are saved, bad ones are named by their line, and the same file again changes nothing", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId, isPrivate: true });
  const rows = [aRow(), "", "{", aRow({ id: "r2", rating: 9 }), aRow({ id: "r3" })];
  const { reading, ...result } = await importRows(app, rows);
  expect(reading).toMatchObject({ rows: 3, notRead: [], questions: [] });
  expect(result).toEqual({
    inserted: 2,
    updated: 0,
    unchanged: 0,
    rejected: [
      { line: 3, reason: "the line is not a JSON object" },
      { line: 4, reason: "rating must be a whole number from 1 to 5" },
    ],
    rejectedCount: 2,
    queued: 0,
  });
  expect(await importRows(app, rows)).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
});

test("the same id again in one file is an edit of the row before", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId, isPrivate: true });
  const rows = [
    aRow(),
    aRow({ rating: 1 }),
    aRow({ rating: 1 }),
    aRow({ rating: 1, version: "2" }),
  ];
  const result = await importRows(app, rows);
  expect(result).toMatchObject({ inserted: 1, updated: 2, unchanged: 1 });
  expect(await exported(app)).toMatchObject([
    { storeId: "r1", rating: 1, version: "2", versions: [{ rating: 4 }] },
  ]);
});

test("a large file is saved in batches of 1,000 rows, and 1,000 rejected rows are named", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId, isPrivate: true });
  const sizes: number[] = [];
  const counting: IngestReviews = async (batch) => {
    sizes.push(batch.reviews.length);
    return ingest(batch);
  };
  const rows = Array.from({ length: 1_100 }, (_, index) => aRow({ id: `n${index}` }));
  const bad = rows.map((row) => ({ ...row, rating: 0 }));
  const result = await importRows(app, [...rows, ...bad], { ingest: counting });
  expect(sizes).toEqual([1_000, 100]);
  expect(result).toMatchObject({ inserted: 1_100, rejectedCount: 1_100 });
  expect(result.rejected).toHaveLength(1_000);
});

test("the first import forks a public listing: no other workspace sees it, and edits continue as before", async () => {
  const [mine, theirs] = [await aWorkspace(context.database), await aWorkspace(context.database)];
  const listing = { store: "appstore", externalAppId: "4711" } as const;
  const app = await anApp(context.database, {
    ...listing,
    workspaceId: mine.id,
    countries: ["us"],
  });
  const other = await anApp(context.database, {
    ...listing,
    workspaceId: theirs.id,
    countries: ["gb"],
  });
  await saveReviews(context.database, app, [aReview({ storeReviewId: "public-1" })]);

  await importRows(app, [aRow({ id: "public-1", rating: 1 }), aRow({ id: "mine-1" })]);
  expect(await exported(other)).toMatchObject([{ storeId: "public-1", rating: 4 }]);
  expect(await exported(app)).toHaveLength(2);
  const [moved] = await context.database.listApps({ workspaceId: mine.id });
  expect(moved?.listingId).not.toBe(other.listingId);
  const feeds = await context.database.listFeeds(moved?.listingId ?? "");
  expect(feeds.map(({ kind, region }) => [kind, region])).toEqual([
    ["reviews", "us"],
    ["ratings", "us"],
  ]);
  const left = await context.database.listFeeds(other.listingId);
  expect(left.map(({ region }) => region)).toEqual(["gb", "gb"]);

  await importRows(app, [aRow({ id: "mine-2" })]);
  const [still] = await context.database.listApps({ workspaceId: mine.id });
  expect(still?.listingId).toBe(moved?.listingId);
});

test("two imports at once make a listing private once, which no other workspace follows", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId });
  const results = await Promise.all([
    importRows(app, [aRow({ id: "a" })]),
    importRows(app, [aRow({ id: "b" })]),
  ]);
  expect(results.map(({ inserted }) => inserted)).toEqual([1, 1]);
  expect(await exported(app)).toHaveLength(2);
  const listings = await context.database.listListingsOfStoreApp(app);
  expect(listings).toEqual([{ id: app.listingId }]);
  expect(await context.database.findListing(app.listingId)).toMatchObject({ workspaceId });
});

test("stars without a review, as the Play Console exports them, are counted", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const externalAppId = "com.example.harbour";
  const app = await anApp(context.database, { workspaceId, store: "googleplay", externalAppId });
  const header =
    "Package Name,Star Rating,Review Title,Review Text,Review Link,Review Last Update Date and Time";
  const row = `${externalAppId},5,,,,2026-11-10T08:00:00Z`;
  expect(await importRows(app, [header, row, row], { name: "reviews.csv" })).toMatchObject({
    ...{ inserted: 0, rejectedCount: 2, starsOnly: 2 },
  });
});

test("a file without a good row forks nothing", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId });
  expect(await importRows(app, ["nothing here"])).toMatchObject({ inserted: 0, rejectedCount: 1 });
  const [moved] = await context.database.listApps({ workspaceId });
  expect(moved?.listingId).toBe(app.listingId);
});

describe("an import without notify", () => {
  test("announces nothing, edits included; with notify new rows of any date and edits are", async () => {
    const { id: workspaceId } = await aWorkspace(context.database);
    const app = await anApp(context.database, { workspaceId, isPrivate: true });
    await saveChannel(context.database, { workspaceId });
    const old = "2012-01-01";
    expect(await importRows(app, [aRow({ id: "quiet", date: old })])).toMatchObject({ queued: 0 });
    const loud = aRow({ id: "loud", date: old });
    expect(await importRows(app, [loud], { notify: true })).toMatchObject({ queued: 1 });
    const edits = (rating: number) =>
      ["quiet", "loud"].map((id) => aRow({ id, rating, date: `2026-11-2${rating}` }));
    expect(await importRows(app, edits(1))).toMatchObject({ updated: 2, queued: 0 });
    expect(await importRows(app, edits(2), { notify: true })).toMatchObject({ queued: 1 });
  });

  test("keeps a newer review as it is, and its older row as an earlier version", async () => {
    const { id: workspaceId } = await aWorkspace(context.database);
    const app = await anApp(context.database, { workspaceId, isPrivate: true });
    await saveChannel(context.database, { workspaceId });
    const current = aRow({ rating: 5, text: "Back to normal.", version: "4.2" });
    const older = aRow({ date: "2026-01-10", rating: 1, text: "Drops my lists.", version: "4.0" });
    expect(await importRows(app, [current], { notify: true })).toMatchObject({ queued: 1 });
    for (const notify of [false, true]) {
      const result = await importRows(app, [older], { notify });
      expect(result).toMatchObject({ inserted: 0, updated: 0, unchanged: 1, queued: 0 });
      expect(result.earlierVersions).toBe(notify ? undefined : 1);
    }
    expect(await exported(app)).toMatchObject([
      {
        ...{ rating: 5, text: "Back to normal.", version: "4.2", date: "2026-11-20T10:00:00Z" },
        editedAt: "2026-11-20T10:00:00Z",
        versions: [{ rating: 1, text: "Drops my lists.", replacedAt: "2026-11-20T10:00:00Z" }],
      },
    ]);
  });
});

test.each([
  ["newest first", [5, 3, 1]],
  ["oldest first", [1, 3, 5]],
  ["mixed", [3, 5, 1]],
])("the versions of a review in one file, %s, end with the newest", async (_, months) => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId, isPrivate: true });
  const rows = months.map((month) =>
    aRow({ date: `2026-0${month}-01T00:00:00Z`, rating: month, text: `In month ${month}.` }),
  );
  const others = months.map((month) => aRow({ id: `other-${month}` }));
  const file = rows.flatMap((row, index) => [row, others[index] ?? {}]);
  const versions = [
    { rating: 1, text: "In month 1.", date: "2026-01-01T00:00:00Z" },
    { rating: 3, text: "In month 3.", date: "2026-03-01T00:00:00Z" },
  ];
  const expected = { rating: 5, text: "In month 5.", date: "2026-05-01T00:00:00Z", versions };
  for (const _time of ["first", "again"]) {
    expect(await importRows(app, file)).toMatchObject({ rejectedCount: 0, queued: 0 });
    const found = await exported(app);
    expect(found).toHaveLength(4);
    expect(found.find((one) => (one as Row)["storeId"] === "r1")).toMatchObject(expected);
  }
});

test("an id of no app is refused, by its form or as not there", async () => {
  await expect(importRows({ id: "17" }, [])).rejects.toMatchObject({
    code: "invalid_input",
    fields: [{ field: "app" }],
  });
  const { id } = await aWorkspace(context.database);
  await expect(importRows({ id }, [])).rejects.toMatchObject({ code: "not_found" });
});

describe("while the database is away", () => {
  const away = () => Promise.reject(new AppError("unavailable", "the database is unavailable"));
  const rows = Array.from({ length: 1_001 }, (_, at) => aRow({ id: `away-${at}` }));
  const anImportedApp = async () =>
    anApp(context.database, { workspaceId: (await aWorkspace(context.database)).id });

  test("a batch is tried again, and nothing is missing or twice", async () => {
    let failureCount = 0;
    const delays: number[] = [];
    const result = await importRows(await anImportedApp(), rows, {
      ingest: (batch) => {
        failureCount += 1;
        return failureCount % 3 === 0 ? ingest(batch) : away();
      },
      delay: async (durationMs) => void delays.push(durationMs),
    });
    expect(result).toMatchObject({ inserted: 1_001, rejectedCount: 0 });
    expect(result.stopped).toBeUndefined();
    expect(delays).toEqual([1_000, 4_000, 1_000, 4_000]);
  });

  test.each([
    [new AppError("unavailable", "the database is unavailable"), "the database is unavailable"],
    [new Error("out of luck"), "internal error: out of luck"],
  ])("what was kept is said when %s ends the import", async (failure, reason) => {
    let batchCount = 0;
    const result = await importRows(await anImportedApp(), rows, {
      ingest: (batch) => {
        batchCount += 1;
        return batchCount === 1 ? ingest(batch) : Promise.reject(failure);
      },
      delay: async () => {},
    });
    expect(result).toMatchObject({ inserted: 1_000, stopped: { reason } });
  });

  test("nothing kept is a plain failure", async () => {
    const app = await anImportedApp();
    const more = { ingest: away, delay: async () => {} };
    await expect(importRows(app, rows, more)).rejects.toMatchObject({ code: "unavailable" });
  });
});
