// Files that other libraries, products and Starpost itself write, imported without naming their columns.
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { csvHeader, formatReviewLine } from "../exports/commands.ts";
import { type ExportedReview, exportReviews } from "../exports/export-reviews.ts";
import type { ImportResult } from "./import-result.ts";
import { importReviews } from "./import-reviews.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

async function aPrivateApp(store: StoreId = "appstore", externalAppId?: string): Promise<App> {
  const { id: workspaceId } = await aWorkspace(context.database);
  const listing = { store, isPrivate: true, ...(externalAppId && { externalAppId }) };
  return anApp(context.database, { workspaceId, ...listing });
}

function importFile(
  app: App,
  content: string,
  more: {
    name?: string;
    timeZone?: string;
    isTrial?: boolean;
    columnNames?: Record<string, string>;
  } = {},
): Promise<ImportResult> {
  const { name = "reviews.json", columnNames = {}, ...options } = more;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(content);
  }
  const source = { name, chunks: chunks(), columnNames };
  const target = { appId: app.id, workspaceId: null, source, notify: false, ...options };
  return importReviews({ ...context, ingestReviews: createIngest(context) }, target);
}

async function exported(app: App): Promise<ExportedReview[]> {
  const reviews: ExportedReview[] = [];
  const query = { appId: app.id, workspaceId: null };
  for await (const batch of exportReviews(context.database, query)) reviews.push(...batch);
  return reviews;
}

const ownFormats: [string, (reviews: readonly ExportedReview[]) => string][] = [
  ["reviews.jsonl", (reviews) => reviews.map((review) => JSON.stringify(review)).join("\n")],
  ["reviews.json", (reviews) => JSON.stringify(reviews, null, 2)],
  [
    "reviews.csv",
    (reviews) => csvHeader + reviews.map((review) => formatReviewLine(review, false)).join(""),
  ],
];

test.each(ownFormats)("an own export as %s changes nothing in its app", async (name, format) => {
  for (const store of ["appstore", "googleplay"] as const) {
    const app = await aPrivateApp(store);
    const reply = { text: "- Thanks!", at: new Date("2026-11-02T10:00:00Z") };
    await saveReviews(context.database, app, [
      aReview({ storeReviewId: "900", text: "- slow\n- loud", title: null, reply }),
      aReview({ storeReviewId: "901", text: "'=1+1", title: null }),
    ]);
    const before = await exported(app);
    expect(await importFile(app, format(before), { name })).toMatchObject({
      ...{ inserted: 0, updated: 0, unchanged: 2, rejectedCount: 0 },
    });
    expect(await exported(app)).toEqual(before);
    const copy = await aPrivateApp(store, app.externalAppId);
    await importFile(copy, format(before), { name });
    const comparable = (reviews: ExportedReview[]) =>
      reviews
        .map(({ storeId, text, rating, date, country, replyText }) => ({
          ...{ storeId, text, rating, date, replyText },
          // On Google Play it is the language that was found in the text.
          country: store === "appstore" ? country : null,
        }))
        .sort((one, other) => one.storeId.localeCompare(other.storeId));
    expect(comparable(await exported(copy))).toEqual(comparable(before));
  }
});

const expectedReview = {
  storeId: "9001",
  author: "Plover",
  rating: 2,
  text: "Slow since the update.",
  version: "1.4",
  date: "2026-11-20T09:12:00Z",
  replyText: "Sorry.",
  replyDate: "2026-11-21T08:00:00Z",
};

const connectPage = {
  data: [
    {
      type: "customerReviews",
      id: "9001",
      attributes: {
        rating: 2,
        title: "Slow",
        body: expectedReview.text,
        reviewerNickname: "Plover",
        createdDate: "2026-11-20T01:12:00-08:00",
        territory: "GBR",
      },
      relationships: { response: { data: { type: "customerReviewResponses", id: "p" } } },
    },
  ],
  included: [
    {
      type: "customerReviewResponses",
      id: "p",
      attributes: { responseBody: "Sorry.", lastModifiedDate: "2026-11-21T00:00:00-08:00" },
    },
  ],
};

test.each<[string, unknown, Record<string, unknown>]>([
  [
    "google-play-scraper",
    [
      {
        ...{ id: "9001", userName: "Plover", score: 2, text: expectedReview.text, title: null },
        ...{ date: "2026-11-20T09:12:00.000Z", version: "1.4", scoreText: "2" },
        ...{ replyText: "Sorry.", replyDate: "2026-11-21T08:00:00.000Z" },
      },
    ],
    expectedReview,
  ],
  [
    "google-play-scraper of Python, in its local time",
    [
      {
        ...{ reviewId: "9001", userName: "Plover", score: 2, content: expectedReview.text },
        ...{ at: "2026-11-20 10:12:00", appVersion: "1.4", reviewCreatedVersion: "1.4" },
        ...{ replyContent: "Sorry.", repliedAt: "2026-11-21 09:00:00" },
      },
    ],
    expectedReview,
  ],
  [
    "app-store-scraper",
    [
      {
        ...{ id: "9001", userName: "Plover", score: 2, title: "Slow", text: expectedReview.text },
        ...{ updated: "2026-11-20T02:12:00-07:00", version: "1.4", url: "https://store.example" },
      },
    ],
    { ...expectedReview, title: "Slow", replyText: null, replyDate: null },
  ],
  [
    "Appfigures",
    {
      total: 1,
      reviews: [
        {
          ...{ id: "9001", author: "Plover", stars: "2.00", title: "Slow", iso: "GB" },
          ...{ review: expectedReview.text, version: "1.4", date: "2026-11-20T10:12:00" },
        },
      ],
    },
    { ...expectedReview, title: "Slow", country: "gb", replyText: null, replyDate: null },
  ],
  [
    "the App Store Connect API",
    connectPage,
    { ...expectedReview, title: "Slow", country: "gb", version: "" },
  ],
])("reviews of %s are read without naming columns", async (_, document, expected) => {
  const app = await aPrivateApp();
  const options = { timeZone: "Europe/Berlin" };
  const content = JSON.stringify(document);
  expect(await importFile(app, content, options)).toMatchObject({ inserted: 1, rejectedCount: 0 });
  expect(await exported(app)).toMatchObject([expected]);
});

test("the columns of a Python library's CSV need no names, and semicolons separate them", async () => {
  const app = await aPrivateApp("googleplay");
  const csv = "reviewId;userName;content;score;at\nr1;Plover;Fine;5;2026-11-20 10:12:00\n";
  const options = { name: "reviews.csv", timeZone: "America/New_York" };
  expect(await importFile(app, csv, options)).toMatchObject({ inserted: 1, rejectedCount: 0 });
  expect(await exported(app)).toMatchObject([{ storeId: "r1", date: "2026-11-20T15:12:00Z" }]);
});

test("a value that can't be right is left out with a warning, and the review is kept", async () => {
  const app = await aPrivateApp();
  const row = { id: "r1", rating: 4, date: "2026-11-20", text: "Fine.", country: "Atlantis" };
  const result = await importFile(app, JSON.stringify([row]));
  expect(result).toMatchObject({ inserted: 1, rejectedCount: 0, warningCount: 1 });
  expect(result.warnings).toEqual([
    { line: 1, reason: "country must be a country such as us, USA or United States" },
  ]);
});

test("a trial run counts as the import does, shows three reviews and saves nothing", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId });
  await saveReviews(context.database, app, [aReview({ storeReviewId: "r0", rating: 1 })]);
  const rows = [0, 1, 2, 3].map((at) => ({ id: `r${at}`, rating: 4, date: "2026-11-22" }));
  const content = JSON.stringify([...rows, { id: "r9", rating: 9 }]);
  const trial = await importFile(app, content, { isTrial: true });
  expect(trial).toMatchObject({ inserted: 3, updated: 1, rejectedCount: 1 });
  expect(trial.samples?.map(({ storeReviewId }) => storeReviewId)).toEqual(["r0", "r1", "r2"]);
  expect(await exported(app)).toMatchObject([{ storeId: "r0", rating: 1 }]);
  const [same] = await context.database.listApps({ workspaceId });
  expect(same?.listingId).toBe(app.listingId);
  expect(await importFile(app, content)).toMatchObject({ inserted: 3, updated: 1 });
});

test("a time zone that does not exist is refused", async () => {
  const importing = importFile(await aPrivateApp(), "[]", { timeZone: "Europe/Atlantis" });
  await expect(importing).rejects.toMatchObject({ fields: [{ field: "timeZone" }] });
});

test("numbers are ids and versions, too", async () => {
  const app = await aPrivateApp();
  const review = { rating: 4, date: 1_790_000_000_000, version: 2.1 };
  const rows = [
    { ...review, id: 11_976_054_321 },
    { ...review, id: "11976054322.0" },
  ];
  await importFile(app, JSON.stringify(rows));
  const expected = { version: "2.1", date: "2026-09-21T14:13:20Z" };
  expect(
    (await exported(app)).sort((one, other) => (one.storeId < other.storeId ? -1 : 1)),
  ).toMatchObject([
    { ...expected, storeId: "11976054321" },
    { ...expected, storeId: "11976054322" },
  ]);
});

test("words for nothing are empty, with one warning for each column and word", async () => {
  const app = await aPrivateApp("googleplay");
  const csv = `reviewId,userName,content,score,at,appVersion,replyContent,repliedAt
a,Ann,Works well,4,2026-10-01,None,None,None
b,Bo,nan,5,2026-10-01,nan,nan,NaT
c,Nan,NA,5,2026-10-01,2.0,,
d,Cy,Fine,5,2026-10-01,NULL,\\N,NULL
e,Di,Fine,5,2026-10-01,NULL,\\N,NULL
`;
  const result = await importFile(app, csv, { name: "reviews.csv" });
  expect(result).toMatchObject({ inserted: 5, rejectedCount: 0, warningCount: 3 });
  expect(result.warnings?.[0]?.reason).toContain("appVersion: None is read as empty");
  const found = (await exported(app)).sort((one, other) => (one.storeId < other.storeId ? -1 : 1));
  expect(found.map(({ text, version, replyText }) => [text, version, replyText])).toEqual([
    ["Works well", "", null],
    ["", "", null],
    // No other cell of the row has such a word.
    ["NA", "2.0", null],
    ["Fine", "", null],
    ["Fine", "", null],
  ]);
});

test.each([
  ...["undefined", "none", "n/a", "N/A", "Null", "nil", "(null)", "[NULL]", "<null>", "#NULL!"],
  ...["#N/A", "<NA>", "-", "--", "NaT"],
])("%s is no version, reply and date of one", async (word) => {
  const app = await aPrivateApp("googleplay");
  const row = { reviewId: "a", score: 4, at: "2026-10-01", content: "Works" };
  const worded = { ...row, appVersion: word, replyContent: word, repliedAt: word };
  await importFile(app, JSON.stringify([worded]));
  expect(await exported(app)).toMatchObject([{ version: "", replyText: null, replyDate: null }]);
});

test.each([
  [
    "by columns, as pandas writes them",
    { reviewId: { 0: "r1" }, score: { 0: 4 }, at: { 0: 1.79e9 } },
  ],
  ["by the index", { 0: { reviewId: "r1", score: 4, at: 1.79e9 } }],
  [
    "with their ids outside, as Elasticsearch has them",
    { hits: { hits: [{ _id: "r1", _source: { score: 4, at: 1.79e9 } }] } },
  ],
])("reviews %s are read", async (_, document) => {
  const app = await aPrivateApp("googleplay");
  expect(await importFile(app, JSON.stringify(document))).toMatchObject({ inserted: 1 });
  expect(await exported(app)).toMatchObject([
    { storeId: "r1", rating: 4, date: "2026-09-21T14:13:20Z" },
  ]);
});

test.each(["json", "csv"])("a title alone is the text on Google Play, in %s", async (format) => {
  const rows = [
    { id: "t1", title: "Stopped after 3.2", text: "", rating: "1.00", date: "2015-10-13" },
    { id: "t2", title: "Terrible drain", text: "Uninstalled.", rating: "1.00", date: "2015-10-13" },
  ];
  const csv = ["id,title,text,rating,date", ...rows.map((row) => Object.values(row).join(","))];
  const app = await aPrivateApp("googleplay");
  const content = format === "json" ? JSON.stringify(rows) : csv.join("\n");
  expect(await importFile(app, content, { name: `reviews.${format}` })).toMatchObject({
    inserted: 2,
  });
  expect((await exported(app)).map(({ title, text }) => [title, text]).sort()).toEqual([
    [null, "Stopped after 3.2"],
    [null, "Uninstalled."],
  ]);
});

test("a file without needed columns is refused with its columns and a command that works", async () => {
  const app = await aPrivateApp();
  const csv = "Ticket number,Stars given,Posted on,Comment\n1,4,2026-11-20,Fine\n";
  const refused = importFile(app, csv, { name: "reviews.csv" });
  await expect(refused).rejects.toThrow(
    'lacks the column id, rating, date; it has Ticket number, Stars given, Posted on, Comment. Name them: --columns "id=Ticket number,rating=Stars given,date=Posted on"',
  );
});

test("the user names fields of JSON, and the first row that lacks some says how", async () => {
  const row = { nr: 17, points: 4, when: "2026-11-20", what: { words: "Fine." } };
  const columnNames = { id: "nr", rating: "points", date: "when", text: "what.words" };
  const app = await aPrivateApp();
  const result = await importFile(app, JSON.stringify([row, row]));
  expect(result.rejected.map(({ reason }) => reason.includes("--columns"))).toEqual([true, false]);
  expect(await importFile(app, JSON.stringify([row]), { columnNames })).toMatchObject({
    inserted: 1,
  });
  expect(await exported(app)).toMatchObject([{ storeId: "17", rating: 4, text: "Fine." }]);
});
