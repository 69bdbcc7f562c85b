// Files that were once read wrongly, without a word: each with its right result.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, saveChannel } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { type ExportedReview, exportReviews } from "../exports/export-reviews.ts";
import type { ImportResult } from "./import-result.ts";
import { importReviews } from "./import-reviews.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

async function openApp(store: StoreId = "googleplay", externalAppId = "com.example.notes") {
  const { id: workspaceId } = await aWorkspace(context.database);
  await saveChannel(context.database, { workspaceId });
  const listing = { store, externalAppId, isPrivate: true };
  const app: App = await anApp(context.database, { workspaceId, ...listing });
  const importFile = (
    content: string,
    more: {
      name?: string;
      makesIds?: boolean;
      isOneApp?: boolean;
      isTrial?: boolean;
      only?: { column: string; value: string };
      columnNames?: Record<string, string>;
    } = {},
  ): Promise<ImportResult> => {
    const { name = "reviews.csv", columnNames = {}, ...options } = more;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(content);
    }
    const source = { name, chunks: chunks(), columnNames };
    const target = { appId: app.id, workspaceId: null, source, notify: true, ...options };
    return importReviews({ ...context, ingestReviews: createIngest(context) }, target);
  };
  const exported = async (): Promise<ExportedReview[]> => {
    const reviews: ExportedReview[] = [];
    const query = { appId: app.id, workspaceId: null };
    for await (const batch of exportReviews(context.database, query)) reviews.push(...batch);
    return reviews;
  };
  return { importFile, exported };
}

test("the same words on one day are several people's, and the file again changes nothing", async () => {
  const { importFile, exported } = await openApp();
  const file = `stars,title,body,date,version
5,"","good",2026-05-23,18.9.0
1,"","good",2026-05-23,18.8.1
5,"","good",2026-05-23,18.9.0
3,"","nice app",2026-05-23,18.9.0
`;
  const options = { makesIds: true };
  expect(await importFile(file, options)).toMatchObject({ inserted: 4, updated: 0, queued: 4 });
  const again = { inserted: 0, updated: 0, unchanged: 4, queued: 0 };
  expect(await importFile(file, options)).toMatchObject(again);
  const asJson = JSON.stringify(
    [
      ["good", 1],
      ["nice app", 3],
      ["good", 5],
    ].map(([body, stars]) => ({ body, stars, date: "2026-05-23T00:00:00.000Z" })),
  );
  const json = { ...options, name: "reviews.json" };
  expect(await importFile(asJson, json)).toMatchObject({ ...again, unchanged: 3 });
  expect((await exported()).map(({ versions }) => versions)).toEqual([[], [], [], []]);
});

test("of two rows with one id and one date, one is the later in each import", async () => {
  const rows = ["5,Great,2026-10-13 09:15:00", "1,Great,2026-10-13 09:15:00"];
  for (const lines of [rows, rows.toReversed()]) {
    const { importFile, exported } = await openApp();
    const file = `reviewId,score,content,at\n${lines.map((line) => `r1,${line}\n`).join("")}`;
    const changedCount = (result: ImportResult) => result.updated + (result.earlierVersions ?? 0);
    const first = await importFile(file);
    expect([first.inserted, changedCount(first)]).toEqual([1, 1]);
    for (const _time of ["again", "and again"]) {
      const result = await importFile(file);
      expect(result).toMatchObject({ inserted: 0, updated: 0, unchanged: 2, queued: 0 });
      expect(changedCount(result)).toBe(0);
    }
    expect(await exported()).toMatchObject([{ rating: 1, versions: [{ rating: 5 }] }]);
  }
});

const serpApi = {
  search_parameters: { engine: "google_play_product", product_id: "com.example.notes" },
  reviews: [
    {
      ...{ id: "p1", title: "Reader Aye", rating: 1, snippet: "Closes when I open the map" },
      ...{ likes: 12, date: "October 13, 2026", iso_date: "2026-10-13T09:15:00Z" },
      response: {
        ...{ title: "Example Ltd", snippet: "We are on it.", date: "October 14, 2026" },
        iso_date: "2026-10-14T08:00:00Z",
      },
    },
    {
      ...{ id: "p2", title: "Reader Bee", rating: 5, snippet: "I use it every day", likes: 0 },
      ...{ date: "October 12, 2026", iso_date: "2026-10-12T09:15:00Z" },
    },
  ],
};

test.each([{}, { date: "iso_date" }])(
  "the title of SerpApi is a name, with --columns %j",
  async (columnNames) => {
    const { importFile, exported } = await openApp();
    const options = { name: "reviews.json", columnNames };
    expect(await importFile(JSON.stringify(serpApi), options)).toMatchObject({ inserted: 2 });
    const found = await exported();
    expect(found.toSorted((one, other) => one.rating - other.rating)).toMatchObject([
      {
        ...{ text: "Closes when I open the map", author: "Reader Aye", votes: 12 },
        ...{ replyText: "We are on it.", replyDate: "2026-10-14T08:00:00Z" },
      },
      { text: "I use it every day", author: "Reader Bee", replyText: null, votes: 0 },
    ]);
  },
);

test("a lone title is not the text where another column has words", async () => {
  const { importFile, exported } = await openApp();
  const row = { id: "1", score: 4, date: "2026-10-03", title: "Reader Aye" };
  const file = JSON.stringify([
    { ...row, caption: "Closes when I open the map" },
    { ...row, id: "2", title: "Solid", link: "https://example.com/a b" },
  ]);
  const result = await importFile(file, { name: "reviews.json" });
  expect(result).toMatchObject({ inserted: 2, warningCount: 1 });
  expect(result.warnings?.[0]?.reason).toContain('--columns "text=caption"');
  expect((await exported()).map(({ text }) => text).toSorted()).toEqual(["", "Solid"]);
});

const banks = `review_id,review_text,rating,review_date,bank_name,source
1,Pays quickly,5,2026-10-13,Tide Bank,Google Play
2,Closes at the start,1,2026-10-13,Harbour Bank,Google Play
3,Fine,4,2026-10-12,Tide Bank,Google Play
`;

test("a column that divides the rows may be the app: the import stops and asks", async () => {
  const { importFile, exported } = await openApp();
  const trial = await importFile(banks, { isTrial: true });
  expect(trial.inserted).toBe(3);
  const open = await importFile(banks);
  expect(open).toMatchObject({ inserted: 0, stopped: { reason: expect.any(String) } });
  expect(open.reading?.questions).toEqual(trial.reading?.questions);
  expect(open.reading?.notRead).toEqual([{ column: "bank_name", values: 2 }]);
  expect(open.stopped?.reason).toContain("bank_name has 2 values (Tide Bank, Harbour Bank)");
  expect(open.stopped?.reason).toContain('--only "bank_name=Tide Bank"');
  expect(open.stopped?.reason).toContain('--columns "id=review_id"');
  expect(await exported()).toEqual([]);
  const only = { column: "bank_name", value: "Tide Bank" };
  const columnNames = { id: "review_id" };
  expect(await importFile(banks, { only, columnNames })).toMatchObject({ inserted: 2, skipped: 1 });
  const all = await importFile(banks, { isOneApp: true, makesIds: true });
  expect(all).toMatchObject({ inserted: 3, reading: { madeIds: 3 } });
  expect((await exported()).map(({ storeId }) => storeId.slice(0, 5)).toSorted()).toEqual([
    ...["1", "3", "made-", "made-", "made-"],
  ]);
});

test.each([
  ["sentiment", ["positive", "negative", "positive"]],
  ["is_edited", ["true", "false", "true"]],
  ["handled", ["yes", "no", "yes"]],
  ["flag", ["US", "DE", "US"]],
  ["device model", ["Pixel 7", "Pixel 8", "Pixel 7"]],
  ["ticket", ["One", "Two", "Three"]],
  ["points", ["1", "2", "1"]],
])("the column %s is not taken for the app", async (column, values) => {
  const { importFile } = await openApp();
  const rows = values.map((value, at) => `r${at},4,2026-10-1${at},${value}`);
  const result = await importFile(`id,rating,date,${column}\n${rows.join("\n")}\n`);
  expect(result).toMatchObject({ inserted: 3, reading: { questions: [] } });
  expect(result.reading?.notRead.map((one) => one.column)).toEqual([column]);
});

test("columns with other names divide the rows, too", async () => {
  const { importFile } = await openApp();
  for (const [column, one, other] of [
    ["bank", "CBE", "Dashen"],
    ["brand", "Tide", "Harbour"],
    ["game_title_en", "Word Tides", "Sea Lanes"],
  ]) {
    const rows = [one, other, one].map((value, at) => `r${at},4,2026-10-1${at},${value}`);
    const file = `review_id,rating,date,${column}\n${rows.join("\n")}\n`;
    expect((await importFile(file)).stopped?.reason).toContain(`--only "${column}=${one}"`);
  }
});

test.each([
  ["in one line", undefined],
  ["in several lines", 1],
])("the reviews of a page %s have their numbers", async (_, indent) => {
  const { importFile } = await openApp();
  const review = (id: string, more: object = {}) => ({
    ...{ reviewId: id, score: 4, text: "Fine", date: "2026-10-13T09:15:00Z", ...more },
  });
  const bad = [review("c", { score: 9 }), review("d", { date: "13.10.2026" })];
  const page = { reviews: [review("a"), review("b"), ...bad, review("e")], next: null };
  const result = await importFile(JSON.stringify(page, null, indent), { name: "page.json" });
  expect(result).toMatchObject({ inserted: 3, rejectedCount: 2 });
  expect(result.rejected.map(({ line }) => line)).toEqual([3, 4]);
});

test("pages in the lines of a file name the line and the review", async () => {
  const { importFile } = await openApp();
  const review = { reviewId: "a", score: 4, date: "2026-10-13" };
  const page = JSON.stringify({ reviews: [review, { ...review, score: 9 }] });
  const result = await importFile(`${page}\n${page}\n`, { name: "pages.jsonl" });
  expect(result.rejected.map(({ line, reason }) => `${line} ${reason.slice(0, 9)}`)).toEqual([
    "1 review 2:",
    "2 review 2:",
  ]);
});

test("a proposed id is not the number of a row, an app or a person", async () => {
  const { importFile } = await openApp();
  const header = "position,row_number,user_id,app_id,score,at";
  const refused = importFile(`${header}\n1,1,77,com.example.notes,4,2026-10-13\n`);
  await expect(refused).rejects.toThrow('--columns "id=COLUMN", or --make-ids');
});

test("a refused file without ids says how many of its rows are alike", async () => {
  const { importFile } = await openApp();
  const rows = ["good", "good", "nice"].map((text) => `4,2026-10-13,${text}`);
  await expect(importFile(`score,at,content\n${rows.join("\n")}\n`)).rejects.toThrow(
    "or --make-ids where it has no ids, 1 of 3 rows have the author, date, words and stars of another row",
  );
});

test("made ids of a file do not depend on the order of its rows", async () => {
  const { importFile, exported } = await openApp();
  const rows = ["good,18.1,0", "good,18.2,3", "good,18.2,3", "fine,18.2,1"].map(
    (row) => `5,2026-10-13,${row}`,
  );
  const file = (lines: string[]) => `score,at,content,version,votes\n${lines.join("\n")}\n`;
  expect(await importFile(file(rows), { makesIds: true })).toMatchObject({ inserted: 4 });
  const before = await exported();
  const again = await importFile(file(rows.toReversed()), { makesIds: true });
  expect(again).toMatchObject({ unchanged: 4, updated: 0, reading: { madeIds: 4, alike: 2 } });
  expect(again.reading?.questions.map(({ kind }) => kind)).toEqual(["alike"]);
  expect(await exported()).toEqual(before);
});

test("a file whose ids an earlier version made is known", async () => {
  const { importFile, exported } = await openApp();
  const review = { author: "Ann", date: "2026-10-13", text: "good" };
  const cells = JSON.stringify([review.author, review.date, review.text]);
  const hash = createHash("sha256").update(cells).digest("hex").slice(0, 32);
  const stored = JSON.stringify([{ ...review, id: `made-${hash}`, rating: 1 }]);
  await importFile(stored, { name: "stored.json" });
  // Under the earlier id the row with one star had replaced the other.
  const rows = JSON.stringify([5, 1].map((rating) => ({ ...review, rating })));
  const options = { name: "reviews.json", makesIds: true };
  expect(await importFile(rows, options)).toMatchObject({ inserted: 1, updated: 0, unchanged: 1 });
  expect(await importFile(rows, options)).toMatchObject({ inserted: 0, unchanged: 2 });
  expect((await exported()).map(({ rating, versions }) => [rating, versions])).toEqual(
    expect.arrayContaining([
      [5, []],
      [1, []],
    ]),
  );
});

test("an older collection of an unchanged review takes no votes away", async () => {
  const { importFile, exported } = await openApp();
  const file = (votes: number) => `id,rating,date,votes\nr1,4,2026-10-13,${votes}\n`;
  for (const votes of [74, 24]) await importFile(file(votes));
  expect(await exported()).toMatchObject([{ votes: 74 }]);
});

test("decimal commas are read, unknown versions are none, and a word in two columns stays", async () => {
  const { importFile, exported } = await openApp();
  const file = `id;rating;date;text;version;text_clean
r1;4,0;2026-10-13;none;Unknown;none
r2;4,5;2026-10-13;Fine;2.0;fine
`;
  const result = await importFile(file);
  expect(result).toMatchObject({ inserted: 1, rejectedCount: 1 });
  expect(result.reading?.emptied).toEqual([{ cell: "version: Unknown", rows: 1 }]);
  expect(await exported()).toMatchObject([{ rating: 4, text: "none", version: "" }]);
});
