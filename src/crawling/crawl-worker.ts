// The scheduler: claims feeds that are due and walks them, a few at a time, until it is closed. Any
// number of processes share one database; a lease keeps them off each other's feeds.
import { randomUUID } from "node:crypto";
import { AppError } from "../domain/error.ts";
import type { ClaimedFeed, Feed, FeedKey, FeedKind } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import { newsSince } from "../ingest/notify-policy.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs } from "../lib/timestamp.ts";
import type { Store, StoreApp } from "../stores/store.ts";
import { feedLeaseMs, type PassRoom } from "./crawl-deps.ts";
import { collectRatings, type RatingsRoom } from "./crawl-ratings.ts";
import { type OnPage, type PassReport, stoppedWithService } from "./crawl-report.ts";
import { collectReviews } from "./crawl-reviews.ts";
import { nextReviewsDueAt } from "./schedule.ts";

export type CollectRoom = PassRoom &
  RatingsRoom & {
    log: Log;
    feeds: {
      putOffFeed(
        putOff: FeedKey & { leaseToken: string; lastError: string; nextDueAt: Date; now: Date },
      ): Promise<void>;
    };
    /** Who is asked for the feeds of that kind: the public store, or a workspace's account there. */
    openStore(listing: Listing, kind: FeedKind): Promise<Store>;
    listFeeds(listingId: string): Promise<Feed[]>;
    findListing(id: string): Promise<Listing | null>;
    claimDueFeeds(claim: {
      token: string;
      limit: number;
      now: Date;
      leasedUntil: Date;
    }): Promise<ClaimedFeed[]>;
    claimFeedsOfListing(claim: {
      listingId: string;
      token: string;
      now: Date;
      leasedUntil: Date;
    }): Promise<ClaimedFeed[]>;
    renewFeedLease(held: FeedKey & { leaseToken: string; leasedUntil: Date }): Promise<void>;
    saveListingFacts(facts: { id: string } & Pick<StoreApp, "name" | "iconUrl">): Promise<void>;
  };

/** Besides: the end of all asking, when the collector closes. */
export type CollectorRoom = CollectRoom & { stopAsking(): void };

export type Collector = {
  /** Looks for due feeds at once instead of at the next tick. */
  wake(): void;
  /** Cuts what waits for a store, lets go of its feeds and resolves when all is written. */
  close(): Promise<void>;
};

// Hosts are asked one request at a time anyway: more passes at once would only wait in their row.
const passCountMax = 8;
const tickMs = minuteMs / 12;

export function startCollector(room: CollectorRoom): Collector {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  let wakeUp = new AbortController();
  const loop = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await claimSome();
      wakeUp = new AbortController();
      const rest = AbortSignal.any([stop.signal, wakeUp.signal]);
      await Promise.race([
        room.delay(tickMs, rest),
        ...(running.size >= passCountMax ? running : []),
      ]);
    }
    await Promise.all(running);
  }

  async function claimSome(): Promise<void> {
    const limit = passCountMax - running.size;
    if (limit <= 0) return;
    try {
      const feeds = await room.claimDueFeeds({ ...newLease(room.clock), limit });
      for (const feed of feeds) {
        const work = () =>
          walkFeed(room, { feed, signal: stop.signal }).catch((error) => putOff(room, feed, error));
        track(holdWhile(room, { feeds: [feed], work }));
      }
    } catch (error) {
      room.log.warn({ err: error }, "due feeds could not be claimed; trying again");
    }
  }

  function track(walk: Promise<unknown>): void {
    const done = walk.then(
      () => wakeUp.abort(),
      (error: unknown) => room.log.error({ err: error }, "a pass broke off"),
    );
    const tracked = done.finally(() => running.delete(tracked));
    running.add(tracked);
  }

  return {
    wake: () => wakeUp.abort(),
    async close() {
      // In this order: a pass whose request fails now knows why.
      stop.abort();
      room.stopAsking();
      await loop;
    },
  };
}

/** What passes over a listing did, and its feeds that another worker is at. */
export type CollectedListing = { reports: PassReport[]; held: Feed[] };

/** One pass over every feed of a listing now, except those that another worker is at. */
export async function collectListing(
  room: CollectRoom,
  asked: { listing: Listing; onPage?: OnPage; signal?: AbortSignal },
): Promise<CollectedListing> {
  const claimed = await room.claimFeedsOfListing({
    ...newLease(room.clock),
    listingId: asked.listing.id,
  });
  const isClaimed = (feed: Feed): boolean =>
    claimed.some(({ kind, region }) => kind === feed.kind && region === feed.region);
  const feeds = await room.listFeeds(asked.listing.id);
  const reports: PassReport[] = [];
  await holdWhile(room, {
    feeds: claimed,
    work: async () => {
      for (const feed of claimed) {
        const report = await walkFeed(room, { feed, ...asked });
        if (report) reports.push(report);
      }
    },
  });
  return { reports, held: feeds.filter((feed) => !isClaimed(feed)) };
}

// A pass may wait long for its store. A third of the lease leaves room for two renewals that fail.
const renewMs = feedLeaseMs / 3;

/** Feeds that are finished meanwhile have no lease any more, and are left alone. */
async function holdWhile<T>(
  room: CollectRoom,
  held: { feeds: readonly ClaimedFeed[]; work: () => Promise<T> },
): Promise<T> {
  const renew = async (): Promise<void> => {
    const leasedUntil = new Date(room.clock.now().getTime() + feedLeaseMs);
    try {
      for (const feed of held.feeds) await room.renewFeedLease({ ...feed, leasedUntil });
    } catch (error) {
      room.log.warn({ err: error }, "a feed's lease could not be renewed");
    }
  };
  let renewing = Promise.resolve();
  const beat = setInterval(() => {
    renewing = renewing.then(renew);
  }, renewMs);
  try {
    return await held.work();
  } finally {
    clearInterval(beat);
    await renewing;
  }
}

async function walkFeed(
  room: CollectRoom,
  walk: { feed: ClaimedFeed; onPage?: OnPage; signal?: AbortSignal },
): Promise<PassReport | null> {
  const listing = await room.findListing(walk.feed.listingId);
  // Removed since the claim: its feeds are gone with it.
  if (!listing) return null;
  const store = await room.openStore(listing, walk.feed.kind);
  if (walk.feed.kind === "reviews") {
    const feeds = walk.feed.baselineAt === null ? await room.listFeeds(listing.id) : [];
    const since = newsSince({ feed: walk.feed, listing, feeds, now: room.clock.now() });
    const report = await collectReviews(room, { ...walk, listing, store, newsSince: since });
    logPass(room, listing, report);
    return report;
  }
  const report = await collectRatings(room, { ...walk, listing, store });
  if (report.outcome === "ok")
    await refreshFacts(room, { listing, store, region: walk.feed.region });
  logPass(room, listing, report);
  return report;
}

/** Asked again at once, a store would be asked for ever; while the database is away nobody asks. */
async function putOff(room: CollectRoom, feed: ClaimedFeed, error: unknown): Promise<void> {
  const isOurs = error instanceof AppError;
  if (isOurs && error.code === "unavailable") throw error;
  room.log.error({ err: error, kind: feed.kind, region: feed.region }, "a pass broke off");
  const now = room.clock.now();
  const failureCount = feed.failureCount + 1;
  const next = { ...room, now, failureCount, retryAfterMs: null };
  await room.feeds.putOffFeed({
    ...feed,
    now,
    nextDueAt: nextReviewsDueAt(next),
    lastError: isOurs ? error.message : "something went wrong on our side; the log knows more",
  });
}

async function refreshFacts(
  room: CollectRoom,
  of: { listing: Listing; store: Store; region: string },
): Promise<void> {
  const { listing, region } = of;
  // Storefronts call an app by names of their own: it goes by that of one of them.
  if (region !== homeOf(await room.listFeeds(listing.id), region)) return;
  const fetched = await of.store.fetchApp({ externalAppId: listing.externalAppId, region });
  if (fetched.outcome !== "ok") return;
  await room.saveListingFacts({ id: listing.id, ...fetched.value });
}

function homeOf(feeds: readonly Feed[], region: string): string | undefined {
  const selling = feeds
    .filter((feed) => feed.kind === "ratings" && (feed.outcome === "ok" || feed.region === region))
    .map((feed) => feed.region)
    .sort();
  return selling.find((one) => one === "us") ?? selling[0];
}

function logPass(room: CollectRoom, listing: Listing, report: PassReport): void {
  if (report.stopReason === stoppedWithService) return;
  const facts = { store: listing.store, app: listing.externalAppId, ...report };
  if (report.outcome === "unknown") room.log.warn(facts, "a pass gave no sure answer");
  else room.log.info(facts, "a pass is done");
}

function newLease(clock: Clock): { token: string; now: Date; leasedUntil: Date } {
  const now = clock.now();
  return { token: randomUUID(), now, leasedUntil: new Date(now.getTime() + feedLeaseMs) };
}
