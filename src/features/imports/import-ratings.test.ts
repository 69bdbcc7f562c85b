import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import { createRatingsIngest } from "../../ingest/ingest-ratings.ts";
import { importRatings } from "./import-ratings.ts";
import type { ImportResult } from "./import-result.ts";

let context: TestContext;
let app: App;

beforeAll(async () => {
  context = await openTestContext();
  const { id: workspaceId } = await aWorkspace(context.database);
  app = await anApp(context.database, { workspaceId });
});
afterAll(() => context.close());

function importText(text: string, name = "ratings.jsonl"): Promise<ImportResult> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text, "utf8");
  }
  const recordSnapshots = createRatingsIngest(context);
  const source = { name, chunks: chunks() };
  return importRatings(
    { ...context, ingestRatings: recordSnapshots },
    { appId: app.id, workspaceId: null, source },
  );
}

const day = {
  date: "2026-11-01",
  average: 4.2,
  total: 1_000,
  histogram: { "1": 100, "2": 50, "3": 50, "4": 150, "5": 650 },
};

test("days are saved as the whole app's snapshots; the last row of a day counts", async () => {
  const rows = [
    day,
    { ...day, date: "2026-11-02" },
    { ...day, average: 4.3 },
    { ...day, average: 4.3 },
  ];
  const text = rows.map((row) => JSON.stringify(row)).join("\n");
  const first = await importText(text);
  expect(first).toMatchObject({ inserted: 2, updated: 1, unchanged: 1, rejectedCount: 0 });
  expect(await importText(text)).toMatchObject({ inserted: 0, updated: 1, unchanged: 3 });
  const [moved] = await context.database.listApps({ workspaceId: app.workspaceId });
  const query = { listingId: moved?.listingId ?? "", day: "2026-11-01", withHistogram: true };
  expect(await context.database.listSnapshotsAsOf(query)).toMatchObject([
    { region: "", day: "2026-11-01", average: 4.3, histogram: [100, 50, 50, 150, 650] },
  ]);
});

test.each([
  [{ ...day, average: 0.9 }, "average must be a number from 1 to 5"],
  [{ ...day, average: 0 }, "average must be a number from 1 to 5"],
  [{ date: day.date, average: 1, total: 0 }, "average must be 0 where there are no ratings"],
  [{ ...day, total: 1_011 }, "the histogram does not add up to the total of 1011"],
  [{ ...day, total: -1 }, "total must be a whole number from 0 up"],
  [{ ...day, date: "2026-13-01" }, "date must be a date such as 2026-11-21"],
  [
    { ...day, histogram: { "1": 1_000 } },
    'histogram must hold a whole number for each of "1" to "5"',
  ],
  [
    { ...day, histogram: [1, 2, 3, 4, 5] },
    'histogram must hold a whole number for each of "1" to "5"',
  ],
])("the row %j is rejected: %s", async (row, reason) => {
  expect(await importText(JSON.stringify(row))).toMatchObject({
    inserted: 0,
    rejected: [{ line: 1, reason }],
  });
});

test("a histogram may miss the total by half a percent, or not be given", async () => {
  const rows = [
    { ...day, date: "2026-10-01", total: 1_004 },
    { date: "2026-10-02", average: 0, total: 0 },
    { date: "2026-10-03", average: 5, total: 1, histogram: null },
  ];
  const text = rows.map((row) => JSON.stringify(row)).join("\n");
  expect(await importText(text)).toMatchObject({ inserted: 3, rejectedCount: 0 });
});

test("a CSV has a column for each star, or the histogram in one cell", async () => {
  const columns =
    "Total,Date,Average,1,2,3,4,5\n5,2026-09-01,3,1,1,1,1,1\n5,2026-09-02,3,1,1,1,1,\n";
  expect(await importText(columns, "ratings.csv")).toMatchObject({
    inserted: 1,
    rejected: [{ line: 3 }],
  });
  const cell = `date,average,total,histogram\n2026-09-03,3,5,"{""1"":1,""2"":1,""3"":1,""4"":1,""5"":1}"\n`;
  expect(await importText(cell, "ratings.csv")).toMatchObject({ inserted: 1, rejectedCount: 0 });
  await expect(importText("date,total\n", "ratings.csv")).rejects.toThrow(
    "lacks the column average",
  );
});

test("an export of the Play Console has averages alone: drawn, counted, and no snapshot", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const externalAppId = "com.example.lantern";
  app = await anApp(context.database, { workspaceId, store: "googleplay", externalAppId });
  const rows = [
    "Date,Package name,Daily Average Rating,Total Average Rating",
    "2026-10-01,com.example.lantern,NA,4.25",
    "2026-10-02,com.example.lantern,4.0,4.24",
    "2026-10-03,com.example.lantern,NA,NA",
    "2026-10-03,com.example.other,4.0,4.24",
  ];
  const text = rows.join("\r\n");
  const name = "ratings_com.example.lantern_202610_overview.csv";
  const first = await importText(text, name);
  expect(first).toMatchObject({ inserted: 2, unchanged: 0, rejectedCount: 2, queued: 0 });
  expect(await importText(text, name)).toMatchObject({ inserted: 0, unchanged: 2 });
  const [moved] = await context.database.listApps({ workspaceId });
  if (!moved) throw new Error("the app is gone");
  const range = { apps: [moved], from: "2026-09-01", to: "2026-11-21" };
  expect(await context.database.listRatingAverages(range)).toEqual([
    { appId: moved.id, day: "2026-10-01", average: 4.25 },
    { appId: moved.id, day: "2026-10-02", average: 4.24 },
  ]);
  const query = { listingId: moved.listingId, day: null, withHistogram: false };
  expect(await context.database.listSnapshotsAsOf(query)).toEqual([]);
});
