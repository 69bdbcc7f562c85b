// An export is a way out: what one installation exports, an empty one takes back, and its own export is the same.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/domain/feed/listing.ts";
import type { Review } from "../../src/domain/review/review.ts";
import { csvHeader, formatReviewLine } from "../../src/features/exports/commands.ts";
import { exportRatings } from "../../src/features/exports/export-ratings.ts";
import { type ExportedReview, exportReviews } from "../../src/features/exports/export-reviews.ts";
import { exportWorkspace } from "../../src/features/exports/export-workspace.ts";
import { importRatings } from "../../src/features/imports/import-ratings.ts";
import { importReviews } from "../../src/features/imports/import-reviews.ts";
import { importWorkspace } from "../../src/features/imports/import-workspace.ts";
import * as topicStatements from "../../src/features/own-topics/sql.ts";
import * as triage from "../../src/features/triage/sql.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { eraseReview } from "../support/acts.ts";
import { anApp, aReview, aWorkspace, saveReviews, saveSnapshots } from "../support/factories.ts";
import { openTestContext, type TestContext } from "../support/test-context.ts";

let from: TestContext;
let to: TestContext;
beforeAll(async () => {
  [from, to] = await Promise.all([openTestContext(), openTestContext()]);
});
afterAll(() => Promise.all([from.close(), to.close()]));

function depsOf(context: TestContext) {
  const ingests = {
    ingestReviews: createIngest(context),
    ingestRatings: createRatingsIngest(context),
  };
  return { ...context, ...ingests, actor: "test" };
}

async function collect<Item>(batches: AsyncIterable<Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}

const reviewsOf = ({ database }: TestContext, { id: appId }: Pick<App, "id">) =>
  collect(exportReviews(database, { appId, workspaceId: null }));

/** A file with these lines. */
function aFile(lines: readonly unknown[], name = "export.jsonl") {
  const texts = lines.map((line) =>
    typeof line === "string" ? line : `${JSON.stringify(line)}\n`,
  );
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(texts.join(""));
  }
  return { name, chunks: chunks() };
}

const at = (text: string): Date => new Date(`2026-11-${text}Z`);

/** Every field of a review has a value in one of them, and none in another. */
function someReviews(store: App["store"]): Review[] {
  const sentiment = { label: "mixed", score: 0.25, clauseMin: -0.5, clauseMax: 0.75 } as const;
  const analysis = { version: 1, language: "de", topics: ["crash", "ui"], sentiment };
  const titled = { title: store === "appstore" ? "Zu teuer" : null };
  const reviews = [
    aReview(titled),
    {
      ...aReview({}),
      ...{
        author: "=1+1",
        ...titled,
        text: 'Früher gut,\n"jetzt" teuer 😀',
        version: "4.2",
      },
      ...{ votes: 3, reply: { text: "Danke", at: at("12T09:00:00") }, isDateAssumed: true },
      ...{ device: "oriole", osVersion: "34", submittedAt: at("01T10:00:00.250") },
      ...{
        editedAt: at("11T08:00:00"),
        firstSeenAt: at("02T08:30:00.125"),
        isListed: true as const,
      },
      ...{ removedAt: at("13T00:00:00"), translation: { text: "Too expensive", from: "de" } },
      analysis: { ...analysis, topicScores: [-0.5, 0.125], provider: "openai" },
    },
    {
      ...aReview({ ...titled, rating: 1 }),
      text: "",
      analysis: { ...analysis, sentiment: null, topics: [] },
    },
    { ...aReview({ ...titled, rating: 2 }), reply: { text: "Sorry", at: null }, analysis },
  ];
  // There it is the language of the text.
  const countryOf = (review: Review): string =>
    store === "googleplay" ? (review.analysis?.language ?? "und") : review.country;
  return reviews.map((review) => ({ ...review, country: countryOf(review) }));
}

/** Saves them, and edits each twice. */
async function saveEdited(context: TestContext, app: App): Promise<void> {
  const { database } = context;
  const { listingId } = app;
  for (const review of await saveReviews(database, app, someReviews(app.store))) {
    const edits = { listingId, reviewIds: [review.id] };
    await database.insertReviewVersions({ ...edits, now: at("14T00:00:00") });
    await database.updateReviews({ listingId, reviews: [{ ...review, rating: 3 }] });
    await database.insertReviewVersions({ ...edits, now: at("15T00:00:00.500") });
  }
}

async function anEditedApp(context: TestContext, store: App["store"]): Promise<App> {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId, store });
  await saveEdited(context, app);
  return app;
}

async function anEmptyApp(context: TestContext, { store, externalAppId }: App): Promise<App> {
  const { id: workspaceId } = await aWorkspace(context.database);
  return anApp(context.database, { workspaceId, store, externalAppId });
}

describe.each(["appstore", "googleplay"] as const)("reviews of %s", (store) => {
  test("an export names each field of a review", async () => {
    const app = await anEditedApp(from, store);
    const rows = await reviewsOf(from, app);
    const whole = rows.find(({ votes }) => votes === 3);
    const empty = Object.entries(whole ?? {}).filter(([, value]) => value === null || value === "");
    expect(empty.map(([name]) => name)).toEqual(
      store === "googleplay" ? ["title"] : ["languageHint"],
    );
    expect(whole?.versions).toHaveLength(2);
  });

  test.each([
    ["JSON Lines", (rows: ExportedReview[]) => aFile(rows)],
    [
      "CSV",
      (rows: ExportedReview[]) =>
        aFile([csvHeader, ...rows.map((row) => formatReviewLine(row, false))], "export.csv"),
    ],
  ])("an empty installation that takes them from %s exports the same", async (_, write) => {
    const app = await anEditedApp(from, store);
    const rows = await reviewsOf(from, app);
    const target = await anEmptyApp(to, app);
    const input = { appId: target.id, workspaceId: null, notify: false };
    const first = await importReviews(depsOf(to), { ...input, source: write(rows) });
    expect(first).toMatchObject({ inserted: 4, rejected: [] });
    expect(first.warnings).toBeUndefined();
    expect(await reviewsOf(to, target)).toEqual(rows);
    const again = await importReviews(depsOf(to), { ...input, source: write(rows) });
    expect(again).toMatchObject({ inserted: 0, updated: 0, unchanged: 4 });
    expect(await reviewsOf(to, target)).toEqual(rows);
  });
});

test("what can't be right in the history of a review is left out with a warning", async () => {
  const app = await anEditedApp(from, "appstore");
  const [row] = await reviewsOf(from, app);
  const target = await anEmptyApp(to, app);
  const wrong = { ...row, firstSeenAt: "yesterday" };
  const result = await importReviews(depsOf(to), {
    ...{ appId: target.id, workspaceId: null, notify: false, source: aFile([wrong]) },
  });
  expect(result).toMatchObject({
    inserted: 1,
    warnings: [{ reason: /^stored firstSeenAt must be a date/ }],
  });
  expect((await reviewsOf(to, target))[0]).toMatchObject({ text: row?.text, versions: [] });
});

async function anErasedReview() {
  const app = await anEditedApp(from, "appstore");
  const [row] = await reviewsOf(from, app);
  await eraseReview(depsOf(from), { appId: app.id, reviewId: row?.id ?? "" });
  return { app, row };
}

describe("an erasure travels with an export", () => {
  /** The store still shows it. */
  async function crawlAgain(target: App, row: ExportedReview | undefined): Promise<void> {
    const { listingId } = (await to.database.findApp(target)) ?? target;
    const listing = await to.database.findListing(listingId);
    if (!listing || !row) throw new Error("the listing or the review is missing");
    await depsOf(to).ingestReviews({
      ...{ listing, source: "store", notifyPolicy: { kind: "never" }, undatedAt: null },
      reviews: [{ ...aReview({}), storeReviewId: row.storeId, text: row.text, rating: row.rating }],
    });
  }

  const files = {
    "JSON Lines": (rows: ExportedReview[]) => aFile(rows),
    CSV: (rows: ExportedReview[]) =>
      aFile([csvHeader, ...rows.map((one) => formatReviewLine(one, false))], "export.csv"),
  };

  test.each(Object.entries(files))(
    "written as %s, and its stars stay counted",
    async (_, write) => {
      const { app, row } = await anErasedReview();
      const rows = await reviewsOf(from, app);
      const target = await anEmptyApp(to, app);
      const input = { appId: target.id, workspaceId: null, notify: false };
      const result = await importReviews(depsOf(to), { ...input, source: write(rows) });
      expect(result).toMatchObject({ inserted: 4, rejected: [] });
      await crawlAgain(target, row);
      expect(await reviewsOf(to, target)).toEqual(rows);
      const again = await importReviews(depsOf(to), { ...input, source: write(rows) });
      expect(again).toMatchObject({ inserted: 0, rejected: [] });
      expect(await reviewsOf(to, target)).toEqual(rows);
    },
  );

  test("and erases what the other installation has of the review", async () => {
    const app = await anEditedApp(from, "appstore");
    const before = await reviewsOf(from, app);
    const target = await anEmptyApp(to, app);
    const input = { appId: target.id, workspaceId: null, notify: false };
    await importReviews(depsOf(to), { ...input, source: aFile(before) });
    await eraseReview(depsOf(from), { appId: app.id, reviewId: before[0]?.id ?? "" });
    const rows = await reviewsOf(from, app);
    await importReviews(depsOf(to), { ...input, source: aFile(rows) });
    expect(await reviewsOf(to, target)).toEqual(rows);
  });

  test("and with that of a workspace, also when no row of the review is left", async () => {
    const { app, row } = await anErasedReview();
    const lines = await collect(exportWorkspace(depsOf(from), { id: app.workspaceId }));
    const left = JSON.parse(JSON.stringify(lines)).filter(
      ({ kind, id }: { kind: string; id?: string }) => kind !== "review" || id !== row?.id,
    );
    await importWorkspace(depsOf(to), { source: aFile(left) });
    await crawlAgain(app, row);
    expect((await reviewsOf(to, app)).map(({ id }) => id)).not.toContain(row?.id);
  });
});

async function saveRatings(context: TestContext, app: App): Promise<void> {
  const days = ["2026-11-19", "2026-11-20"].map((day) => ({ day }));
  await saveSnapshots(context.database, app, [...days, { region: "gb", histogram: null }]);
  await saveSnapshots(context.database, app, [{ region: "", day: "2026-11-18" }]);
  const averages = days.map(({ day }) => ({ region: "gb", day, average: 4.25 }));
  await context.database.saveRatingAverages({ listingId: app.listingId, averages });
}

test("ratings of storefronts, of the whole app and averages alone are the same afterwards", async () => {
  const app = await anEditedApp(from, "googleplay");
  await saveRatings(from, app);
  const rows = await collect(exportRatings(from.database, app));
  expect(rows.map(({ region, total }) => [region, total])).toEqual([
    ...[
      ["", 10],
      ["gb", null],
      ["gb", null],
    ],
    ...[
      ["gb", 10],
      ["us", 10],
      ["us", 10],
    ],
  ]);
  const target = await anEmptyApp(to, app);
  const input = { appId: target.id, workspaceId: null, source: aFile(rows) };
  expect(await importRatings(depsOf(to), input)).toMatchObject({ inserted: 6, rejected: [] });
  const { id, workspaceId } = target;
  const found = await to.database.findApp({ id, workspaceId });
  expect(await collect(exportRatings(to.database, found ?? target))).toEqual(rows);
});

describe("a workspace", () => {
  async function aWholeWorkspace() {
    const { database, clock } = from;
    const workspace = await aWorkspace(database);
    const workspaceId = workspace.id;
    const createdAt = clock.now();
    const id = (end: string) => `01938a3e-5c00-7000-8000-${end.padStart(12, "0")}`;
    const topic = { id: id("a"), workspaceId, name: "tides", phrases: ["whirlpool"], createdAt };
    await database.with(topicStatements).insertOwnTopic(topic);
    const stopped = {
      address: "ann@example.com",
      state: "unsubscribed",
      isOwnAnswer: true,
    } as const;
    await database.setEmailRecipient({ ...stopped, workspaceId, now: createdAt });
    for (const store of ["appstore", "googleplay"] as const) {
      const externalAppId = `com.example.${store}`;
      const app = await anApp(database, {
        workspaceId,
        store,
        externalAppId,
        iconUrl: "https://x.example/i.png",
      });
      await saveEdited(from, app);
      await saveRatings(from, app);
      const [review] = await reviewsOf(from, app);
      const place = { workspaceId, reviewId: review?.id ?? "" };
      const work = { tags: ["refund"], assigneeId: null, isDone: true, now: createdAt };
      await database.with(triage).saveReviewWork({ ...place, ...work });
      const note = { ...place, id: id(store === "appstore" ? "b" : "c"), createdAt };
      const author = { authorId: null, authorName: null };
      const text = "Asked for a refund.";
      await database.with(triage).insertReviewNote({ ...note, ...author, text, countMax: 10 });
      const view = {
        id: id(store === "appstore" ? "d" : "e"),
        name: store,
        query: `app=${app.id}`,
      };
      await database.saveView({ ...view, workspaceId, createdAt });
    }
    return workspace;
  }

  const linesOf = async (context: TestContext, id: string) => {
    const lines = await collect(exportWorkspace(context, { id }));
    // As they are in the file.
    return JSON.parse(JSON.stringify(lines)) as { kind: string }[];
  };

  test("an empty installation takes it back under the same ids, and exports the same but for what has secrets", async () => {
    const workspace = await aWholeWorkspace();
    // An export has the erasures of the whole installation.
    await anErasedReview();
    const lines = await linesOf(from, workspace.id);
    const result = await importWorkspace(depsOf(to), { source: aFile(lines) });
    expect(result).toEqual({
      id: workspace.id,
      imported: {
        unsubscribed: 1,
        erased: expect.any(Number),
        topic: 1,
        view: 2,
        app: 2,
        review: 8,
        rating: 12,
        reviewWork: 2,
        note: 2,
      },
      leftOut: {},
      rejected: [],
      rejectedCount: 0,
    });
    const comparable = (all: typeof lines) => all.filter(({ kind }) => kind !== "audit");
    expect(comparable(await linesOf(to, workspace.id))).toEqual(comparable(lines));
    await expect(importWorkspace(depsOf(to), { source: aFile(lines) })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("bad lines are rejected by their number, and the rest is kept", async () => {
    const workspace = { ...(await aWorkspace(from.database)), kind: "workspace" };
    const app = { ...(await anApp(from.database, { workspaceId: workspace.id })), kind: "app" };
    const review = { kind: "review", appId: app.id, id: "1", date: "2026-11-20" };
    const lines = [workspace, app, { ...review, rating: 9 }, { ...review, rating: 4 }, "{\n"];
    const unknown = [
      { ...review, rating: 4, appId: workspace.id },
      { kind: "__proto__" },
      { kind: "topic", name: "x" },
    ];
    const source = aFile([...lines, ...unknown]);
    expect(await importWorkspace(depsOf(to), { source })).toMatchObject({
      imported: { app: 1, review: 1 },
      rejected: [
        { line: 3, reason: "rating must be a whole number from 1 to 5" },
        { line: 5, reason: "the line is not a JSON object" },
        { line: 6, reason: "its app is not in the file" },
        { line: 7, reason: "the line is of no kind that an export has" },
        { line: 8, reason: expect.stringContaining("phrases") },
      ],
    });
  });

  test("ids that are taken, and ids of apps that are none, are rejected with their lines", async () => {
    const workspace = { ...(await aWorkspace(from.database)), kind: "workspace" };
    const app = { ...(await anApp(from.database, { workspaceId: workspace.id })), kind: "app" };
    const createdAt = "2026-11-20T08:00:00Z";
    const topic = { kind: "topic", id: uuidV7(new Date()), name: "x", phrases: ["some words"] };
    const lines = [app, { ...topic, createdAt }];
    const first = await importWorkspace(depsOf(to), { source: aFile([workspace, ...lines]) });
    expect(first).toMatchObject({ imported: { app: 1, topic: 1 }, rejected: [] });
    const other = { ...(await aWorkspace(from.database)), kind: "workspace" };
    const path = { ...app, id: uuidV7(new Date()), externalAppId: "../../x" };
    const again = await importWorkspace(depsOf(to), { source: aFile([other, ...lines, path]) });
    expect(again).toMatchObject({
      imported: {},
      rejected: [
        { line: 2, reason: expect.stringContaining("already") },
        { line: 3, reason: expect.stringContaining("already") },
        { line: 4, reason: expect.stringContaining("externalAppId") },
      ],
    });
  });

  test("another file is refused", async () => {
    const source = aFile([{ id: "1", rating: 4, date: "2026-11-20" }]);
    await expect(importWorkspace(depsOf(to), { source })).rejects.toThrow(
      /first line is not a workspace/,
    );
  });
});
