// Readings that are not accepted at once: a first crawl that sees nothing, a list that leads in a circle,
// a storefront that loses an app, wrong ratings of one day.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Histogram } from "../src/domain/snapshot.ts";
import { dayMs, dayOf, hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let scene: CrawlFixture;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => scene.close());

test("a block at the first crawl is no app without reviews", async () => {
  scene = await openCrawlFixture(context, { store: "appstore" });
  const countries = { region: "us", histogram: [10, 10, 10, 10, 60] as const };
  scene.harness.storeState.setRatings(scene.key, countries);
  // Recent enough to be announced by a crawl after the backfill.
  const old = scene.writeReviews(20, { gapMs: hourMs });
  scene.harness.simulator.faultFlags.enable({ fault: "network_block" });
  scene.harness.simulator.faultFlags.enable({ fault: "no_fallbacks" });
  await scene.crawl();
  expect(await scene.findFeed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  scene.harness.simulator.faultFlags.disable();
  await scene.crawl();
  expect(await scene.storedReviews()).toHaveLength(old.length);
  expect(await scene.queuedEvents()).toEqual([]);
});

test("a call for reviews that is blocked at the first crawl is no app without reviews", async () => {
  scene = await openCrawlFixture(context, { store: "googleplay" });
  scene.harness.storeState.setRatings(scene.key, { region: "us", histogram: [1, 2, 3, 4, 10] });
  const old = scene.writeReviews(20, { gapMs: hourMs });
  scene.harness.simulator.faultFlags.enable({
    fault: "null_payload",
    when: { kind: "play-reviews" },
  });
  await scene.crawl();
  expect(await scene.findFeed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  scene.harness.simulator.faultFlags.disable();
  await scene.crawl();
  expect(await scene.storedReviews()).toHaveLength(old.length);
  expect(await scene.queuedEvents()).toEqual([]);
});

test.each(["appstore", "googleplay"] as const)(
  "%s: the first review of an app without reviews is announced",
  async (store) => {
    scene = await openCrawlFixture(context, { store });
    await scene.crawl();
    expect(await scene.findFeed()).toMatchObject({ outcome: "empty" });
    const [first = ""] = scene.writeReviews(1);
    await scene.crawl();
    expect(await scene.queuedEvents()).toMatchObject([
      { event: "review.created", storeReviewId: first },
    ]);
  },
);

test("a list that leads in a circle ends, is reported as truncated, and is read whole once it does not", async () => {
  scene = await openCrawlFixture(context, { store: "googleplay" });
  const old = scene.writeReviews(500, { gapMs: hourMs });
  scene.harness.simulator.faultFlags.enable({ fault: "token_cycle" });
  await scene.crawl();
  expect(await scene.findFeed()).toMatchObject({ outcome: "ok", truncated: true });
  expect(await scene.storedReviews()).not.toHaveLength(old.length);
  scene.harness.simulator.faultFlags.disable();
  const created = scene.writeReviews(160);
  scene.harness.simulator.faultFlags.enable({ fault: "token_cycle" });
  await scene.crawl();
  scene.harness.simulator.faultFlags.disable();
  scene.harness.clock.advance(dayMs + 4 * hourMs);
  await scene.crawl();
  expect(await scene.storedReviews()).toHaveLength(old.length + created.length);
  const queued = (await scene.queuedEvents()).map(({ storeReviewId }) => storeReviewId);
  expect(queued.sort()).toEqual(created.sort());
});

test("an app that a storefront stops selling keeps its reviews, and is crawled again when it returns", async () => {
  scene = await openCrawlFixture(context, { store: "appstore", countries: ["us", "gb"] });
  const { harness, key } = scene;
  scene.writeReviews(60, { gapMs: hourMs });
  scene.writeReviews(30, { gapMs: hourMs, region: "gb" });
  await scene.crawl();
  harness.clock.advance(hourMs);
  harness.storeState.withdrawApp(key, "us");
  const british = scene.writeReviews(2, { region: "gb" });
  await scene.crawl();
  expect(await scene.findFeed()).toMatchObject({
    outcome: "unknown",
    lastError: expect.stringContaining("withdrawn"),
  });
  expect(await scene.storedReviews()).toHaveLength(92);
  harness.storeState.restoreApp(key, "us");
  const american = scene.writeReviews(2);
  harness.clock.advance(hourMs);
  await scene.crawl();
  const queued = (await scene.queuedEvents()).map(({ storeReviewId }) => storeReviewId);
  expect(queued.sort()).toEqual([...british, ...american].sort());
});

describe("ratings", () => {
  const right: Histogram = [100, 100, 100, 200, 500];

  /** A scene whose app has been rated like this for days. */
  async function aRatedScene(): Promise<CrawlFixture> {
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
    for (let day = dayOf(scene.harness.clock.now()), left = 8; left > 0; left -= 1) {
      const asOf = { listingId: scene.listing.id, day, withHistogram: false };
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
    scene = await aRatedScene();
    const { harness, key } = scene;
    const before = await days();
    harness.storeState.setRatings(key, { region: "us", histogram: wrong });
    await scene.crawl();
    expect(await scene.findFeed("ratings")).toMatchObject({
      outcome: "unknown",
      quarantinedReading: { total: wrong.reduce((sum, count) => sum + count, 0) },
    });
    harness.clock.advance(15 * minuteMs);
    harness.storeState.setRatings(key, { region: "us", histogram: right });
    await scene.crawl();
    expect(await scene.findFeed("ratings")).toMatchObject({ outcome: "ok", quarantinedReading: null });
    expect([...(await days()).values()]).toEqual(Array(before.size + 1).fill(1_000));
    expect(await scene.queuedEvents()).toEqual([]);
  });

  test("a drop that is read twice is accepted, and announced once", async () => {
    scene = await aRatedScene();
    const { harness, key } = scene;
    harness.storeState.setRatings(key, { region: "us", histogram: [300, 50, 20, 10, 20] });
    await scene.crawl();
    expect(await scene.queuedEvents()).toEqual([]);
    harness.clock.advance(15 * minuteMs);
    await scene.crawl();
    await scene.crawl();
    expect((await scene.queuedEvents()).map(({ event }) => event)).toEqual(["review.rating_drop"]);
  });

  test("there is one snapshot a day, also around midnight", async () => {
    scene = await aRatedScene();
    const { harness } = scene;
    harness.clock.set(new Date("2026-12-01T23:59:40Z"));
    await scene.crawl();
    await scene.crawl();
    harness.clock.set(new Date("2026-12-02T00:00:10Z"));
    await scene.crawl();
    expect([...(await days()).keys()].slice(0, 2)).toEqual(["2026-12-02", "2026-12-01"]);
  });

  test("a histogram in the wrong order is not taken for the stars", async () => {
    scene = await aRatedScene();
    scene.harness.simulator.faultFlags.enable({ fault: "reversed_histogram" });
    await scene.crawl();
    const [newest] = await context.database.listSnapshotsAsOf({
      listingId: scene.listing.id,
      day: null,
      withHistogram: true,
    });
    expect(newest?.histogram).toEqual(right);
    expect(await scene.queuedEvents()).toEqual([]);
  });
});
