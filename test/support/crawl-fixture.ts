// An app in a simulated store, followed by a workspace with one channel, and passes over it on a clock that
// tests move: the real rooms from the store's page to the queue. Everything in it is invented.
import { openStoreHarness, type StoreHarness } from "../../simulator/store-harness.ts";
import type { AppKey, NewReview } from "../../simulator/store-state.ts";
import type { OnPage } from "../../src/crawling/crawl-report.ts";
import {
  type CrawledListing,
  type CrawlWorkerDeps,
  crawlListing,
} from "../../src/crawling/crawl-worker.ts";
import { type ThrottledHttp, throttleHttp } from "../../src/crawling/throttle.ts";
import type { Database } from "../../src/database/database.ts";
import type { Channel } from "../../src/domain/channel.ts";
import type { Feed } from "../../src/domain/feed.ts";
import type { App, Listing } from "../../src/domain/listing.ts";
import type { Review } from "../../src/domain/review.ts";
import type { StoreId } from "../../src/domain/store-id.ts";
import type { IngestReviews } from "../../src/ingest/ingest-batch.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { silentLog } from "../../src/lib/log.ts";
import { secondMs } from "../../src/lib/timestamp.ts";
import { createAppleStore } from "../../src/stores/apple/apple-store.ts";
import { createGoogleStore } from "../../src/stores/google/google-store.ts";
import { aChannel } from "./channel-world.ts";
import { anApp, aWorkspace } from "./factories.ts";
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
  /** So many reviews, the oldest first, ten seconds apart; their ids in the store. */
  writeReviews(count: number, given?: Partial<NewReview> & { gapMs?: number }): string[];
  /** One pass over every feed, whatever is due. */
  crawl(more?: { onPage?: OnPage; signal?: AbortSignal }): Promise<CrawledListing>;
  findFeed(kind?: Feed["kind"], region?: string): Promise<Feed>;
  storedReviews(): Promise<Review[]>;
  /** What was queued for the channel, oldest first. */
  queuedEvents(): Promise<QueuedEvent[]>;
  close(): Promise<void>;
};

const regions: Readonly<Record<StoreId, string>> = { appstore: "us", googleplay: "en" };

export async function openCrawlFixture(
  world: TestContext,
  wish: { store: StoreId; countries?: string[]; totalTimeoutMs?: number; ingest?: IngestReviews },
): Promise<CrawlFixture> {
  const { database } = world;
  const { store } = wish;
  const rig = await openStoreHarness({ totalTimeoutMs: wish.totalTimeoutMs ?? 2_000 });
  const { id: workspaceId } = await aWorkspace(database);
  const countries = wish.countries ?? (store === "appstore" ? ["us"] : []);
  const app = await anApp(database, { workspaceId, ...inStore(store), countries, isPrivate: true });
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("a listing that was just made is gone");
  const channel = aChannel({ workspaceId, createdAt: rig.clock.now(), periodDays: 1 });
  await database.insertChannel({ ...channel, sealedSecret: Buffer.alloc(1) });
  await followRegions(database, { listing, countries, now: rig.clock.now() });
  const key = { store, externalAppId: app.externalAppId };
  rig.storeState.addApp(key);
  const { paced, room } = openRoom(database, rig, wish.ingest);
  return {
    ...{ harness: rig, key, app, listing, channel, paced, deps: room },
    writeReviews: (count, given) => write(rig, { key, count, given }),
    crawl: (more = {}) => crawlListing(room, { listing, ...more }),
    async findFeed(kind = "reviews", region = kind === "reviews" ? regions[store] : "us") {
      const feeds = await database.listFeeds(listing.id);
      const found = feeds.find((feed) => feed.kind === kind && feed.region === region);
      if (!found) throw new Error(`no feed ${kind} ${region}`);
      return found;
    },
    storedReviews: () =>
      database.listReviewsById({ listingId: listing.id, afterId: null, limit: 10_000 }),
    queuedEvents: () => listTold(database, { channel, listing }),
    close: () => rig.close(),
  };
}

function inStore(store: StoreId): { store: StoreId; externalAppId?: string } {
  return store === "appstore" ? { store } : { store, externalAppId: "com.example.tidepool" };
}

async function followRegions(
  database: Database,
  followed: { listing: Listing; countries: readonly string[]; now: Date },
): Promise<void> {
  const { listing, countries, now } = followed;
  const reviewed = listing.store === "appstore" ? countries : ["en"];
  await database.setFeeds({ listingId: listing.id, kind: "reviews", regions: reviewed, now });
  await database.setFeeds({ listingId: listing.id, kind: "ratings", regions: countries, now });
}

function openRoom(database: Database, rig: StoreHarness, ingest: IngestReviews | undefined) {
  const { clock, http, simulator } = rig;
  const delay = async (durationMs: number): Promise<void> => clock.advance(durationMs);
  const pace = { clock, delay, random: () => 0.5, requestsPerSecond: 1 };
  const paced = throttleHttp(pace, http);
  const base = simulator.url;
  const open = { itunesBaseUrl: base, appsBaseUrl: base, http: paced.http };
  const stores = {
    appstore: paced.wrapStore(createAppleStore(open)),
    googleplay: paced.wrapStore(createGoogleStore({ http: paced.http, baseUrl: base })),
  };
  const room: CrawlWorkerDeps = {
    ...database,
    ...pace,
    log: silentLog,
    feeds: database,
    ingestReviews: ingest ?? createIngest({ clock, database }),
    ingestRatings: createRatingsIngest({ clock, database }),
    intervalMinutes: 60,
    openStore: async ({ store }) => stores[store],
    stopRequests: () => paced.stop(),
  };
  return { paced, room };
}

function write(
  rig: StoreHarness,
  written: {
    key: AppKey;
    count: number;
    given: (Partial<NewReview> & { gapMs?: number }) | undefined;
  },
): string[] {
  const { key, count } = written;
  const { gapMs = 10 * secondMs, ...given } = written.given ?? {};
  const now = rig.clock.now().getTime();
  const region = regions[key.store];
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(now - (count - 1 - index) * gapMs - secondMs);
    const text = `The tide table of port ${index} is right`;
    return rig.storeState.addReview(key, { rating: 4, text, region, at, ...given });
  });
}

async function listTold(
  database: Database,
  of: { channel: Channel; listing: Listing },
): Promise<QueuedEvent[]> {
  const asked = { channelId: of.channel.id, workspaceId: null, status: null, beforeId: null };
  const queued = await database.listDeliveries({ ...asked, limit: 1_000 });
  const ids = queued.flatMap(({ reviewId }) => reviewId ?? []);
  const reviews = await database.loadReviews({ listingId: of.listing.id, ids });
  const byId = new Map(reviews.map(({ id, storeReviewId }) => [id, storeReviewId]));
  return queued
    .reverse()
    .map(({ event, reviewId }) => ({ event, storeReviewId: byId.get(reviewId ?? "") ?? "" }));
}
