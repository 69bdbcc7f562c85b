// What happens to an app during a crawl: another language shows the same reviews, a fallback has them in
// other words, the app is removed and added again.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startCrawlWorker } from "../src/crawling/crawl-worker.ts";
import type { IngestReviews } from "../src/ingest/ingest-batch.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { systemDelay } from "../src/lib/delay.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { unknownOutcome } from "../src/stores/response-check.ts";
import type { Store } from "../src/stores/store.ts";
import { removeApp } from "../src/use-cases/apps/apps.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { anApp } from "./support/factories.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let scene: CrawlFixture;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => scene.close());

/** From now on the store returns these pages in place of its own. */
async function answerWith(fetchReviews: Store["fetchReviews"]): Promise<void> {
  const store = await scene.deps.openStore(scene.listing, "reviews");
  scene.deps.openStore = async () => ({ ...store, fetchReviews });
}

const ids = async () => (await scene.queuedEvents()).map(({ storeReviewId }) => storeReviewId);

test("a review that a new language shows first is announced, and once", async () => {
  scene = await openCrawlFixture(context, { store: "googleplay" });
  const { harness, listing } = scene;
  const old = scene.writeReviews(20, { gapMs: hourMs });
  await scene.crawl();
  harness.clock.advance(hourMs);
  const created = scene.writeReviews(2);
  const regions = ["en", "de"];
  await context.database.setFeeds({
    ...{ listingId: listing.id, kind: "reviews", regions },
    now: harness.clock.now(),
  });
  // Both languages show the same reviews, and the first is away for a moment.
  const english = await scene.deps.openStore(listing, "reviews");
  let isAway = true;
  await answerWith(async (request) =>
    isAway && request.region === "en"
      ? { ...unknownOutcome("away"), isFinal: true, next: null, capped: false }
      : english.fetchReviews({ ...request, region: "en" }),
  );
  await scene.crawl();
  expect(await scene.findFeed("reviews", "de")).toMatchObject({ outcome: "ok" });
  expect((await ids()).sort()).toEqual([...created].sort());
  isAway = false;
  harness.clock.advance(hourMs);
  await scene.crawl();
  expect((await ids()).sort()).toEqual([...created].sort());
  expect(await scene.storedReviews()).toHaveLength(old.length + created.length);
});

test("other words in a fallback are no edit", async () => {
  scene = await openCrawlFixture(context, { store: "appstore" });
  const { harness } = scene;
  scene.writeReviews(5, { gapMs: minuteMs });
  await scene.crawl();
  harness.clock.advance(hourMs);
  const [first = ""] = scene.writeReviews(1);
  await scene.crawl();
  harness.clock.advance(hourMs);
  const [late = ""] = scene.writeReviews(1);
  const own = await scene.deps.openStore(scene.listing, "reviews");
  await answerWith(async (request) => {
    const page = await own.fetchReviews(request);
    const reviews = page.outcome === "ok" ? page.value.reviews : [];
    const salvaged = reviews.map((review) => ({ ...review, text: `${review.text} ` }));
    const undated = { ...salvaged[0], storeReviewId: "777", date: null };
    return {
      ...{ ...unknownOutcome("left out"), isFinal: true, next: null, capped: false },
      fallbackReviews: [...salvaged, undated as (typeof salvaged)[number]],
    };
  });
  await scene.crawl();
  const event = "review.created";
  expect(await scene.queuedEvents()).toEqual([
    { event, storeReviewId: first },
    { event, storeReviewId: late },
  ]);
  expect(await scene.storedReviews()).toHaveLength(7);
});

test("a store whose reviews can't be parsed any more has not become one without reviews", async () => {
  scene = await openCrawlFixture(context, { store: "appstore" });
  const old = scene.writeReviews(5, { gapMs: minuteMs });
  const own = await scene.deps.openStore(scene.listing, "reviews");
  let isOdd = true;
  await answerWith(async (request) => {
    const page = await own.fetchReviews(request);
    if (!isOdd || page.outcome !== "ok") return page;
    const { length: rejectedCount } = page.value.reviews;
    return { ...page, value: { ...page.value, reviews: [], rejectedCount } };
  });
  await scene.crawl();
  expect(await scene.findFeed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  isOdd = false;
  await scene.crawl();
  expect(await scene.findFeed()).toMatchObject({ outcome: "ok", lastError: null });
  expect(await scene.storedReviews()).toHaveLength(old.length);
  expect(await scene.queuedEvents()).toEqual([]);
});

test("an internal error during a crawl is shown in the coverage, and the crawl is tried again later", async () => {
  const ingest: IngestReviews = async () => {
    throw new Error("a row that no table takes");
  };
  scene = await openCrawlFixture(context, { store: "googleplay", ingest });
  scene.writeReviews(3);
  const { database } = context;
  const rescheduled = once<void>();
  const feeds = {
    ...database,
    async rescheduleFeed(feed: Parameters<typeof database.rescheduleFeed>[0]): Promise<void> {
      await database.rescheduleFeed(feed);
      rescheduled.resolve();
    },
  };
  const worker = startCrawlWorker({ ...scene.deps, feeds, delay: systemDelay });
  await rescheduled.promise;
  await worker.close();
  const { lastError, failureCount, nextDueAt, baselineAt } = await scene.findFeed();
  expect(lastError).toContain("internal error");
  expect({ failureCount, baselineAt }).toEqual({ failureCount: 1, baselineAt: null });
  expect(nextDueAt.getTime()).toBeGreaterThan(scene.harness.clock.now().getTime() + hourMs);
});

test("an app goes by the name of one storefront, whichever was read last", async () => {
  scene = await openCrawlFixture(context, { store: "appstore", countries: ["de", "jp", "us"] });
  for (const region of ["de", "us"]) {
    scene.harness.storeState.setRatings(scene.key, { region, histogram: [1, 2, 3, 4, 5] });
  }
  const store = await scene.deps.openStore(scene.listing, "ratings");
  const regions: string[] = [];
  const fetchApp: Store["fetchApp"] = async ({ externalAppId, region }) => {
    regions.push(region);
    return { outcome: "ok", value: { externalAppId, name: `Tides in ${region}`, iconUrl: "" } };
  };
  scene.deps.openStore = async () => ({ ...store, fetchApp });
  for (let day = 0; day < 3; day += 1) await scene.crawl();
  expect(regions.at(-1)).toBe("us");
  expect(regions.slice(-2)).toEqual(["us", "us"]);
});

test("an app that is removed and added again during a crawl starts with a silent backfill", async () => {
  const { clock, database } = context;
  let ingest: IngestReviews = async () => {
    throw new Error("not open yet");
  };
  scene = await openCrawlFixture(context, { store: "googleplay", ingest: (batch) => ingest(batch) });
  const { app, harness, key } = scene;
  const save = createIngest({ clock: harness.clock, database });
  scene.writeReviews(400, { gapMs: minuteMs });
  let pages = 0;
  ingest = async (batch) => {
    pages += 1;
    if (pages === 2)
      await removeApp({ clock, database, actor: "test" }, { id: app.id, workspaceId: null });
    return save(batch);
  };
  const { reports } = await scene.crawl();
  expect(reports).toMatchObject([{ stopReason: "another worker took over" }]);
  expect(await database.findListing(scene.listing.id)).toBeNull();
  expect(await scene.storedReviews()).toEqual([]);
  const again = await anApp(database, { workspaceId: app.workspaceId, ...key, isPrivate: true });
  expect(again.listingId).not.toBe(scene.listing.id);
  expect(await scene.queuedEvents()).toEqual([]);
});
