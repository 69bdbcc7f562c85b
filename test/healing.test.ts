// A store moves a field: the new place is learned from the stored reviews, and reviews of the time between are read once.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FaultName } from "../simulator/faults.ts";
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

/** An app with 24 known reviews in each of two languages. */
async function openKnownApp(): Promise<void> {
  fixture = await openCrawlFixture(context, { store: "googleplay" });
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

async function crawlLater(): Promise<void> {
  fixture.harness.clock.advance(2 * hourMs);
  await fixture.crawl();
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
    const stored = await fixture.storedReviews();
    const written = fixture.harness.storeState.reviewsNow(fixture.key, "all");
    const contents = (reviews: readonly { author: string; text: string; rating: number }[]) =>
      reviews.map(({ author, text, rating }) => `${author} ${rating} ${text}`).sort();
    expect(contents(stored)).toEqual(contents(written));
    expect(stored.filter(({ editedAt }) => editedAt !== null)).toEqual([]);
    const events = await fixture.queuedEvents();
    expect(events.map(({ event }) => event)).toEqual(Array(4).fill("review.created"));
    expect(new Set(events.map(({ storeReviewId }) => storeReviewId)).size).toBe(4);
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
  expect(await readShape()).toMatchObject({ state: "withdrawn" });
  await crawlLater();
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", quarantinedPage: null });
  const stored = await fixture.storedReviews();
  expect(stored).toHaveLength(50);
  expect(stored.filter(({ editedAt }) => editedAt !== null)).toEqual([]);
});
