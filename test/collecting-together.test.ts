// What happens to an app beside a pass over it: another language that shows the same reviews, the same
// words told in another way, an app that is removed and added again while it is read.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startCrawlWorker } from "../src/crawling/crawl-worker.ts";
import type { IngestReviews } from "../src/ingest/ingest-batch.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { systemDelay } from "../src/lib/delay.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { unknown } from "../src/stores/response-check.ts";
import type { Store } from "../src/stores/store.ts";
import { removeApp } from "../src/use-cases/apps/apps.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { anApp } from "./support/factories.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let world: TestContext;
let scene: CrawlFixture;

beforeAll(async () => {
  world = await openTestContext();
});
afterAll(() => world.close());
afterEach(() => scene.close());

/** From now on the store answers with this in place of its own word. */
async function answerWith(fetchReviews: Store["fetchReviews"]): Promise<void> {
  const store = await scene.deps.openStore(scene.listing, "reviews");
  scene.deps.openStore = async () => ({ ...store, fetchReviews });
}

const ids = async () => (await scene.queuedEvents()).map(({ storeReviewId }) => storeReviewId);

test("a review that a new language shows first is told all the same, and once", async () => {
  scene = await openCrawlFixture(world, { store: "googleplay" });
  const { harness: rig, listing } = scene;
  const old = scene.writeReviews(20, { gapMs: hourMs });
  await scene.crawl();
  rig.clock.advance(hourMs);
  const created = scene.writeReviews(2);
  const regions = ["en", "de"];
  await world.database.setFeeds({
    ...{ listingId: listing.id, kind: "reviews", regions },
    now: rig.clock.now(),
  });
  // Both languages show the same reviews, and the first is away for a moment.
  const english = await scene.deps.openStore(listing, "reviews");
  let isAway = true;
  await answerWith(async (asked) =>
    isAway && asked.region === "en"
      ? { ...unknown("away"), isFinal: true, next: null, capped: false }
      : english.fetchReviews({ ...asked, region: "en" }),
  );
  await scene.crawl();
  expect(await scene.findFeed("reviews", "de")).toMatchObject({ outcome: "ok" });
  expect((await ids()).sort()).toEqual([...created].sort());
  isAway = false;
  rig.clock.advance(hourMs);
  await scene.crawl();
  expect((await ids()).sort()).toEqual([...created].sort());
  expect(await scene.storedReviews()).toHaveLength(old.length + created.length);
});

test("words that another place tells in its own way are no edit", async () => {
  scene = await openCrawlFixture(world, { store: "appstore" });
  const { harness: rig } = scene;
  scene.writeReviews(5, { gapMs: minuteMs });
  await scene.crawl();
  rig.clock.advance(hourMs);
  const [first = ""] = scene.writeReviews(1);
  await scene.crawl();
  rig.clock.advance(hourMs);
  const [late = ""] = scene.writeReviews(1);
  const own = await scene.deps.openStore(scene.listing, "reviews");
  await answerWith(async (asked) => {
    const page = await own.fetchReviews(asked);
    const reviews = page.outcome === "ok" ? page.value.reviews : [];
    const salvaged = reviews.map((review) => ({ ...review, text: `${review.text} ` }));
    const undated = { ...salvaged[0], storeReviewId: "777", date: null };
    return {
      ...{ ...unknown("left out"), isFinal: true, next: null, capped: false },
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

test("a store whose reviews can't be read any more has not become one without reviews", async () => {
  scene = await openCrawlFixture(world, { store: "appstore" });
  const old = scene.writeReviews(5, { gapMs: minuteMs });
  const own = await scene.deps.openStore(scene.listing, "reviews");
  let isOdd = true;
  await answerWith(async (asked) => {
    const page = await own.fetchReviews(asked);
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

test("a pass that fails for reasons of our own is told in the coverage and tried again later", async () => {
  const ingest: IngestReviews = async () => {
    throw new Error("a row that no table takes");
  };
  scene = await openCrawlFixture(world, { store: "googleplay", ingest });
  scene.writeReviews(3);
  const collector = startCrawlWorker({ ...scene.deps, delay: systemDelay });
  while ((await scene.findFeed()).lastError === null) await new Promise(setImmediate);
  await collector.close();
  const { lastError, failureCount, nextDueAt, baselineAt } = await scene.findFeed();
  expect(lastError).toContain("on our side");
  expect({ failureCount, baselineAt }).toEqual({ failureCount: 1, baselineAt: null });
  expect(nextDueAt.getTime()).toBeGreaterThan(scene.harness.clock.now().getTime() + hourMs);
});

test("an app goes by the name of one storefront, whichever was read last", async () => {
  scene = await openCrawlFixture(world, { store: "appstore", countries: ["de", "jp", "us"] });
  for (const region of ["de", "us"]) {
    scene.harness.storeState.setRatings(scene.key, { region, histogram: [1, 2, 3, 4, 5] });
  }
  const store = await scene.deps.openStore(scene.listing, "ratings");
  const asked: string[] = [];
  const fetchApp: Store["fetchApp"] = async ({ externalAppId, region }) => {
    asked.push(region);
    return { outcome: "ok", value: { externalAppId, name: `Tides in ${region}`, iconUrl: "" } };
  };
  scene.deps.openStore = async () => ({ ...store, fetchApp });
  for (let day = 0; day < 3; day += 1) await scene.crawl();
  expect(asked.at(-1)).toBe("us");
  expect(asked.slice(-2)).toEqual(["us", "us"]);
});

test("an app that is removed and added again in the middle of a pass begins anew, silently", async () => {
  const { clock, database } = world;
  let ingest: IngestReviews = async () => {
    throw new Error("not open yet");
  };
  scene = await openCrawlFixture(world, { store: "googleplay", ingest: (batch) => ingest(batch) });
  const { app, harness: rig, key } = scene;
  const save = createIngest({ clock: rig.clock, database });
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
