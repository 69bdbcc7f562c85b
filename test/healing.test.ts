// A store moves a field: the new place is learned from the stored reviews, and reviews of the time between are read once.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FaultName } from "../simulator/faults.ts";
import type { Review } from "../src/domain/review/review.ts";
import type { Http } from "../src/lib/http.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let fixture: CrawlFixture;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(async () => {
  await fixture.close();
  await context.database.saveLearnedShape({
    ...{ name: "google-reviews", shape: {}, state: "withdrawn", roundCount: 0 },
    ...{ reason: "the test is over", since: new Date(0), actor: "test" },
  });
});

const languages = ["en", "de"];

type Items = unknown[];

/** How each review of a page of reviews is changed; null: pages are as they were. */
let moveItem: ((item: Items) => Items) | null = null;
let callName: string | null = null;

const changeHttp =
  (http: Http): Http =>
  async (request) => {
    const response = await http(request);
    if (!request.url.includes("batchexecute") || response.kind !== "response") return response;
    const text = response.body.toString();
    const start = text.indexOf("[[");
    const frames = JSON.parse(text.slice(start)) as Items[];
    const moved = frames.map(([type, name, json, ...rest]) => {
      if (type !== "wrb.fr" || typeof json !== "string") return [type, name, json, ...rest];
      const [list, ...others] = JSON.parse(json) as [Items[], ...Items];
      const payload = [list.map((item) => moveItem?.(item) ?? item), ...others];
      return [type, callName ?? name, JSON.stringify(payload), ...rest];
    });
    return { ...response, body: Buffer.from(text.slice(0, start) + JSON.stringify(moved)) };
  };

/** An app with 24 known reviews in each of two languages. */
async function openKnownApp(): Promise<void> {
  moveItem = null;
  callName = null;
  fixture = await openCrawlFixture(context, { store: "googleplay", changeHttp });
  const { harness, listing } = fixture;
  const now = harness.clock.now();
  await context.database.setFeeds({
    listingId: listing.id,
    kind: "reviews",
    regions: languages,
    now,
  });
  for (let index = 0; index < 24; index += 1) writeReview(index);
  await fixture.crawl();
  harness.clock.advance(2 * hourMs);
}

function writeReview(index: number): void {
  const { harness, key } = fixture;
  for (const region of languages) {
    harness.storeState.addReview(key, {
      region,
      rating: 1 + (index % 5),
      author: `Reader ${region} ${index}`,
      text: `The chart of harbour ${index} ${region} opens late`,
      version: `2.${index % 4}`,
      at: new Date(harness.clock.now().getTime() - (100 - index) * minuteMs),
      ...(index % 4 === 0
        ? { reply: { text: `Thank you ${region} ${index}`, at: harness.clock.now() } }
        : {}),
    });
  }
}

const enable = (fault: FaultName): void => fixture.harness.simulator.faultFlags.enable({ fault });
const readShape = async () =>
  (await context.database.listLearnedShapes()).find(({ name }) => name === "google-reviews");

async function crawlLater(hours = 2): Promise<void> {
  fixture.harness.clock.advance(hours * hourMs);
  await fixture.crawl();
}

/** Each stored review is as it was written, none twice, and none is taken for an edit. */
async function expectAllRight(): Promise<void> {
  const facts = (reviews: readonly Pick<Review, "author" | "text" | "rating" | "version">[]) =>
    reviews.map(({ author, text, rating, version }) => [author, rating, text, version].join(" "));
  const stored = await fixture.storedReviews();
  const written = fixture.harness.storeState.reviewsNow(fixture.key, "all");
  expect(facts(stored).sort()).toEqual(facts(written).sort());
  expect(stored.filter(({ editedAt }) => editedAt !== null)).toEqual([]);
  const events = await fixture.queuedEvents();
  expect(events.every(({ event }) => event === "review.created")).toBe(true);
  expect(new Set(events.map(({ storeReviewId }) => storeReviewId)).size).toBe(events.length);
}

test.each(["moved_field", "wrong_type"] as const)(
  "after %s the reviews of the time between are read once, and nothing is taken for an edit",
  async (fault) => {
    await openKnownApp();
    enable(fault);
    writeReview(24);
    await fixture.crawl();
    expect(await readShape()).toMatchObject({ state: "shadow", roundCount: 0 });
    expect(await fixture.storedReviews()).toHaveLength(48);
    writeReview(25);
    await crawlLater();
    expect(await readShape()).toMatchObject({ state: "used", roundCount: 2 });
    await crawlLater();
    for (const language of languages) {
      const feed = await fixture.findFeed("reviews", language);
      expect(feed).toMatchObject({ outcome: "ok", quarantinedPage: null });
    }
    await expectAllRight();
    expect(await fixture.queuedEvents()).toHaveLength(4);
  },
);

test("a learned shape is withdrawn when the store shows its old pages again, and nothing is lost", async () => {
  await openKnownApp();
  enable("moved_field");
  await fixture.crawl();
  await crawlLater();
  await crawlLater();
  expect(await readShape()).toMatchObject({ state: "used" });
  fixture.harness.simulator.faultFlags.disable();
  writeReview(24);
  await crawlLater();
  // Both layouts are read side by side, as where a store tries one on a part of its pages.
  expect(await readShape()).toMatchObject({ state: "used" });
  await crawlLater(26);
  await crawlLater(26);
  expect(await readShape()).toMatchObject({ state: "withdrawn" });
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", quarantinedPage: null });
  const stored = await fixture.storedReviews();
  expect(stored).toHaveLength(50);
  expect(stored.filter(({ editedAt }) => editedAt !== null)).toEqual([]);
});

test("while a new layout is tried, no second reading confirms its pages, however late it comes", async () => {
  await openKnownApp();
  moveItem = (item) => item.with(4, item[10]).with(10, item[4]);
  for (let index = 24; index < 28; index += 1) {
    writeReview(index);
    await crawlLater(7);
    const texts = (await fixture.storedReviews()).map(({ text }) => text);
    expect(texts.filter((text) => !text.startsWith("The chart of harbour"))).toEqual([]);
  }
  expect(await readShape()).toMatchObject({ state: "used" });
  await expectAllRight();
});

test("a field that is gone from all reviews is found again, and those of the time between get it", async () => {
  await openKnownApp();
  moveItem = (item) => [...item.with(10, null), { "11": item[10] }];
  writeReview(24);
  await fixture.crawl();
  const newest = (await fixture.storedReviews()).filter(({ text }) => text.includes("harbour 24 "));
  expect(newest.map(({ version }) => version)).toEqual(["", ""]);
  await crawlLater();
  expect(await readShape()).toMatchObject({ state: "used" });
  await crawlLater();
  await expectAllRight();
});

test("versions in the place of ids invent no reviews", async () => {
  await openKnownApp();
  moveItem = (item) => item.with(0, item[10]).with(10, item[0]);
  for (let index = 24; index < 27; index += 1) {
    writeReview(index);
    await crawlLater();
    const ids = (await fixture.storedReviews()).map(({ storeReviewId }) => storeReviewId);
    expect(ids.filter((id) => id.startsWith("2."))).toEqual([]);
  }
  await crawlLater();
  await expectAllRight();
});

test("an answer under another name is read as before", async () => {
  await openKnownApp();
  callName = "Renamed";
  writeReview(24);
  await crawlLater();
  await expectAllRight();
});
