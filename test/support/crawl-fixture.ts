// An app in a simulated store, followed by a workspace with one channel, and crawls of it on a clock that
// tests move: the real modules from the store's page to the delivery queue.

import type { ApiAccounts } from "../../simulator/api-auth.ts";
import type { AppKey } from "../../simulator/store-facts.ts";
import type { NewReview } from "../../simulator/store-state.ts";
import { type CrawledListing, crawlListing } from "../../src/crawling/crawl-feed.ts";
import type { CrawlOptions } from "../../src/crawling/crawl-reviews.ts";
import type { CrawlWorkerDeps } from "../../src/crawling/crawl-worker.ts";
import { type ThrottledHttp, throttleHttp } from "../../src/crawling/throttle.ts";
import { Witnesses } from "../../src/crawling/witnesses.ts";
import type { Database } from "../../src/database/database.ts";
import type { Channel } from "../../src/domain/channel/channel.ts";
import type { Feed } from "../../src/domain/feed/feed.ts";
import type { App, Listing } from "../../src/domain/feed/listing.ts";
import type { Review } from "../../src/domain/review/review.ts";
import { ofEachStore, type StoreId } from "../../src/domain/store/store-id.ts";
import { hasReviewsByLanguage, storeTraits } from "../../src/domain/store/store-traits.ts";
import { openHealer } from "../../src/features/learned-shapes/heal-shapes.ts";
import type { IngestReviews } from "../../src/ingest/ingest-batch.ts";
import { createRatingAveragesIngest } from "../../src/ingest/ingest-rating-averages.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import type { Http } from "../../src/lib/http.ts";
import { silentLog } from "../../src/lib/log.ts";
import { secondMs } from "../../src/lib/timestamp.ts";
import { createStores } from "../../src/stores/create-stores.ts";
import { ActiveShapes } from "../../src/stores/shapes/active-shapes.ts";
import { anApp, aWorkspace, saveChannel } from "./factories.ts";
import { openStoreHarness, type StoreHarness, storesAt, testRegions } from "./store-harness.ts";
import type { TestContext } from "./test-context.ts";

export type QueuedEvent = { event: string; storeReviewId: string };

export type CrawlFixture = {
  harness: StoreHarness;
  key: AppKey;
  app: App;
  listing: Listing;
  channel: Channel;
  paced: ThrottledHttp;
  deps: CrawlWorkerDeps;
  /** Adds reviews to the store, oldest first, ten seconds apart; returns their ids in the store. */
  writeReviews(count: number, overrides?: Partial<NewReview> & { gapMs?: number }): string[];
  /** One crawl of every feed, due or not. */
  crawl(options?: CrawlOptions, deps?: CrawlWorkerDeps): Promise<CrawledListing>;
  findFeed(kind?: Feed["kind"], region?: string): Promise<Feed>;
  storedReviews(): Promise<Review[]>;
  /** The deliveries queued for the channel, oldest first. */
  queuedEvents(): Promise<QueuedEvent[]>;
  close(): Promise<void>;
};

export async function openCrawlFixture(
  context: Pick<TestContext, "database">,
  input: {
    store: StoreId;
    countries?: string[];
    totalTimeoutMs?: number;
    ingest?: IngestReviews;
    accounts?: ApiAccounts;
    /** Another app of the same workspace, in the same stores and read by the same process. */
    beside?: CrawlFixture;
    /** A language of Google Play each; English by default. */
    languages?: string[];
    /** Changes what the stores send. */
    changeHttp?: (http: Http) => Http;
  },
): Promise<CrawlFixture> {
  const { database } = context;
  const { store } = input;
  const { accounts, beside, totalTimeoutMs = 2_000 } = input;
  const harness =
    beside?.harness ?? (await openStoreHarness({ totalTimeoutMs, ...(accounts && { accounts }) }));
  const workspaceId = beside?.app.workspaceId ?? (await aWorkspace(database)).id;
  const countries = input.countries ?? (hasReviewsByLanguage(store) ? [] : [testRegions[store]]);
  const app = await anApp(database, { workspaceId, ...inStore(input), countries, isPrivate: true });
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("the new listing is missing");
  const createdAt = harness.clock.now();
  const channel = await saveChannel(database, { workspaceId, createdAt, periodDays: 1 });
  const { languages = ["en"] } = input;
  await followRegions(database, { listing, countries, languages, now: harness.clock.now() });
  const key = { store, externalAppId: app.externalAppId };
  harness.storeState.addApp(key);
  const { paced, deps } = beside ?? createCrawlDeps(database, harness, input);
  return {
    ...{ harness, key, app, listing, channel, paced, deps },
    writeReviews: (count, overrides) => addReviews(harness, { key, count, overrides }),
    crawl: (options = {}, own = deps) => crawlListing(own, { listing, ...options }),
    async findFeed(
      kind = "reviews",
      region = kind === "reviews" ? testRegions[store] : (storeTraits[store].soleRegion ?? "us"),
    ) {
      const feeds = await database.listFeeds(listing.id);
      const found = feeds.find((feed) => feed.kind === kind && feed.region === region);
      if (!found) throw new Error(`no feed ${kind} ${region}`);
      return found;
    },
    storedReviews: () =>
      database.listReviewsById({ listingId: listing.id, afterId: null, limit: 10_000 }),
    queuedEvents: () => listQueuedEvents(database, { channel, listing }),
    close: () => harness.close(),
  };
}

let besideCount = 0;

function inStore({ store, beside }: { store: StoreId; beside?: CrawlFixture }): {
  store: StoreId;
  externalAppId?: string;
} {
  if (!hasReviewsByLanguage(store)) return { store };
  if (beside) besideCount += 1;
  return { store, externalAppId: `com.example.tidepool${beside ? besideCount : ""}` };
}

async function followRegions(
  database: Database,
  feeds: { listing: Listing; countries: readonly string[]; languages: string[]; now: Date },
): Promise<void> {
  const { listing, countries, languages, now } = feeds;
  const reviewed = hasReviewsByLanguage(listing.store) ? languages : countries;
  await database.setFeeds({ listingId: listing.id, kind: "reviews", regions: reviewed, now });
  await database.setFeeds({ listingId: listing.id, kind: "ratings", regions: countries, now });
}

function createCrawlDeps(
  database: Database,
  harness: StoreHarness,
  { ingest, changeHttp = (http) => http }: Parameters<typeof openCrawlFixture>[1],
) {
  const { clock, http, simulator } = harness;
  const delay = async (durationMs: number): Promise<void> => clock.advance(durationMs);
  const throttle = { clock, delay, random: () => 0.5, requestsPerSecond: 1, hosts: database };
  const paced = throttleHttp(throttle, changeHttp(http));
  const shapes = new ActiveShapes();
  const created = createStores(storesAt(simulator.url), { http: paced.http, clock, shapes });
  const stores = ofEachStore((store) => paced.wrapStore(created[store]));
  const deps: CrawlWorkerDeps = {
    ...database,
    ...throttle,
    log: silentLog,
    feeds: database,
    witnesses: new Witnesses(),
    healer: openHealer({ ...database, clock, shapes, log: silentLog, mode: "on" }),
    ingestReviews: ingest ?? createIngest({ clock, database }),
    ingestRatings: createRatingsIngest({ clock, database }),
    ingestRatingAverages: createRatingAveragesIngest({ database }),
    intervalMinutes: 60,
    findIntervalBounds: async () => ({ intervalMinutes: 60, intervalMinutesMax: 60 }),
    openStore: async ({ store }) => stores[store],
    stopRequests: () => paced.stop(),
  };
  return { paced, deps };
}

function addReviews(
  harness: StoreHarness,
  input: {
    key: AppKey;
    count: number;
    overrides: (Partial<NewReview> & { gapMs?: number }) | undefined;
  },
): string[] {
  const { key, count } = input;
  const { gapMs = 10 * secondMs, ...overrides } = input.overrides ?? {};
  const now = harness.clock.now().getTime();
  const region = testRegions[key.store];
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(now - (count - 1 - index) * gapMs - secondMs);
    const text = `The tide table of port ${index} is right`;
    return harness.storeState.addReview(key, { rating: 4, text, region, at, ...overrides });
  });
}

async function listQueuedEvents(
  database: Database,
  { channel, listing }: { channel: Channel; listing: Listing },
): Promise<QueuedEvent[]> {
  const query = { channelId: channel.id, workspaceId: null, status: null, beforeId: null };
  const queued = await database.listDeliveries({ ...query, limit: 1_000 });
  const ids = queued.flatMap(({ reviewId }) => reviewId ?? []);
  const reviews = await database.loadReviews({ listingId: listing.id, ids });
  const byId = new Map(reviews.map(({ id, storeReviewId }) => [id, storeReviewId]));
  // A channel gets the reviews of all apps of its workspace.
  const own = queued.filter(({ reviewId }) => reviewId === null || byId.has(reviewId));
  return own
    .reverse()
    .map(({ event, reviewId }) => ({ event, storeReviewId: byId.get(reviewId ?? "") ?? "" }));
}
