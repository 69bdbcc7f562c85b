// The facts besides a review's text from official sources and public pages: which were removed,
// the version of each, and facts of the app.
import { beforeEach, expect, test } from "vitest";
import { connectIdOf } from "../simulator/connect-review.ts";
import { generateStoreKeys } from "../simulator/store-keys.ts";
import { crawlListing } from "../src/crawling/crawl-feed.ts";
import type { StoreId } from "../src/domain/store/store-id.ts";
import { createAppStoreConnect } from "../src/features/store-accounts/apple/connect-store.ts";
import { createPlayDeveloper } from "../src/features/store-accounts/google/play-store.ts";
import { dayMs, hourMs } from "../src/lib/timestamp.ts";
import type { FetchedPage, Store } from "../src/stores/store.ts";
import { toCoverage } from "../src/use-cases/apps/coverage.ts";
import { describeFailingFeeds } from "../src/use-cases/apps/feed-notes.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

const keys = generateStoreKeys();
let context: TestContext;
let fixture: CrawlFixture;

beforeEach(async () => {
  context = await openTestContext();
  return () => context.close();
});

async function open(store: StoreId = "appstore"): Promise<void> {
  fixture = await openCrawlFixture(context, { store, countries: ["us"], accounts: keys.accounts });
}

/** One crawl through App Store Connect; a day later it is a full one. */
async function crawl(): Promise<void> {
  const { deps, harness, listing } = fixture;
  const connect = createAppStoreConnect({
    http: harness.http,
    baseUrl: harness.simulator.url,
    clock: harness.clock,
    credential: keys.team,
    publicStore: harness.apple,
  });
  await crawlListing({ ...deps, openStore: async () => connect }, { listing });
}

async function crawlInFull(): Promise<void> {
  fixture.harness.clock.advance(1.2 * dayMs);
  await crawl();
}

async function removedIds(): Promise<string[]> {
  const reviews = await fixture.storedReviews();
  return reviews.filter(({ removedAt }) => removedAt).map(({ storeReviewId }) => storeReviewId);
}

test("a review that the whole list no longer has is marked, announced to nobody, and comes back", async () => {
  await open();
  const ids = fixture.writeReviews(450);
  await crawl();
  const [oldest = "", , middle = ""] = [ids[0], ids[1], ids[230]];
  const newest = ids.at(-1) ?? "";
  const removed = [oldest, middle, newest];
  const { harness, key } = fixture;
  const events = await fixture.queuedEvents();
  for (const id of removed) harness.storeState.removeReview(key, id);
  harness.clock.advance(2 * hourMs);
  await crawl();
  // Only the end of a list shows the missing reviews.
  expect(await removedIds()).toEqual([]);
  await crawlInFull();
  expect((await removedIds()).sort()).toEqual(removed.map(connectIdOf).sort());
  expect(await fixture.storedReviews()).toHaveLength(450);
  expect(await fixture.queuedEvents()).toEqual(events);

  const at = new Date(harness.clock.now().getTime() - hourMs);
  const text = "The tide table of port 449 is right";
  harness.storeState.addReview(key, { storeReviewId: newest, rating: 4, text, region: "us", at });
  await crawl();
  expect(await removedIds()).not.toContain(connectIdOf(newest));
  expect(await fixture.queuedEvents()).toEqual(events);
});

test("nothing is marked where much is missing at once, or what was imported never was in the list", async () => {
  await open();
  const ids = fixture.writeReviews(30);
  await crawl();
  const { deps, harness, key, listing } = fixture;
  const imported = { ...(await fixture.storedReviews())[0], storeReviewId: "from-elsewhere" };
  await deps.ingestReviews({
    listing,
    reviews: [{ ...imported, rating: 4, text: "Imported" } as never],
    source: "import",
    notifyPolicy: { kind: "never" },
    undatedAt: null,
  });
  for (const id of ids.slice(0, 15)) harness.storeState.removeReview(key, id);
  await crawlInFull();
  expect(await fixture.storedReviews()).toHaveLength(31);
  expect(await removedIds()).toEqual([]);
});

test("each review of App Store Connect has its version, and a new one asks for few lists", async () => {
  await open();
  const versions = ["1.0", "1.1", "2.0"];
  for (const [index, version] of versions.entries()) {
    fixture.harness.clock.advance((1 + index) * dayMs);
    fixture.writeReviews(150, { version });
  }
  await crawl();
  const stored = await fixture.storedReviews();
  const counts = versions.map((name) => stored.filter(({ version }) => version === name).length);
  expect(counts).toEqual([150, 150, 150]);

  fixture.harness.clock.advance(2 * hourMs);
  fixture.writeReviews(1, { version: "2.0" });
  const before = fixture.harness.simulator.requests.length;
  await crawl();
  const requests = fixture.harness.simulator.requests
    .slice(before)
    .filter(({ kind }) => kind === "connect-version-reviews");
  expect(requests.length).toBeLessThanOrEqual(versions.length);
});

test("a key that may not read versions reads the reviews all the same", async () => {
  await open();
  fixture.writeReviews(3, { version: "1.0" });
  fixture.harness.simulator.faultFlags.enable({
    ...{ fault: "refused", status: 403 },
    when: { kind: "connect-versions" },
  });
  await crawl();
  const stored = await fixture.storedReviews();
  expect(stored.map(({ version }) => version)).toEqual(["", "", ""]);
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", lastError: null });
});

test("versions that a key may not read never stop its reviews, and the coverage names them", async () => {
  await open();
  const { harness, paced, deps, listing } = fixture;
  const { http, simulator, clock, apple } = { ...harness, http: paced.http };
  const connect = paced.wrapStore(
    createAppStoreConnect({
      ...{ http, baseUrl: simulator.url, clock, credential: keys.team, publicStore: apple },
      delay: async () => {},
    }),
    "account",
  );
  simulator.faultFlags.enable({
    ...{ fault: "refused", status: 403 },
    when: { kind: "connect-versions" },
  });
  for (let round = 0; round < 8; round += 1) {
    fixture.writeReviews(1);
    await crawlListing({ ...deps, openStore: async () => connect }, { listing });
    expect(await fixture.findFeed()).toMatchObject({
      ...{ outcome: "ok", lastError: null },
      stopReason: expect.stringContaining("app versions can't be read with this key"),
    });
    harness.clock.advance(2 * hourMs);
  }
  expect(await fixture.storedReviews()).toHaveLength(8);
});

/** Reads Google Play through a service account, whose pages a test can change. */
async function crawlPlay(
  more: {
    bucket?: string;
    change?: (page: FetchedPage, cursor: string | null) => FetchedPage;
  } = {},
): Promise<void> {
  const { deps, harness, listing, paced } = fixture;
  const { url } = harness.simulator;
  const developer = createPlayDeveloper({
    ...{ http: paced.http, clock: harness.clock, publicStore: harness.google },
    ...{ androidPublisherBaseUrl: url, oauthBaseUrl: url, storageBaseUrl: url },
    workspaceId: "workspace",
    credential: { ...keys.service, ...(more.bucket && { bucket: more.bucket }) },
  });
  const { change = (page: FetchedPage) => page } = more;
  const changed: Store = {
    ...developer,
    fetchReviews: async (request) => change(await developer.fetchReviews(request), request.cursor),
  };
  const source = paced.wrapStore(changed, "account");
  const openStore = async (_: unknown, kind: string) =>
    kind === "reviews" ? source : harness.google;
  await crawlListing({ ...deps, openStore }, { listing });
}

test("a bucket that can't be read leaves the list as it is: the first crawl ends, and news are announced", async () => {
  await open("googleplay");
  const bucket = "pubsite_prod_rev_9";
  fixture.writeReviews(3);
  await crawlPlay({ bucket });
  expect(await fixture.findFeed()).toMatchObject({
    ...{ outcome: "ok", lastError: null, truncated: true, baselineAt: expect.any(Date) },
    stopReason: expect.stringContaining("download bulk reports"),
  });
  fixture.harness.clock.advance(2 * hourMs);
  const [storeReviewId] = fixture.writeReviews(1, { rating: 1 });
  await crawlPlay({ bucket });
  expect(await fixture.queuedEvents()).toEqual([{ event: "review.created", storeReviewId }]);
});

test("a bucket that does not exist is named with its other spelling, until a crawl reads one", async () => {
  await open("googleplay");
  const bucket = "pubsite_prod_0123";
  const { database } = context;
  const { faultFlags } = fixture.harness.simulator;
  fixture.writeReviews(3);
  faultFlags.enable({ fault: "refused", status: 404, when: { kind: "storage-list" } });
  await crawlPlay({ bucket });
  const missingPart = expect.stringContaining(
    "no bucket pubsite_prod_0123. Some accounts have pubsite_prod_rev_0123 instead",
  );
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", missingPart });
  expect(await database.listFailingFeeds(10)).toMatchObject([{ reason: missingPart, count: 1 }]);
  const app = { ...fixture.app, credentialId: "c" };
  const now = fixture.harness.clock.now();
  const coverage = toCoverage(await fixture.findFeed(), { app, now });
  const [line] = describeFailingFeeds({ ...app, feeds: [coverage] } as never);
  expect(line).toContain("pubsite_prod_rev_0123");
  // A crawl that stops at known reviews doesn't ask for the bucket.
  fixture.harness.clock.advance(2 * hourMs);
  await crawlPlay({ bucket });
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", missingPart });
  faultFlags.disable();
  fixture.harness.clock.advance(1.2 * dayMs);
  await crawlPlay();
  expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", missingPart: null });
  expect(await database.listFailingFeeds(10)).toEqual([]);
});

test("exports that lag behind erase no reply, restore no text and hold no page back", async () => {
  await open("googleplay");
  const reply = { text: "Thank you.", at: fixture.harness.clock.now() };
  fixture.writeReviews(6, { reply });
  const lag = (page: FetchedPage, cursor: string | null): FetchedPage => {
    if (page.outcome !== "ok" || !cursor?.startsWith("files")) return page;
    const reviews = page.value.reviews.map((review) => ({
      ...review,
      ...{ reply: null, text: "As it was last week", device: "sample" },
      // Every review was edited since.
      date: new Date((review.date?.getTime() ?? 0) - dayMs),
    }));
    return { ...page, value: { ...page.value, reviews } };
  };
  for (let day = 0; day < 3; day += 1) {
    await crawlPlay({ change: lag });
    const stored = await fixture.storedReviews();
    expect(stored.filter((review) => review.reply?.text === reply.text)).toHaveLength(6);
    expect(stored.some(({ text }) => text === "As it was last week")).toBe(false);
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", quarantinedPage: null });
    fixture.harness.clock.advance(1.2 * dayMs);
  }
});

test.each(["appstore", "googleplay"] as const)("%s tells what is out of an app", async (store) => {
  await open(store);
  const { harness, key } = fixture;
  const shown = { releaseNotes: "Faster & calmer.\nFixes.", price: 4.99, currency: "USD" };
  harness.storeState.addApp({
    ...{ ...key, name: "Lanternfish", version: "3.2" },
    facts: {
      ...{ ...shown, genre: "Weather", installs: 50_000 },
      releasedAt: new Date("2026-02-01T00:00:00Z"),
    },
  });
  harness.storeState.setRatings(key, { region: "us", histogram: [1, 1, 1, 1, 6] });
  await fixture.crawl();
  const [app] = await context.database.listApps({ workspaceId: fixture.app.workspaceId });
  expect(app?.facts).toEqual({
    version: "3.2",
    releasedAt: "2026-02-01T00:00:00Z",
    releaseNotes: "Faster & calmer.\nFixes.",
    price: "4.99 USD",
    genre: "Weather",
    installs: store === "googleplay" ? 50_000 : null,
  });
});

test("exports of ratings in the developer's bucket fill the days before the first snapshot", async () => {
  await open("googleplay");
  const { app, deps, harness, key, listing, paced } = fixture;
  for (const [rating, day] of [
    [5, "2026-09-10"],
    [2, "2026-11-02"],
  ] as const) {
    const at = new Date(`${day}T10:00:00Z`);
    harness.storeState.addReview(key, { region: "en", rating, text: "Words.", at });
  }
  harness.storeState.setRatings(key, { region: "us", histogram: [1, 1, 1, 1, 6] });
  const { url } = harness.simulator;
  const developer = createPlayDeveloper({
    ...{ http: paced.http, clock: harness.clock, publicStore: harness.google },
    ...{ androidPublisherBaseUrl: url, oauthBaseUrl: url, storageBaseUrl: url },
    workspaceId: "workspace",
    credential: keys.service,
  });
  const source = paced.wrapStore(developer, "account");
  const openStore = async (_: unknown, kind: string) =>
    kind === "reviews" ? source : harness.google;
  await crawlListing({ ...deps, openStore }, { listing });
  const days = { apps: [app], from: "2026-01-01", to: "2026-12-31" };
  expect(await context.database.listRatingAverages(days)).toEqual([
    { appId: app.id, day: "2026-09-10", average: 5 },
    { appId: app.id, day: "2026-11-02", average: 3.5 },
  ]);
  expect(await context.database.listRatingAverageMonths(listing.id)).toEqual(
    new Set(["202609", "202611"]),
  );
});
