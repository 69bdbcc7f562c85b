// One process of the service as far as collecting goes: connections, a throttle and store clients of its own.

import { type CrawlDeps, crawlListing } from "../../src/crawling/crawl-feed.ts";
import { type CrawlWorker, startCrawlWorker } from "../../src/crawling/crawl-worker.ts";
import { createIntervalBounds } from "../../src/crawling/interval-bounds.ts";
import { throttleHttp } from "../../src/crawling/throttle.ts";
import { Witnesses } from "../../src/crawling/witnesses.ts";
import { openDatabase } from "../../src/database/database.ts";
import type { Connection } from "../../src/database/pool.ts";
import { ofEachStore } from "../../src/domain/store/store-id.ts";
import { createRatingAveragesIngest } from "../../src/ingest/ingest-rating-averages.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import type { Http } from "../../src/lib/http.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { ResourceStack } from "../../src/lib/resource-stack.ts";
import { minuteMs, secondMs } from "../../src/lib/timestamp.ts";
import { createStores } from "../../src/stores/create-stores.ts";
import type { VirtualTime } from "./virtual-time.ts";

export type Collector = {
  startWorker(): CrawlWorker;
  /** `starpost collect`. */
  collect(listingId: string): Promise<void>;
};

export type CollectorOptions = {
  time: VirtualTime;
  connection: Connection;
  /** To the simulated stores. */
  http: Http;
  itunesBaseUrl: string;
  appsBaseUrl: string;
  requestsPerSecond: number;
  intervalMinutes: number;
  intervalMinutesMax: number;
  random: () => number;
};

export async function openCollector(
  { time, ...options }: CollectorOptions,
  resources: ResourceStack,
): Promise<Collector> {
  const { clock, delay } = time;
  const { connection, intervalMinutes, intervalMinutesMax, random, requestsPerSecond } = options;
  const opened = await openDatabase({ log: silentLog, connection });
  resources.add(() => opened.close());
  const database = time.watch(opened);
  const throttle = { clock, delay, random, requestsPerSecond, hosts: database };
  const paced = throttleHttp(throttle, options.http);
  const { http } = paced;
  const { itunesBaseUrl, appsBaseUrl } = options;
  const bases = { googlePlayBaseUrl: itunesBaseUrl, firefoxAddonsBaseUrl: itunesBaseUrl };
  const created = createStores(
    { ...bases, itunesBaseUrl, appleAppsBaseUrl: appsBaseUrl },
    { http, clock },
  );
  const stores = ofEachStore((store) => paced.wrapStore(created[store]));
  const ingestReviews = createIngest({ clock, database });
  const ingestRatings = createRatingsIngest({ clock, database });
  const ingestRatingAverages = createRatingAveragesIngest({ database });
  const deps: CrawlDeps & { stopRequests(): void } = {
    ...{ clock, delay, random, intervalMinutes, log: silentLog },
    feeds: time.watch({
      ...opened,
      // Leases are renewed by the machine's timer, which stands still here.
      claimDueFeeds: (claim) => opened.claimDueFeeds({ ...claim, ...longLease(claim.now) }),
      claimFeedsOfListing: (claim) =>
        opened.claimFeedsOfListing({ ...claim, ...longLease(claim.now) }),
    }),
    witnesses: new Witnesses(),
    listWitnessFeeds: (feed) => database.listWitnessFeeds(feed),
    readOddFeeds: (feed) => database.readOddFeeds(feed),
    noteOddFeed: (feed) => database.noteOddFeed(feed),
    loadReviews: (query) => database.loadReviews(query),
    findListing: (id) => database.findListing(id),
    findIntervalBounds: createIntervalBounds(
      { clock, readStoreLoads: database.readStoreLoads },
      { pace: { requestsPerSecond, intervalMinutes }, intervalMinutesMax },
    ),
    saveListingDetails: (details) => database.saveListingDetails(details),
    findListingDetails: (id) => database.findListingDetails(id),
    readDetailsOnTrial: (listing) => database.readDetailsOnTrial(listing),
    holdListingDetails: (held) => database.holdListingDetails(held),
    listSnapshotsAsOf: (query) => database.listSnapshotsAsOf(query),
    hasOddRatings: (listing) => database.hasOddRatings(listing),
    ingestReviews: (batch) => time.work(ingestReviews(batch)),
    ingestRatings: (batch) => time.work(ingestRatings(batch)),
    ingestRatingAverages: (save) => time.work(ingestRatingAverages(save)),
    listRatingAverageMonths: (listingId) => database.listRatingAverageMonths(listingId),
    openStore: async ({ store }) => stores[store],
    stopRequests: () => paced.stop(),
  };
  return {
    // An idle worker looks for due feeds each five seconds: here each minute, which is a tenth of the time.
    startWorker: () =>
      startCrawlWorker({
        ...deps,
        delay: (durationMs, signal) =>
          delay(durationMs === 5 * secondMs ? minuteMs : durationMs, signal),
      }),
    async collect(listingId) {
      const listing = await database.findListing(listingId);
      if (listing) await crawlListing(deps, { listing });
    },
  };
}

function longLease(now: Date): { leasedUntil: Date } {
  return { leasedUntil: new Date(now.getTime() + 30 * minuteMs) };
}
