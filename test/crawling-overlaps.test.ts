// Changes of an app during a crawl: another language shows the same reviews, a fallback has them in
// other words, the app is removed and added again.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startCrawlWorker } from "../src/crawling/crawl-worker.ts";
import type { IngestReviews } from "../src/ingest/ingest-batch.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { systemDelay } from "../src/lib/delay.ts";
import { dayMs, hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { unknownOutcome } from "../src/stores/response-check.ts";
import type { Store } from "../src/stores/store.ts";
import { removeApp } from "./support/acts.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { anApp } from "./support/factories.ts";
import { createSignal } from "./support/signal.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let fixture: CrawlFixture;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => fixture.close());

/** From now on the store returns these pages in place of its own. */
async function answerWith(fetchReviews: Store["fetchReviews"]): Promise<void> {
  const store = await fixture.deps.openStore(fixture.listing, "reviews");
  fixture.deps.openStore = async () => ({ ...store, fetchReviews });
}

const ids = async () => (await fixture.queuedEvents()).map(({ storeReviewId }) => storeReviewId);

test("a review that a new language shows first is announced, and once", async () => {
  fixture = await openCrawlFixture(context, { store: "googleplay" });
  const { harness, listing } = fixture;
  const old = fixture.writeReviews(20, { gapMs: hourMs });
  await fixture.crawl();
  harness.clock.advance(hourMs);
  const created = fixture.writeReviews(2);
  const regions = ["en", "de"];
  await context.database.setFeeds({
    ...{ listingId: listing.id, kind: "reviews", regions },
    now: harness.clock.now(),
  });
  // Both languages show the same reviews, and the first is away for a moment.
  const english = await fixture.deps.openStore(listing, "reviews");
  let isAway = true;
  await answerWith(async (request) =>
    isAway && request.region === "en"
      ? { ...unknownOutcome("away"), isFinal: true, next: null, capped: false }
      : english.fetchReviews({ ...request, region: "en" }),
  );
  await fixture.crawl();
  expect(await fixture.findFeed("reviews", "de")).toMatchObject({ outcome: "ok" });
  expect((await ids()).sort()).toEqual([...created].sort());
  isAway = false;
  harness.clock.advance(hourMs);
  await fixture.crawl();
  expect((await ids()).sort()).toEqual([...created].sort());
  expect(await fixture.storedReviews()).toHaveLength(old.length + created.length);
});

test("other words in a fallback aren't an edit", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore" });
  const { harness } = fixture;
  fixture.writeReviews(5, { gapMs: minuteMs });
  await fixture.crawl();
  harness.clock.advance(hourMs);
  const [first = ""] = fixture.writeReviews(1);
  await fixture.crawl();
  harness.clock.advance(hourMs);
  const [late = ""] = fixture.writeReviews(1);
  const own = await fixture.deps.openStore(fixture.listing, "reviews");
  await answerWith(async (request) => {
    const page = await own.fetchReviews(request);
    const reviews = page.outcome === "ok" ? page.value.reviews : [];
    const salvaged = reviews.map((review) => {
      const isFirst = review.storeReviewId === first;
      return isFirst ? { ...review, text: "It was said in other words" } : review;
    });
    const undated = { ...salvaged[0], storeReviewId: "777", date: null };
    return {
      ...{ ...unknownOutcome("left out"), isFinal: true, next: null, capped: false },
      fallbackReviews: [...salvaged, undated as (typeof salvaged)[number]],
    };
  });
  await fixture.crawl();
  const event = "review.created";
  expect(await fixture.queuedEvents()).toEqual([
    { event, storeReviewId: first },
    { event, storeReviewId: late },
  ]);
  expect(await fixture.storedReviews()).toHaveLength(7);
});

test("a store whose reviews can't be parsed any more has not become one without reviews", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore" });
  const old = fixture.writeReviews(5, { gapMs: minuteMs });
  const own = await fixture.deps.openStore(fixture.listing, "reviews");
  let isOdd = true;
  await answerWith(async (request) => {
    const page = await own.fetchReviews(request);
    if (!isOdd || page.outcome !== "ok") return page;
    const { length: rejectedCount } = page.value.reviews;
    return { ...page, value: { ...page.value, reviews: [], rejectedCount } };
  });
  await fixture.crawl();
  expect(await fixture.findFeed()).toMatchObject({ outcome: "unknown", baselineAt: null });
  isOdd = false;
  await fixture.crawl();
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", lastError: null });
  expect(await fixture.storedReviews()).toHaveLength(old.length);
  expect(await fixture.queuedEvents()).toEqual([]);
});

test("an internal error during a crawl is shown in the coverage, and the crawl is tried again later", async () => {
  const ingest: IngestReviews = async () => {
    throw new Error("a row that no table takes");
  };
  fixture = await openCrawlFixture(context, { store: "googleplay", ingest });
  fixture.writeReviews(3);
  const { database } = context;
  const rescheduled = createSignal("the reschedule of the feed");
  const feeds = {
    ...database,
    async rescheduleFeed(feed: Parameters<typeof database.rescheduleFeed>[0]): Promise<void> {
      await database.rescheduleFeed(feed);
      if (feed.listingId === fixture.listing.id) rescheduled.notify();
    },
  };
  const worker = startCrawlWorker({ ...fixture.deps, feeds, delay: systemDelay });
  await rescheduled.received(10_000);
  await worker.close();
  const { lastError, failureCount, nextDueAt, baselineAt } = await fixture.findFeed();
  expect(lastError).toContain("internal error");
  expect({ failureCount, baselineAt }).toEqual({ failureCount: 1, baselineAt: null });
  expect(nextDueAt.getTime()).toBeGreaterThan(fixture.harness.clock.now().getTime() + hourMs);
});

test("an app goes by the name of one storefront, whichever was read last", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore", countries: ["de", "jp", "us"] });
  for (const region of ["de", "us"]) {
    fixture.harness.storeState.setRatings(fixture.key, { region, histogram: [1, 2, 3, 4, 5] });
  }
  const store = await fixture.deps.openStore(fixture.listing, "ratings");
  const regions: string[] = [];
  const fetchApp: Store["fetchApp"] = async ({ externalAppId, region }) => {
    regions.push(region);
    return { outcome: "ok", value: { externalAppId, name: `Tides in ${region}`, iconUrl: "" } };
  };
  fixture.deps.openStore = async () => ({ ...store, fetchApp });
  for (let day = 0; day < 3; day += 1) await fixture.crawl();
  expect(regions.at(-1)).toBe("us");
  expect(regions.slice(-2)).toEqual(["us", "us"]);
});

test("a new name is saved when a second day shows it, and the old one stays until then", async () => {
  fixture = await openCrawlFixture(context, { store: "appstore", countries: ["us"] });
  fixture.harness.storeState.setRatings(fixture.key, { region: "us", histogram: [1, 2, 3, 4, 5] });
  const store = await fixture.deps.openStore(fixture.listing, "ratings");
  let name = "Tides";
  const fetchApp: Store["fetchApp"] = async ({ externalAppId }) => ({
    outcome: "ok",
    value: { externalAppId, name, iconUrl: "" },
  });
  fixture.deps.openStore = async () => ({ ...store, fetchApp });
  const readName = async (): Promise<string | null | undefined> => {
    fixture.harness.clock.advance(dayMs);
    await fixture.crawl();
    return (await context.database.findListingDetails(fixture.listing.id))?.name;
  };
  const first = await readName();
  name = "Sample Makers";
  expect(await readName()).toBe(first);
  name = "Tides";
  await readName();
  name = "Tides and Moons";
  const names = [await readName(), await readName()];
  expect(names.at(-1)).toBe("Tides and Moons");
  expect(names.at(0)).not.toBe("Tides and Moons");
});

test("an app that is removed and added again during a crawl starts with a silent backfill", async () => {
  const { clock, database } = context;
  let ingest: IngestReviews = async () => {
    throw new Error("not open yet");
  };
  fixture = await openCrawlFixture(context, {
    store: "googleplay",
    ingest: (batch) => ingest(batch),
  });
  const { app, harness, key } = fixture;
  const save = createIngest({ clock: harness.clock, database });
  fixture.writeReviews(400, { gapMs: minuteMs });
  let pages = 0;
  ingest = async (batch) => {
    pages += 1;
    if (pages === 2)
      await removeApp({ clock, database, actor: "test" }, { id: app.id, workspaceId: null });
    return save(batch);
  };
  const { summaries } = await fixture.crawl();
  expect(summaries).toMatchObject([{ stopReason: "another worker took over" }]);
  expect(await database.findListing(fixture.listing.id)).toBeNull();
  expect(await fixture.storedReviews()).toEqual([]);
  const again = await anApp(database, { workspaceId: app.workspaceId, ...key, isPrivate: true });
  expect(again.listingId).not.toBe(fixture.listing.id);
  expect(await fixture.queuedEvents()).toEqual([]);
});

test("a crawl that stood still past its lease saves nothing, and swallows no review", async () => {
  fixture = await openCrawlFixture(context, { store: "googleplay" });
  const { harness } = fixture;
  fixture.writeReviews(20, { gapMs: hourMs });
  const own = await fixture.deps.openStore(fixture.listing, "reviews");
  let created: string[] = [];
  await answerWith(async (request) => {
    // While this request is held, another worker takes over, ends the backfill, and a user writes.
    harness.clock.advance(minuteMs);
    await answerWith(own.fetchReviews);
    await fixture.crawl();
    created = fixture.writeReviews(1);
    return own.fetchReviews(request);
  });
  const stalled = await fixture.crawl();
  expect(stalled.summaries).toMatchObject([{ new: 0, stopReason: "another worker took over" }]);
  expect(await fixture.storedReviews()).toHaveLength(20);
  harness.clock.advance(hourMs);
  await fixture.crawl();
  expect(await ids()).toEqual(created);
});
