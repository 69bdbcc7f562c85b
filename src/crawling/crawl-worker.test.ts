import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { patience } from "../../test/support/patience.ts";
import { createSignal } from "../../test/support/signal.ts";
import { openStoreHarness } from "../../test/support/store-harness.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { createRatingAveragesIngest } from "../ingest/ingest-rating-averages.ts";
import { createRatingsIngest } from "../ingest/ingest-ratings.ts";
import { createIngest } from "../ingest/ingest-reviews.ts";
import { systemDelay } from "../lib/delay.ts";
import { silentLog } from "../lib/log.ts";
import { createAppleStore } from "../stores/apple/apple-store.ts";
import { startCrawlWorker } from "./crawl-worker.ts";
import { throttleHttp } from "./throttle.ts";
import { Witnesses } from "./witnesses.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

// Well below the time that service managers allow for stopping; one request could wait for a minute.
const closeMsMax = 8_000;

test.each(["stalled", "server_error", "too_many"] as const)(
  "a service that stops while a store answers with %s ends in time, and its feeds are free and as they were",
  async (fault) => {
    const { database, clock } = context;
    const harness = await openStoreHarness({ totalTimeoutMs: 30_000 });
    const { id: workspaceId } = await aWorkspace(database);
    const countries = ["us", "gb", "ca", "de"];
    const app = await anApp(database, { workspaceId, countries, isPrivate: true });
    const feeds = { listingId: app.listingId, regions: countries, now: clock.now() };
    await database.setFeeds({ ...feeds, kind: "reviews" });
    await database.setFeeds({ ...feeds, kind: "ratings" });
    harness.simulator.faultFlags.enable({
      fault,
      ...(fault === "too_many" && { retryAfter: "60" }),
    });
    const options = {
      clock,
      delay: systemDelay,
      random: () => 1,
      requestsPerSecond: 0.1,
      hosts: database,
    };
    const firstRequest = createSignal("the first request");
    const throttled = throttleHttp(options, (request) => {
      firstRequest.notify();
      return harness.http(request);
    });
    const base = { itunesBaseUrl: harness.simulator.url, appsBaseUrl: harness.simulator.url };
    const store = createAppleStore({ ...base, clock, http: throttled.http });
    const worker = startCrawlWorker({
      ...database,
      ...options,
      feeds: database,
      witnesses: new Witnesses(),
      log: silentLog,
      ingestReviews: createIngest(context),
      ingestRatings: createRatingsIngest(context),
      ingestRatingAverages: createRatingAveragesIngest(context),
      intervalMinutes: 60,
      findIntervalBounds: async () => ({ intervalMinutes: 60, intervalMinutesMax: 60 }),
      openStore: async () => store,
      stopRequests: throttled.stop,
    });
    await firstRequest.received(10_000);
    const inTime = AbortSignal.timeout(patience(closeMsMax));
    await worker.close();
    expect(inTime.aborted).toBe(false);
    const later = { now: clock.now(), leasedUntil: clock.now() };
    const listing = { listingId: app.listingId, token: workspaceId };
    const claimed = await database.claimFeedsOfListing({ ...listing, ...later });
    expect(claimed.length).toBeGreaterThanOrEqual(7);
    // At most one got a response before the end.
    expect(claimed.filter(({ outcome }) => outcome === null).length).toBeGreaterThanOrEqual(7);
    await harness.close();
  },
);
