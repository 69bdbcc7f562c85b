// Readings that are not accepted at once: a first crawl that sees nothing, a list whose cursors repeat,
// a storefront that loses an app, wrong ratings of one day.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Histogram } from "../src/domain/review/snapshot.ts";
import { dayMs, dayOf, hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let fixture: CrawlFixture;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => fixture.close());

test("a block at the first crawl is no app without reviews", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore" });
  const countries = { region: "us", histogram: [10, 10, 10, 10, 60] as const };
  fixture.harness.storeState.setRatings(fixture.key, countries);
  // Recent enough to be announced by a crawl after the backfill.
  const old = fixture.writeReviews(20, { gapMs: hourMs });
  fixture.harness.simulator.faultFlags.enable({ fault: "network_block" });
  fixture.harness.simulator.faultFlags.enable({ fault: "no_fallbacks" });
  await fixture.crawl();
  expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  fixture.harness.simulator.faultFlags.disable();
  await fixture.crawl();
  expect(await fixture.storedReviews()).toHaveLength(old.length);
  expect(await fixture.queuedEvents()).toEqual([]);
});

test("a call for reviews that is blocked at the first crawl is no app without reviews", async () => {
  fixture = await openCrawlFixture(context, { store: "googleplay" });
  fixture.harness.storeState.setRatings(fixture.key, { region: "us", histogram: [1, 2, 3, 4, 10] });
  const old = fixture.writeReviews(20, { gapMs: hourMs });
  fixture.harness.simulator.faultFlags.enable({
    fault: "null_payload",
    when: { kind: "play-reviews" },
  });
  await fixture.crawl();
  expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  fixture.harness.simulator.faultFlags.disable();
  await fixture.crawl();
  expect(await fixture.storedReviews()).toHaveLength(old.length);
  expect(await fixture.queuedEvents()).toEqual([]);
});

test.each(["appstore", "googleplay"] as const)(
  "%s: the first review of an app without reviews is announced",
  async (store) => {
    fixture = await openCrawlFixture(context, { store });
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "empty" });
    const [first = ""] = fixture.writeReviews(1);
    await fixture.crawl();
    expect(await fixture.queuedEvents()).toMatchObject([
      { event: "review.created", storeReviewId: first },
    ]);
  },
);

test("a list whose cursors repeat ends, is reported as truncated, and is read whole once it does not", async () => {
  fixture = await openCrawlFixture(context, { store: "googleplay" });
  const old = fixture.writeReviews(500, { gapMs: hourMs });
  fixture.harness.simulator.faultFlags.enable({ fault: "token_cycle" });
  await fixture.crawl();
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", truncated: true });
  expect(await fixture.storedReviews()).not.toHaveLength(old.length);
  fixture.harness.simulator.faultFlags.disable();
  const created = fixture.writeReviews(160);
  fixture.harness.simulator.faultFlags.enable({ fault: "token_cycle" });
  await fixture.crawl();
  fixture.harness.simulator.faultFlags.disable();
  fixture.harness.clock.advance(dayMs + 4 * hourMs);
  await fixture.crawl();
  expect(await fixture.storedReviews()).toHaveLength(old.length + created.length);
  const queued = (await fixture.queuedEvents()).map(({ storeReviewId }) => storeReviewId);
  expect(queued.sort()).toEqual(created.sort());
});

test("an app that a storefront stops selling keeps its reviews, and is crawled again when it returns", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore", countries: ["us", "gb"] });
  const { harness, key } = fixture;
  fixture.writeReviews(60, { gapMs: hourMs });
  fixture.writeReviews(30, { gapMs: hourMs, region: "gb" });
  await fixture.crawl();
  harness.clock.advance(hourMs);
  harness.storeState.withdrawApp(key, "us");
  const british = fixture.writeReviews(2, { region: "gb" });
  await fixture.crawl();
  expect(await fixture.findFeed()).toMatchObject({
    outcome: "unknown",
    lastError: expect.stringContaining("withdrawn"),
  });
  expect(await fixture.storedReviews()).toHaveLength(92);
  harness.storeState.restoreApp(key, "us");
  const american = fixture.writeReviews(2);
  harness.clock.advance(hourMs);
  await fixture.crawl();
  const queued = (await fixture.queuedEvents()).map(({ storeReviewId }) => storeReviewId);
  expect(queued.sort()).toEqual([...british, ...american].sort());
});

describe("ratings", () => {
  const right: Histogram = [100, 100, 100, 200, 500];

  /** A scene whose app has been rated like this for days. */
  async function openRatedFixture(): Promise<CrawlFixture> {
    const rated = await openCrawlFixture(context, { store: "appstore" });
    rated.writeReviews(1, { gapMs: hourMs });
    rated.harness.storeState.setRatings(rated.key, { region: "us", histogram: right });
    for (let day = 0; day < 3; day += 1) {
      await rated.crawl();
      rated.harness.clock.advance(dayMs);
    }
    return rated;
  }

  async function days(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let day = dayOf(fixture.harness.clock.now()), left = 8; left > 0; left -= 1) {
      const asOf = { listingId: fixture.listing.id, day, withHistogram: false };
      const [snapshot] = await context.database.listSnapshotsAsOf(asOf);
      if (!snapshot) break;
      found.set(snapshot.day, snapshot.total);
      day = dayOf(new Date(Date.parse(snapshot.day) - dayMs));
    }
    return found;
  }

  test.each<[string, Histogram]>([
    ["no ratings at all", [0, 0, 0, 0, 0]],
    ["a tenth of them", [90, 5, 3, 1, 1]],
  ])("%s are quarantined, and no drop is announced", async (_, wrong) => {
    fixture = await openRatedFixture();
    const { harness, key } = fixture;
    const before = await days();
    harness.storeState.setRatings(key, { region: "us", histogram: wrong });
    await fixture.crawl();
    expect(await fixture.findFeed("ratings")).toMatchObject({
      outcome: "unknown",
      quarantinedReading: { total: wrong.reduce((sum, count) => sum + count, 0) },
    });
    harness.clock.advance(15 * minuteMs);
    harness.storeState.setRatings(key, { region: "us", histogram: right });
    await fixture.crawl();
    expect(await fixture.findFeed("ratings")).toMatchObject({
      outcome: "ok",
      quarantinedReading: null,
    });
    expect([...(await days()).values()]).toEqual(Array(before.size + 1).fill(1_000));
    expect(await fixture.queuedEvents()).toEqual([]);
  });

  test("a drop that is read twice is accepted, and announced once when another day shows it too", async () => {
    fixture = await openRatedFixture();
    const { harness, key } = fixture;
    harness.storeState.setRatings(key, { region: "us", histogram: [300, 50, 20, 10, 20] });
    await fixture.crawl();
    expect(await fixture.queuedEvents()).toEqual([]);
    harness.clock.advance(15 * minuteMs);
    await fixture.crawl();
    expect((await days()).size).toBe(4);
    expect(await fixture.queuedEvents()).toEqual([]);
    harness.clock.advance(dayMs);
    await fixture.crawl();
    await fixture.crawl();
    expect((await fixture.queuedEvents()).map(({ event }) => event)).toEqual([
      "review.rating_drop",
    ]);
  });

  test("there is one snapshot a day, also around midnight", async () => {
    fixture = await openRatedFixture();
    const { harness } = fixture;
    harness.clock.set(new Date("2026-12-01T23:59:40Z"));
    await fixture.crawl();
    await fixture.crawl();
    harness.clock.set(new Date("2026-12-02T00:00:10Z"));
    await fixture.crawl();
    expect([...(await days()).keys()].slice(0, 2)).toEqual(["2026-12-02", "2026-12-01"]);
  });

  test("a histogram in the wrong order is not taken for the stars", async () => {
    fixture = await openRatedFixture();
    fixture.harness.simulator.faultFlags.enable({ fault: "reversed_histogram" });
    await fixture.crawl();
    const [newest] = await context.database.listSnapshotsAsOf({
      listingId: fixture.listing.id,
      day: null,
      withHistogram: true,
    });
    expect(newest?.histogram).toEqual(right);
    expect(await fixture.queuedEvents()).toEqual([]);
  });
});
