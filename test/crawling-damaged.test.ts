// Pages that can be parsed and are wrong: a moved field, dates that went, a list in no order, the reviews of
// another app. Nothing is lost, doubled, invented or announced, and the next good page heals what is left.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FaultName } from "../simulator/faults.ts";
import { crawlListing } from "../src/crawling/crawl-feed.ts";
import type { StoreId } from "../src/domain/store/store-id.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { dayMs, hourMs } from "../src/lib/timestamp.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { readRollups } from "./support/read-rollups.ts";
import { recountRollups } from "./support/recount.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let fixture: CrawlFixture;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => fixture.close());

const stores = ["appstore", "googleplay"] as const;

/** An app whose reviews were read and announced: the oldest silently, the newest as events. */
async function openKnownFixture(store: StoreId): Promise<CrawlFixture> {
  const known = await openCrawlFixture(context, { store });
  known.writeReviews(20, { gapMs: hourMs });
  await known.crawl();
  known.harness.clock.advance(hourMs);
  known.writeReviews(5);
  await known.crawl();
  known.harness.clock.advance(hourMs);
  return known;
}

function enable(fault: FaultName): void {
  fixture.harness.simulator.faultFlags.enable({ fault });
}

async function crawlLater(): Promise<void> {
  fixture.harness.clock.advance(2 * hourMs);
  await fixture.crawl();
}

// The App Store's other format is in order where a value has another type, or is of another app.
const ofGooglePlay = ["wrong_type", "foreign_feed"] as const;
const ofBoth = ["moved_field", "replaced_texts", "undated", "clock_step"] as const;

describe.each(stores)("%s", (store) => {
  test.each(store === "googleplay" ? [...ofBoth, ...ofGooglePlay] : ofBoth)(
    "a page with %s changes nothing, and the next good one is read as if it had not been",
    async (fault) => {
      fixture = await openKnownFixture(store);
      const before = await fixture.storedReviews();
      const events = await fixture.queuedEvents();
      const created = fixture.writeReviews(2);
      enable(fault);
      await fixture.crawl();
      const feed = await fixture.findFeed();
      expect(feed).toMatchObject({ outcome: "unknown", lastError: expect.any(String) });
      expect(await fixture.storedReviews()).toEqual(before);
      expect(await fixture.queuedEvents()).toEqual(events);
      fixture.harness.simulator.faultFlags.disable();
      await crawlLater();
      expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", quarantinedPage: null });
      const after = await fixture.storedReviews();
      expect(after).toHaveLength(before.length + 2);
      expect(after.filter(({ editedAt }) => editedAt !== null)).toEqual([]);
      const announced = (await fixture.queuedEvents()).slice(events.length);
      expect(announced.map(({ storeReviewId }) => storeReviewId).sort()).toEqual(created.sort());
    },
  );

  test.each(["undated", "replaced_texts"] as const)(
    "a page with %s never counts because it lasts, and silently when a user accepts it",
    async (fault) => {
      fixture = await openKnownFixture(store);
      const events = await fixture.queuedEvents();
      enable(fault);
      for (let reading = 0; reading < 4; reading += 1) {
        await crawlLater();
        expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown" });
      }
      await fixture.crawl({ acceptsQuarantined: true });
      expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", quarantinedPage: null });
      expect(await fixture.queuedEvents()).toEqual(events);
    },
  );

  test("dates of a backfill that were an hour off are right when a user accepts the others", async () => {
    fixture = await openCrawlFixture(context, { store });
    fixture.writeReviews(20, { gapMs: hourMs });
    enable("clock_step");
    await fixture.crawl();
    fixture.harness.simulator.faultFlags.disable();
    await crawlLater();
    expect(await fixture.findFeed()).toMatchObject({
      outcome: "unknown",
      lastError: expect.stringContaining("moved without an edit"),
    });
    await fixture.crawl({ acceptsQuarantined: true });
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", quarantinedPage: null });
    const { key, harness } = fixture;
    const dates = harness.storeState.reviewsNow(key, "all").map(({ date }) => date.toISOString());
    const stored = (await fixture.storedReviews()).map(({ date }) => date.toISOString());
    expect(stored.toSorted()).toEqual(dates.toSorted());
    expect(await fixture.queuedEvents()).toEqual([]);
    await expectRollupsToBeRight();
  });

  test("a store that hangs says nothing, and is read on when it answers again", async () => {
    fixture = await openCrawlFixture(context, { store, totalTimeoutMs: 100 });
    const old = fixture.writeReviews(20, { gapMs: hourMs });
    await fixture.crawl();
    fixture.harness.clock.advance(hourMs);
    const created = fixture.writeReviews(3);
    enable("hang");
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown" });
    expect(await fixture.storedReviews()).toHaveLength(old.length);
    fixture.harness.simulator.faultFlags.disable();
    await crawlLater();
    expect(await fixture.storedReviews()).toHaveLength(old.length + created.length);
    const announced = await fixture.queuedEvents();
    expect(announced.map(({ storeReviewId }) => storeReviewId).sort()).toEqual(created.sort());
  });

  test("a review whose date was assumed is announced once, when its date is stated", async () => {
    fixture = await openKnownFixture(store);
    const events = await fixture.queuedEvents();
    const created = fixture.writeReviews(3);
    enable("undated");
    await fixture.crawl({ acceptsQuarantined: true });
    const assumed = (await fixture.storedReviews()).filter(({ isDateAssumed }) => isDateAssumed);
    expect(assumed.map(({ storeReviewId }) => storeReviewId).sort()).toEqual(created.sort());
    fixture.harness.simulator.faultFlags.disable();
    await crawlLater();
    const after = await fixture.storedReviews();
    expect(after.some(({ isDateAssumed }) => isDateAssumed)).toBe(false);
    expect(after.every(({ date }) => date < fixture.harness.clock.now())).toBe(true);
    const announced = (await fixture.queuedEvents()).slice(events.length);
    expect(announced.map(({ storeReviewId }) => storeReviewId).sort()).toEqual(created.sort());
    await crawlLater();
    expect(await fixture.queuedEvents()).toHaveLength(events.length + created.length);
    await expectRollupsToBeRight();
  });

  test("a clock that was three days behind loses no announcement", async () => {
    fixture = await openKnownFixture(store);
    const { deps, harness, listing } = fixture;
    const events = await fixture.queuedEvents();
    harness.clock.advance(4 * dayMs);
    const created = fixture.writeReviews(8);
    const clock = {
      ...harness.clock,
      now: () => new Date(harness.clock.now().getTime() - 3 * dayMs),
    };
    const { database } = context;
    const ingestReviews = createIngest({ clock, database });
    await crawlListing({ ...deps, clock, ingestReviews }, { listing });
    expect(
      (await fixture.storedReviews()).filter(({ isDateAssumed }) => isDateAssumed),
    ).toHaveLength(8);
    await fixture.crawl();
    await crawlLater();
    const announced = (await fixture.queuedEvents()).slice(events.length);
    expect(announced.map(({ storeReviewId }) => storeReviewId).sort()).toEqual(created.sort());
  });

  test("a backfill without dates waits for them instead of inventing them", async () => {
    fixture = await openCrawlFixture(context, { store });
    const created = fixture.writeReviews(20, { gapMs: dayMs });
    enable("undated");
    await fixture.crawl();
    expect(await fixture.storedReviews()).toEqual([]);
    expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown", baselineAt: null });
    fixture.harness.simulator.faultFlags.disable();
    await crawlLater();
    const dates = (await fixture.storedReviews()).map(({ date }) => date.getTime());
    expect(new Set(dates).size).toBe(created.length);
  });

  test("a date in the future hides no review, and stands on top of none", async () => {
    fixture = await openCrawlFixture(context, { store });
    fixture.writeReviews(20, { gapMs: hourMs });
    enable("future_date");
    await fixture.crawl();
    fixture.harness.clock.advance(hourMs);
    const created = fixture.writeReviews(170);
    await fixture.crawl();
    const { watermark } = await fixture.findFeed();
    const stored = await fixture.storedReviews();
    const now = fixture.harness.clock.now();
    expect(watermark && watermark <= now).toBe(true);
    expect(stored.every(({ date }) => date <= now)).toBe(true);
    const ids = stored.map(({ storeReviewId }) => storeReviewId);
    expect(created.filter((id) => !ids.includes(id))).toEqual([]);
    fixture.harness.simulator.faultFlags.disable();
    // Reviews further down are stated again by the next full crawl.
    fixture.harness.clock.advance(dayMs + 4 * hourMs);
    await fixture.crawl();
    expect((await fixture.storedReviews()).some(({ isDateAssumed }) => isDateAssumed)).toBe(false);
  });

  test("a list in no order is read on, and the coverage says so", async () => {
    fixture = await openCrawlFixture(context, { store });
    const pageSize = store === "appstore" ? 50 : 150;
    fixture.writeReviews(pageSize + 10, { gapMs: hourMs });
    await fixture.crawl();
    fixture.harness.clock.advance(hourMs);
    enable("shuffled");
    const created = fixture.writeReviews(5);
    await fixture.crawl();
    expect((await fixture.findFeed()).stopReason).toContain("the store's order was not by date");
    const announced = await fixture.queuedEvents();
    expect(announced.map(({ storeReviewId }) => storeReviewId).sort()).toEqual(created.sort());
  });
});

async function expectRollupsToBeRight(): Promise<void> {
  const rollups = await readRollups(context, fixture.listing.id);
  expect(rollups).toEqual(recountRollups(await fixture.storedReviews()));
}
