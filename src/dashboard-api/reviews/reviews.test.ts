// The feed over the real service: filters, words, pages, history, evidence, and the export as a stream.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import { feedExport } from "../../features/exports/feed-export.ts";
import { streamExport } from "../../features/exports/routes.ts";
import { dayMs } from "../../lib/timestamp.ts";

let world: DashboardFixture;
let browser: DashboardClient;
let base: string;
let app: App;
let saved: Review[];
const newest = new Date("2026-11-20T10:00:00Z");
const reviewCount = 250;

beforeAll(async () => {
  world = await openDashboardFixture();
  browser = await world.signIn({ email: "reader@example.com" });
  const { workspaceId, deps } = world.service;
  base = `/workspaces/${workspaceId}`;
  app = await anApp(deps.database, { workspaceId });
  saved = await saveReviews(
    deps.database,
    app,
    Array.from({ length: reviewCount }, (_, index) =>
      aReview({
        date: new Date(newest.getTime() - index * dayMs),
        rating: (index % 5) + 1,
        sentiment: index % 2 === 0 ? "negative" : "positive",
        topics: index % 10 === 0 ? ["crash"] : [],
        text: index % 10 === 0 ? "It keeps crashing on the pier." : "A calm evening, Überfahrt 9%.",
        version: index < 100 ? "2.0" : "1.0",
        editedAt: index === 7 ? newest : null,
      }),
    ),
  );
});
afterAll(() => world.close());

const feed = async (query: string) => (await browser.get(`${base}/reviews?${query}`)).json;

/** All pages of a list, and how many there were. */
async function walk(query: string): Promise<{ ids: string[]; searched: number }> {
  const ids: string[] = [];
  let searched = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await feed(`${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    ids.push(...page.reviews.map((review: { id: string }) => review.id));
    searched += page.searchedCount ?? 0;
    cursor = page.nextCursor;
  }
  return { ids, searched };
}

describe("the feed", () => {
  test("walks every review once, newest first", async () => {
    const { ids } = await walk("limit=40");
    expect(ids).toEqual(saved.map(({ id }) => id));
  });

  test.each([
    ["rating=2", (_: Review, index: number) => index % 5 === 1],
    ["sentiment=negative", (_: Review, index: number) => index % 2 === 0],
    ["topic=crash", (_: Review, index: number) => index % 10 === 0],
    [
      "from=2026-11-01&to=2026-11-10",
      (review: Review) => /2026-11-(0[1-9]|10)/.test(review.date.toISOString()),
    ],
    ["range=999d&rating=2", (_: Review, index: number) => index % 5 === 1],
    ["version=1.0", (review: Review) => review.version === "1.0"],
    ["version=1.0&rating=1", (review: Review) => review.version === "1.0" && review.rating === 1],
    ["edited=true", (review: Review) => review.editedAt !== null],
    ["q=CRASHING", (review: Review) => review.text.includes("crashing")],
    ["q=%C3%BCberfahrt", (review: Review) => review.text.includes("Überfahrt")],
    ["q=9%25", (review: Review) => review.text.includes("9%")],
    ["q=pier&sentiment=negative&topic=crash", (review: Review) => review.text.includes("pier")],
    ["q=_____x", () => false],
  ])("with %s holds what matches and nothing else", async (query, matches) => {
    const { ids } = await walk(`${query}&limit=20`);
    expect(ids).toEqual(saved.filter(matches).map(({ id }) => id));
  });

  test.each(["", "rating=1", "topic=crash", "version=1.0&sentiment=negative", "q=pier"])(
    "by day has the reviews of the list: %s",
    async (query) => {
      const { ids } = await walk(`${query}&limit=100`);
      const { days } = (await browser.get(`${base}/reviews/days?${query}`)).json;
      const listed = saved.filter(({ id }) => ids.includes(id)).toReversed();
      // There is one review on each day.
      expect(days).toEqual(
        listed.map(({ date, rating, analysis }) => ({
          day: date.toISOString().slice(0, 10),
          count: 1,
          stars: rating,
          negative: analysis?.sentiment?.label === "negative" ? 1 : 0,
        })),
      );
    },
  );

  test("says how many it looked through when words are searched", async () => {
    expect((await walk("q=nothing+has+this")).searched).toBe(reviewCount);
    expect((await feed("limit=1")).searchedCount).toBeNull();
  });

  test("shows the words that speak of a topic", async () => {
    const [review] = (await feed("topic=crash&limit=1")).reviews;
    expect(review.topics).toEqual([{ name: "crash", evidence: ["crashing"], score: null }]);
    expect(review).toMatchObject({
      appId: app.id,
      sentiment: { label: "negative" },
      language: "en",
    });
  });

  test.each([
    ["rating=6", "rating"],
    ["from=2026-02-30", "from"],
    ["from=2026-02-02&to=2026-02-01", "from"],
    ["range=0d", "range"],
    ["range=7d&from=2026-02-02", "range"],
    ["q=x", "q"],
    ["app=1", "app"],
    ["colour=red", "colour"],
    ["limit=5&limit=6", "limit"],
  ])("refuses %s by its name", async (query, field) => {
    const response = await browser.get(`${base}/reviews?${query}`);
    expect(response.status).toBe(400);
    expect(response.json.fields[0].field).toBe(field);
  });

  test("takes no cursor of another list", async () => {
    const { nextCursor } = await feed("limit=5");
    const response = await browser.get(`${base}/reviews?rating=1&cursor=${nextCursor}`);
    expect([response.status, response.json.code]).toEqual([400, "invalid_cursor"]);
  });
});

test("a review has its versions from before its edits", async () => {
  const { database } = world.service.deps;
  const [before] = saved;
  if (!before) throw new Error("no review");
  const { listingId } = app;
  await database.transaction((tx) =>
    tx.insertReviewVersions({ listingId, reviewIds: [before.id], now: newest }),
  );
  const response = await browser.get(`${base}/apps/${app.id}/reviews/${before.id}`);
  expect(response.json.review.id).toBe(before.id);
  expect(response.json.versions).toMatchObject([
    { number: 1, text: before.text, rating: before.rating, replacedAt: "2026-11-20T10:00:00Z" },
  ]);
  expect((await browser.get(`${base}/apps/${app.id}/reviews/${app.id}`)).status).toBe(404);
});

describe("the summary", () => {
  const summary = async (query: string) =>
    (await browser.get(`${base}/reviews/summary?${query}`)).json;

  test("counts what matches, and what each choice would leave beside the other filters", async () => {
    const { total, averageRating, topics, facets, newestOnly } = await summary("rating=1,2");
    expect({ total, averageRating, newestOnly }).toEqual({
      total: 100,
      averageRating: 1.5,
      newestOnly: null,
    });
    expect(topics).toEqual([{ value: "crash", count: 25 }]);
    expect(facets.rating).toHaveLength(5);
    expect(facets.sentiment).toEqual([
      { value: "negative", count: 50 },
      { value: "positive", count: 50 },
    ]);
    expect(facets.country).toEqual([{ value: "us", count: 100 }]);
    const crashes = await summary("topic=crash");
    expect(crashes.facets.rating).toEqual([{ value: "1", count: 25 }]);
  });

  test("its total is the number of reviews in the list, for every filter", async () => {
    for (const query of [
      ...["", "rating=3", "rating=1,5", "sentiment=negative", "topic=crash", "version=1.0"],
      ...["q=pier", "edited=true", "hasReply=false", "hasReply=true", "country=us"],
      ...[
        "country=de",
        "language=en&rating=2",
        "from=2026-10-01&to=2026-11-01",
        "store=googleplay",
      ],
    ]) {
      const { ids } = await walk(`limit=100&${query}`);
      expect({ query, total: (await summary(query)).total }).toEqual({ query, total: ids.length });
    }
  });

  test("refuses stars that don't exist", async () => {
    expect((await summary("rating=0,6")).fields[0].field).toBe("rating");
  });
});

describe("the export", () => {
  test("as JSONL holds every review that matches", async () => {
    const response = await browser.get(`${base}/reviews/export?format=jsonl&topic=crash`);
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="reviews-.*\.jsonl"$/,
    );
    const lines = response.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(25);
    expect(lines[0]).toMatchObject({ app: "Tidepool Journal", topics: ["crash"], rating: 1 });
  });

  test("is in the audit log with its filters", async () => {
    await browser.get(`${base}/reviews/export?format=jsonl&topic=login`);
    const { deps, workspaceId } = world.service;
    const entries = await listAuditEntries(deps.database, workspaceId);
    expect(entries.filter(({ action }) => action === "reviews.exported")).toContainEqual(
      expect.objectContaining({
        detail: expect.objectContaining({ format: "jsonl", topic: "login" }),
      }),
    );
  });

  test("as CSV begins with a header, also when nothing matches", async () => {
    const response = await browser.get(`${base}/reviews/export?format=csv&q=nothing+has+this`);
    expect(response.text).toMatch(/^id,app,store,externalAppId,storeId,date,rating,.*\r\n$/);
  });

  test("as CSV begins with the mark by which Excel knows UTF-8", async () => {
    const { deps, workspaceId } = world.service;
    const { format, ...filters } = feedExport.parse({ format: "csv", q: "nothing has this" });
    const query = { workspaceId, filters, format, fileName: "reviews" };
    const response = await streamExport(deps, query);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 5).toString("hex")).toBe("efbbbf6964");
  });

  test("writes nothing that a spreadsheet would run", async () => {
    const { database } = world.service.deps;
    const { workspaceId } = world.service;
    const other = await anApp(database, { workspaceId });
    await saveReviews(database, other, [aReview({ title: "=1+1", text: '@SUM("a")' })]);
    const response = await browser.get(`${base}/reviews/export?format=csv&app=${other.id}`);
    expect(response.text).toContain(`,'=1+1,"'@SUM(""a"")",`);
    await database.deleteApp(other.id);
  });

  test("is read from the database no faster than it is taken", async () => {
    const { database } = world.service.deps;
    const { workspaceId } = world.service;
    const large = await anApp(database, { workspaceId });
    const text = "Long words about tides. ".repeat(200);
    const many = Array.from({ length: 3_000 }, (_, index) =>
      aReview({ date: new Date(newest.getTime() - index * 60_000), text }),
    );
    for (let at = 0; at < many.length; at += 500) {
      await saveReviews(database, large, many.slice(at, at + 500));
    }
    let pageCount = 0;
    const { listReviewPage } = database;
    database.listReviewPage = (page) => {
      pageCount += 1;
      return listReviewPage(page);
    };
    try {
      const url = `${world.service.url}/console/api${base}/reviews/export?format=jsonl&app=${large.id}`;
      const answer = await fetch(url, { headers: { cookie: browser.cookie() } });
      const reader = answer.body?.getReader();
      await reader?.read();
      // Sockets hold some of it; the 14 MB of the whole file they can't.
      const pagesAtFirst = pageCount;
      await reader?.cancel();
      expect(pagesAtFirst).toBeLessThan(20);
      const whole = await browser.get(`${base}/reviews/export?format=jsonl&app=${large.id}`);
      expect(whole.text.trimEnd().split("\n")).toHaveLength(3_000);
    } finally {
      database.listReviewPage = listReviewPage;
      await database.deleteApp(large.id);
    }
  });
});
