// When feeds are read: a store that hangs, a clock that is wrong, a feed that stays empty.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startCrawlWorker } from "../src/crawling/crawl-worker.ts";
import { freeLanes, newLease } from "../src/crawling/feed-lease.ts";
import { systemDelay } from "../src/lib/delay.ts";
import { dayMs, hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { unknownOutcome } from "../src/stores/response-check.ts";
import type { Store } from "../src/stores/store.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { anApp, aWorkspace } from "./support/factories.ts";
import { createSignal } from "./support/signal.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";
import { waitFor } from "./support/wait-for.ts";

let context: TestContext;
let fixture: CrawlFixture;

beforeEach(async () => {
  context = await openTestContext();
});
afterEach(async () => {
  await fixture.close();
  await context.close();
});

test("a store that hangs does not hold the other store", async () => {
  const { database } = context;
  fixture = await openCrawlFixture(context, { store: "googleplay" });
  const { app, harness } = fixture;
  const { storeState } = harness;
  const regions = "en es pt de fr it ja ko ru id".split(" ");
  const now = harness.clock.now();
  const listingId = fixture.listing.id;
  await database.setFeeds({ listingId, kind: "reviews", regions, now });
  // In the simulator both stores are one host, which a hanging request would hold.
  const open = fixture.deps.openStore;
  const release = createSignal("the end of the test");
  const fetchReviews: Store["fetchReviews"] = async () => {
    await release.received(30_000);
    return { ...unknownOutcome("hung"), isFinal: true, next: null, capped: false };
  };
  fixture.deps.openStore = async (listing, kind) => {
    const store = await open(listing, kind);
    return listing.store === "googleplay" ? { ...store, fetchReviews } : store;
  };
  // Due after all languages of the app whose store hangs.
  const later = new Date(now.getTime() + 1);
  const other = await anApp(database, { workspaceId: app.workspaceId, isPrivate: true });
  storeState.addApp({ store: "appstore", externalAppId: other.externalAppId });
  const feed = { listingId: other.listingId, kind: "reviews" as const, regions: ["us"] };
  await database.setFeeds({ ...feed, now: later });
  harness.clock.advance(minuteMs);
  const worker = startCrawlWorker({ ...fixture.deps, delay: systemDelay });
  const isRead = async () => (await database.listFeeds(other.listingId))[0]?.outcome === "empty";
  await waitFor(isRead, { withinMs: 20_000, what: "the other store to be read" });
  expect((await fixture.findFeed()).outcome).toBeNull();
  release.notify();
  await worker.close();
});

test("the worker crawls the one app of a workspace before the many of another one", async () => {
  const { database } = context;
  fixture = await openCrawlFixture(context, { store: "appstore" });
  const { app, harness } = fixture;
  const now = harness.clock.now();
  const follow = async (workspaceId: string, dueAt: Date): Promise<string> => {
    const added = await anApp(database, { workspaceId, isPrivate: true });
    const { listingId, externalAppId } = added;
    harness.storeState.addApp({ store: "appstore", externalAppId });
    await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now: dueAt });
    await database.setLineOfFeeds({ listingId, line: workspaceId });
    return listingId;
  };
  for (let index = 0; index < 12; index += 1) await follow(app.workspaceId, now);
  await database.setLineOfFeeds({ listingId: app.listingId, line: app.workspaceId });
  const { id: otherId } = await aWorkspace(database);
  const other = await follow(otherId, new Date(now.getTime() + minuteMs / 2));
  harness.clock.advance(minuteMs);
  const crawled: string[] = [];
  const open = fixture.deps.openStore;
  fixture.deps.openStore = (listing, kind) => {
    if (kind === "reviews") crawled.push(listing.id);
    return open(listing, kind);
  };
  const worker = startCrawlWorker({ ...fixture.deps, delay: systemDelay });
  await waitFor(async () => crawled.length >= 13, { withinMs: 20_000, what: "all crawls" });
  await worker.close();
  // Two long crawls run at a time: two are claimed before it, and one beside it.
  expect(crawled.indexOf(other)).toBeLessThanOrEqual(3);
});

test("lanes give each store its slots, and leave some to short crawls", () => {
  const all = freeLanes(new Map());
  expect(all.filter(({ store }) => store === "appstore")).toHaveLength(4);
  const busy = new Map([
    ["appstore public long", { runningCount: 2, servedLine: "a" }],
    ["appstore public short", { runningCount: 1, servedLine: "a" }],
  ]);
  const free = freeLanes(busy).filter(({ name }) => name.startsWith("appstore public"));
  expect(free).toMatchObject([{ name: "appstore public short", limit: 2 }]);
});

describe("a clock that was wrong", () => {
  const claimedRegions = async (): Promise<string[]> => {
    const { clock } = fixture.harness;
    const now = clock.now();
    await context.database.pullFeedsForward({ now, intervalMinutes: 60 });
    const due = { lanes: freeLanes(new Map()) };
    const claimed = await context.database.claimDueFeeds({ ...newLease(clock), ...due });
    return claimed.map(({ kind }) => kind);
  };

  test.each([10 * 365 * dayMs, 2 * hourMs])(
    "by %d ms while feeds were read leaves none unread",
    async (aheadMs) => {
      fixture = await openCrawlFixture(context, { store: "appstore" });
      const { clock, storeState } = fixture.harness;
      storeState.setRatings(fixture.key, { region: "us", histogram: [1, 2, 3, 4, 5] });
      fixture.writeReviews(3, { gapMs: hourMs });
      const right = clock.now();
      clock.advance(aheadMs);
      await fixture.crawl();
      clock.set(right);
      expect(await claimedRegions()).toContain("reviews");
    },
  );

  test("while a feed was leased does not hold it", async () => {
    fixture = await openCrawlFixture(context, { store: "appstore" });
    const { clock } = fixture.harness;
    const right = clock.now();
    clock.advance(365 * dayMs);
    expect(await claimedRegions()).toContain("reviews");
    clock.set(right);
    expect(await claimedRegions()).toContain("reviews");
  });

  test("does not freeze the ratings", async () => {
    fixture = await openCrawlFixture(context, { store: "appstore" });
    const { clock, storeState } = fixture.harness;
    const rate = (five: number) =>
      storeState.setRatings(fixture.key, { region: "us", histogram: [0, 0, 0, 0, five] });
    rate(1_000);
    const right = clock.now();
    clock.advance(400 * dayMs);
    rate(1_000);
    await fixture.crawl();
    clock.set(right);
    await fixture.crawl();
    // Less than half of the total that was saved under a day of next year.
    clock.advance(dayMs);
    rate(400);
    await fixture.crawl();
    expect(await fixture.findFeed("ratings")).toMatchObject({ outcome: "unknown" });
  });
});

test("a feed that stays empty is read less and less often, at least once a day", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore" });
  const { clock } = fixture.harness;
  const waits: number[] = [];
  for (let crawl = 0; crawl < 8; crawl += 1) {
    await fixture.crawl();
    const { nextDueAt } = await fixture.findFeed();
    waits.push((nextDueAt.getTime() - clock.now().getTime()) / hourMs);
    clock.set(nextDueAt);
  }
  expect(waits.slice(0, 4).map(Math.round)).toEqual([1, 2, 4, 8]);
  expect(waits.at(-1)).toBe(24);
});

test("where lists make room, a quiet one is read less often until it has news, and none of it is lost", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore" });
  const { clock } = fixture.harness;
  fixture.deps.findIntervalBounds = async () => ({
    ...{ intervalMinutes: 60, intervalMinutesMax: 7 * 1_440 },
  });
  const nextInHours = async () => {
    const { intervalMinutes, nextDueAt } = await fixture.findFeed();
    expect(nextDueAt.getTime() - clock.now().getTime()).toBe((intervalMinutes ?? 0) * minuteMs);
    return (intervalMinutes ?? 0) / 60;
  };
  fixture.writeReviews(3, { gapMs: 8 * dayMs });
  await fixture.crawl();
  // The third is sixteen days old: a review in five days, and four crawls.
  expect(Math.round(await nextInHours())).toBe(32);
  clock.set((await fixture.findFeed()).nextDueAt);
  const news = fixture.writeReviews(3, { gapMs: minuteMs });
  await fixture.crawl();
  expect(await nextInHours()).toBe(1);
  expect((await fixture.queuedEvents()).map(({ storeReviewId }) => storeReviewId).sort()).toEqual(
    news.sort(),
  );
  // No news since: it slows down again.
  clock.advance(2 * dayMs);
  await fixture.crawl();
  expect(Math.round(await nextInHours())).toBe(4);
});

describe("an empty list of an app with ratings", () => {
  test("in one format alone is no app without reviews", async () => {
    fixture = await openCrawlFixture(context, { store: "appstore" });
    const { harness, key } = fixture;
    harness.storeState.setRatings(key, { region: "us", histogram: [0, 0, 2, 4, 6] });
    const written = fixture.writeReviews(3, { gapMs: hourMs });
    const when = { kind: "rss", format: "json" } as const;
    harness.simulator.faultFlags.enable({ fault: "network_block", when });
    await fixture.crawl();
    expect(await fixture.storedReviews()).toHaveLength(written.length);
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok" });
  });

  test("that a good many rated is believed after a second reading, hours later", async () => {
    fixture = await openCrawlFixture(context, { store: "appstore" });
    const { harness, key } = fixture;
    harness.storeState.setRatings(key, { region: "us", histogram: [0, 0, 100, 200, 200] });
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({
      outcome: "unknown",
      baselineAt: null,
      lastError: expect.stringContaining("500 ratings"),
    });
    harness.clock.advance(hourMs);
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown" });
    harness.clock.advance(3 * hourMs);
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "empty", quarantinedPage: null });
  });

  test("that is full at the second reading loses nothing and announces nothing", async () => {
    fixture = await openCrawlFixture(context, { store: "appstore" });
    const { harness, key } = fixture;
    harness.storeState.setRatings(key, { region: "us", histogram: [0, 0, 100, 200, 200] });
    const written = fixture.writeReviews(40, { gapMs: minuteMs });
    harness.simulator.faultFlags.enable({
      fault: "network_block",
      when: { externalAppId: key.externalAppId },
    });
    harness.simulator.faultFlags.enable({ fault: "no_fallbacks" });
    await fixture.crawl();
    harness.simulator.faultFlags.disable();
    harness.clock.advance(4 * hourMs);
    await fixture.crawl();
    expect(await fixture.storedReviews()).toHaveLength(written.length);
    expect(await fixture.queuedEvents()).toEqual([]);
  });
});
