// Files that name the app of each row: rows of other apps are rejected, or go to the app that they name.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { exportReviews } from "../exports/export-reviews.ts";
import { importReviews, importReviewsOfApps } from "./import-reviews.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

async function anImported(
  input: { store?: StoreId; externalAppId?: string; name?: string; workspaceId?: string } = {},
): Promise<App> {
  const workspaceId = input.workspaceId ?? (await aWorkspace(context.database)).id;
  const app = { store: "googleplay", externalAppId: "com.example.ferry", ...input } as const;
  return anApp(context.database, { ...app, workspaceId, isPrivate: true });
}

function sourceOf(content: string, name = "reviews.csv") {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(content);
  }
  return { name, chunks: chunks() };
}

function importFile(app: App, content: string, more: Record<string, unknown> = {}) {
  const deps = { ...context, ingestReviews: createIngest(context) };
  const source = sourceOf(content, String(more["name"] ?? "reviews.csv"));
  return importReviews(deps, { appId: app.id, workspaceId: null, source, notify: false, ...more });
}

async function storeIdsOf(app: App): Promise<string[]> {
  const ids: string[] = [];
  const query = { appId: app.id, workspaceId: null };
  for await (const batch of exportReviews(context.database, query))
    ids.push(...batch.map(({ storeId }) => storeId));
  return ids.sort();
}

/** A CSV with one more column, whose values are those given. */
function rowsWith(column: string, values: readonly string[]): string {
  const rows = values.map((value, at) => `r${at},4,2026-11-0${at + 1},"${value}"`);
  return [`reviewId,score,at,${column}`, ...rows].join("\n");
}

test.each([
  ["app_id", "com.example.ferry", "com.example.radio"],
  ["App ID", "com.example.ferry", "389801252"],
  ["package name", "com.example.ferry", "com.example.radio"],
  ["package", "com.example.ferry", "com.example.radio"],
  ["bundleId", "com.example.ferry", "com.example.radio"],
  ["externalAppId", "com.example.ferry", "17"],
  ["trackId", "com.example.ferry", "17"],
  ["store", "Google Play", "App Store"],
  ["platform", "android", "ios"],
  ["store", "googleplay", "amazon"],
  [
    "url",
    "https://play.google.com/store/apps/details?id=com.example.ferry&reviewId=r0",
    "https://play.google.com/store/apps/details?id=com.example.radio&reviewId=r1",
  ],
  ["app name", "Ferry Times", "Harbour Radio"],
  ["app", "com.example.ferry", "com.example.radio"],
  ["application", "Ferry Times", "Harbour Radio"],
  ["app", "https://play.google.com/store/apps/details?id=com.example.ferry", "id1387885523"],
  ["app_package_name", "com.example.ferry", "com.example.radio"],
  ["bundle_identifier", "com.example.ferry", "com.example.radio"],
  ["google_play_id", "com.example.ferry", "com.example.radio"],
  ["store_id", "com.example.ferry", "com.example.radio"],
  ["itunes_id", "", "1387885523"],
  ["source", "Google Play", "App Store"],
  ["marketplace", "android", "ios"],
  ["permalink", "", "https://play.google.com/store/apps/details?id=com.example.radio"],
  ["app_id", "com.example.ferry", "77001"],
])("a row whose %s is not the app's is rejected with the reason", async (column, own, other) => {
  const app = await anImported({ name: "Ferry Times" });
  for (const values of [
    [own, other],
    [other, own],
  ]) {
    const result = await importFile(app, rowsWith(column, values), { isTrial: true });
    expect(result).toMatchObject({ inserted: 1, rejectedCount: 1 });
    expect(result.rejected[0]?.reason).toContain(`of another app`);
    expect(result.rejected[0]?.reason).toContain(`${column} is ${other}`);
  }
});

const review = { reviewId: "r1", score: 4, at: "2026-11-01", content: "Fine" };
test.each<[string, (id: string) => unknown]>([
  ["the page", (app_id) => ({ app_id, reviews: [review] })],
  ["an object of the page", (id) => ({ app: { id, name: "Anything" }, data: [review] })],
  ["a page around it", (id) => ({ data: { app: { id, reviews: { nodes: [review] } } } })],
  ["one of several pages", (packageName) => [{ packageName, reviews: [review] }]],
  ["the name of its list", (id) => ({ [id]: [review] })],
  ["an object of the row", (id) => [{ ...review, app: { id } }]],
  ["an object of the row by its package", (bundleId) => [{ ...review, application: { bundleId } }]],
  [
    "the page of Google's API",
    (packageName) => ({
      packageName,
      reviews: [
        {
          reviewId: "r1",
          comments: [
            {
              userComment: { text: "Fine", starRating: 4, lastModified: { seconds: "1790000000" } },
            },
          ],
        },
      ],
    }),
  ],
])("a review of another app by %s is rejected", async (_, pageOf) => {
  const app = await anImported({ name: "Ferry Times" });
  for (const [id, inserted] of [
    ["com.example.ferry", 1],
    ["com.example.radio", 0],
  ] as const) {
    const options = { name: "reviews.json", isTrial: true };
    const result = await importFile(app, JSON.stringify(pageOf(id)), options);
    expect(result).toMatchObject({ inserted, rejectedCount: 1 - inserted });
  }
});

test.each([1387885523, 1387885524])(
  "the account's page of the app %i is recognized",
  async (id) => {
    const app = await anImported({ store: "appstore", externalAppId: "1387885523" });
    const self = `https://api.appstoreconnect.apple.com/v1/apps/${id}/customerReviews`;
    const page = {
      links: { self },
      data: [{ id: "9", attributes: { rating: 4, body: "Fine", createdDate: "2026-11-01" } }],
    };
    const result = await importFile(app, JSON.stringify(page), {
      name: "page.json",
      isTrial: true,
    });
    expect(result).toMatchObject({ inserted: id === 1387885523 ? 1 : 0 });
  },
);

describe("an app of the App Store", () => {
  test.each([
    ["trackId", "1387885523", "1387885524"],
    ["app_id", "id1387885523", "1387885524"],
    ["package name", "", "com.example.ferry"],
    [
      "link",
      "https://apps.apple.com/us/app/ferry/id1387885523",
      "https://apps.apple.com/de/app/id1",
    ],
  ])("takes %s %j and rejects %j", async (column, own, other) => {
    const app = await anImported({ store: "appstore", externalAppId: "1387885523" });
    const result = await importFile(app, rowsWith(column, [own, other]), { isTrial: true });
    expect(result).toMatchObject({ inserted: 1, rejectedCount: 1 });
  });
});

describe("names and numbers that can't be compared with the app", () => {
  const several = rowsWith("app_id", ["77001", "77002", "77001"]);

  test("are taken while all rows have one", async () => {
    const app = await anImported();
    expect(await importFile(app, rowsWith("product", ["77001", "77001"]))).toMatchObject({
      ...{ inserted: 2, rejectedCount: 0 },
    });
  });

  test("refuse the file as a whole where there are several, with the option that chooses", async () => {
    const app = await anImported();
    const refused = importFile(app, several);
    await expect(refused).rejects.toMatchObject({ code: "invalid_input" });
    await expect(refused).rejects.toThrow(
      /app_id is 77001, 77002.*--only "app_id=77001".*--all-apps/,
    );
    expect(await storeIdsOf(app)).toEqual([]);
  });

  test("are chosen by a column and its value", async () => {
    const app = await anImported();
    const only = { column: "App_Id", value: "77001" };
    expect(await importFile(app, several, { only })).toMatchObject({ inserted: 2, skipped: 1 });
    const missing = importFile(app, several, { only: { column: "shop", value: "1" } });
    await expect(missing).rejects.toThrow("lacks the column shop of --only");
  });
});

test.each([1387885523, 1387885524])("the feed of the app %i is recognized", async (id) => {
  const app = await anImported({ store: "appstore", externalAppId: "1387885523" });
  const label = `https://itunes.apple.com/us/rss/customerreviews/id=${id}/sortby=mostrecent/json`;
  const [name, text] = [{ label: "Plover" }, { label: "Fine" }];
  const entry = {
    ...{ author: { name }, updated: { label: "2026-11-01" }, "im:rating": { label: "4" } },
    ...{ id: { label: "9" }, title: text, content: text },
  };
  const page = JSON.stringify({ feed: { entry: [entry], id: { label } } });
  const result = await importFile(app, page, { name: "feed.json", isTrial: true });
  expect(result).toMatchObject({ inserted: id === 1387885523 ? 1 : 0 });
});

test("each row goes to the app of the workspace that it names, by its id or its name", async () => {
  const ferry = await anImported({ name: "Ferry Times" });
  const { workspaceId } = ferry;
  const radio = await anImported({
    ...{ workspaceId, store: "appstore", externalAppId: "1387885523", name: "Harbour Radio" },
  });
  const content = [
    "reviewId,score,at,app_id,app",
    "a,4,2026-11-01,com.example.ferry,",
    "b,4,2026-11-01,1387885523,Anything",
    "c,4,2026-11-01,,harbour radio",
    "d,4,2026-11-01,com.example.bank,Pier Bank",
    "e,4,2026-11-01,,",
  ].join("\n");
  const deps = { ...context, ingestReviews: createIngest(context) };
  const input = { workspaceId, source: sourceOf(content), notify: false };
  const result = await importReviewsOfApps(deps, input);
  expect(result).toMatchObject({ inserted: 3, rejectedCount: 2, queued: 0 });
  expect(result.apps).toEqual([
    { id: ferry.id, inserted: 1, updated: 0, unchanged: 0 },
    { id: radio.id, inserted: 2, updated: 0, unchanged: 0 },
  ]);
  expect(result.rejected.map(({ line, reason }) => [line, reason])).toEqual([
    [5, expect.stringContaining("app_id is com.example.bank")],
    [6, expect.stringContaining("no column names one")],
  ]);
  expect(await storeIdsOf(ferry)).toEqual(["a"]);
  expect(await storeIdsOf(radio)).toEqual(["b", "c"]);
});

describe("an export of Starpost", () => {
  test("of another app or store is rejected", async () => {
    const from = await anImported({ externalAppId: "com.example.radio" });
    await saveReviews(context.database, from, [aReview({ storeReviewId: "s1" })]);
    const lines: string[] = [];
    const query = { appId: from.id, workspaceId: null };
    for await (const batch of exportReviews(context.database, query))
      lines.push(...batch.map((review) => JSON.stringify(review)));
    for (const store of ["googleplay", "appstore"] as const) {
      const result = await importFile(await anImported({ store }), lines.join("\n"), {
        name: "export.jsonl",
      });
      expect(result).toMatchObject({ inserted: 0, rejectedCount: 1 });
    }
  });

  test("without the store's ids is recognized by Starpost's", async () => {
    const app = await anImported({ name: "Ferry Times" });
    await saveReviews(context.database, app, [
      aReview({ storeReviewId: "s1", title: null, text: "Always late.", rating: 2 }),
    ]);
    const [known] = await context.database.listReviewsById({
      ...{ listingId: app.listingId, afterId: null, limit: 1 },
    });
    const row = (id: string, name: string) =>
      `${id},${name},googleplay,2026-11-21T12:00:00Z,2,Always late.,,,en,en`;
    const header = "id,app,store,date,rating,text,translatedText,translatedFrom,country,language";
    const unknown = "003ccb0e-f647-5141-988d-b4b4450dfb46";
    const rows = [
      row(known?.id ?? "", "Ferry Times"),
      row(unknown, "Ferry Times"),
      row(unknown, "Pier Bank"),
    ];
    const result = await importFile(app, [header, ...rows].join("\n"));
    expect(result).toMatchObject({ inserted: 0, unchanged: 1 });
    expect(result.rejected).toEqual([
      { line: 3, reason: expect.stringContaining("export it again, with storeId") },
      { line: 4, reason: expect.stringContaining("app is Pier Bank") },
    ]);
    expect(await storeIdsOf(app)).toEqual(["s1"]);
  });
});
