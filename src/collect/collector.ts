// The scheduler: claims feeds that are due and walks them, a few at a time, until it is closed. Any
// number of processes share one database; a lease keeps them off each other's feeds.
import { randomUUID } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs } from "../lib/timestamp.ts";
import type { ClaimedFeed } from "../reviews/feed.ts";
import type { Listing } from "../reviews/listing.ts";
import type { StoreId } from "../reviews/store-id.ts";
import type { Store, StoreApp } from "../stores/store.ts";
import type { OnPage, PassReport } from "./pass-report.ts";
import { collectRatings, type RatingsRoom } from "./ratings-pass.ts";
import { collectReviews, feedLeaseMs, type PassRoom } from "./reviews-pass.ts";

export type CollectRoom = PassRoom &
  RatingsRoom & {
    log: Log;
    stores: Readonly<Record<StoreId, Store>>;
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
    saveListingFacts(facts: { id: string } & Pick<StoreApp, "name" | "iconUrl">): Promise<void>;
  };

export type Collector = {
  /** Looks for due feeds at once instead of at the next tick. */
  wake(): void;
  /** Ends the passes in progress after their page and resolves when all is written. */
  close(): Promise<void>;
};

// Hosts are asked one request at a time anyway: more passes at once would only wait in their row.
const passCountMax = 8;
const tickMs = minuteMs / 12;

export function startCollector(room: CollectRoom): Collector {
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
        room.pause(tickMs, rest),
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
      for (const feed of feeds) track(walkFeed(room, { feed, signal: stop.signal }));
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
      stop.abort();
      await loop;
    },
  };
}

/** One pass over every feed of a listing now; feeds that another worker is at are left out. */
export async function collectListing(
  room: CollectRoom,
  asked: { listing: Listing; onPage?: OnPage; signal?: AbortSignal },
): Promise<PassReport[]> {
  const feeds = await room.claimFeedsOfListing({
    ...newLease(room.clock),
    listingId: asked.listing.id,
  });
  const reports: PassReport[] = [];
  for (const feed of feeds) {
    const report = await walkFeed(room, { feed, ...asked });
    if (report) reports.push(report);
  }
  return reports;
}

async function walkFeed(
  room: CollectRoom,
  walk: { feed: ClaimedFeed; onPage?: OnPage; signal?: AbortSignal },
): Promise<PassReport | null> {
  const listing = await room.findListing(walk.feed.listingId);
  // Removed since the claim: its feeds are gone with it.
  if (!listing) return null;
  const store = room.stores[listing.store];
  if (walk.feed.kind === "reviews") {
    const report = await collectReviews(room, { ...walk, listing, store });
    logPass(room, listing, report);
    return report;
  }
  const report = await collectRatings(room, { ...walk, listing, store });
  if (report.outcome === "ok")
    await refreshFacts(room, { listing, store, region: walk.feed.region });
  logPass(room, listing, report);
  return report;
}

async function refreshFacts(
  room: CollectRoom,
  of: { listing: Listing; store: Store; region: string },
): Promise<void> {
  const { listing, region } = of;
  const fetched = await of.store.fetchApp({ externalAppId: listing.externalAppId, region });
  if (fetched.outcome !== "ok") return;
  await room.saveListingFacts({ id: listing.id, ...fetched.value });
}

function logPass(room: CollectRoom, listing: Listing, report: PassReport): void {
  const facts = { store: listing.store, app: listing.externalAppId, ...report };
  if (report.outcome === "unknown") room.log.warn(facts, "a pass gave no sure answer");
  else room.log.info(facts, "a pass is done");
}

function newLease(clock: Clock): { token: string; now: Date; leasedUntil: Date } {
  const now = clock.now();
  return { token: randomUUID(), now, leasedUntil: new Date(now.getTime() + feedLeaseMs) };
}
