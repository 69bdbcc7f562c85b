// Connects the crawl worker with the container: what it needs, and the notification that wakes it.
import { paceOf } from "../../config/config.ts";
import { type CrawlWorkerDeps, startCrawlWorker } from "../../crawling/crawl-worker.ts";
import { createIntervalBounds } from "../../crawling/interval-bounds.ts";
import { createRatingAveragesIngest } from "../../ingest/ingest-rating-averages.ts";
import { systemDelay } from "../../lib/delay.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import type { Container } from "../container.ts";

/** Runs until the resources are closed. */
export function openCrawlWorker(container: Container, resources: ResourceStack): void {
  const worker = startCrawlWorker(toCrawlDeps(container));
  resources.add(() => worker.close());
  resources.add(container.database.listen("feeds", () => worker.wake()));
}

/** For the worker, and for a crawl that a command runs. */
export function toCrawlDeps(container: Omit<Container, "close">): CrawlWorkerDeps {
  const { clock, config, database, healer, ingestRatings, ingestReviews, log } = container;
  return {
    clock,
    log,
    delay: systemDelay,
    random: Math.random,
    intervalMinutes: config.collectIntervalMinutes,
    findIntervalBounds: createIntervalBounds(
      { clock, readStoreLoads: database.readStoreLoads },
      { pace: paceOf(config), intervalMinutesMax: config.collectIntervalMaxMinutes },
    ),
    feeds: database,
    ...(healer && { healer }),
    witnesses: container.witnesses,
    listWitnessFeeds: database.listWitnessFeeds,
    readOddFeeds: database.readOddFeeds,
    noteOddFeed: database.noteOddFeed,
    loadReviews: database.loadReviews,
    findListing: database.findListing,
    saveListingDetails: database.saveListingDetails,
    findListingDetails: database.findListingDetails,
    readDetailsOnTrial: database.readDetailsOnTrial,
    holdListingDetails: database.holdListingDetails,
    listRatingAverageMonths: database.listRatingAverageMonths,
    listSnapshotsAsOf: database.listSnapshotsAsOf,
    hasOddRatings: database.hasOddRatings,
    ingestReviews,
    ingestRatings,
    ingestRatingAverages: createRatingAveragesIngest({ database }),
    async openStore({ id, store, credentialId = null }, kind) {
      // The stores' official APIs have no ratings, so those are read from the public pages.
      const isPublic = credentialId === null || kind === "ratings";
      return isPublic ? container.stores[store] : container.openStoreClient(credentialId, id);
    },
    stopRequests: container.stopRequests,
  };
}
