import { afterAll, beforeAll, expect, test } from "vitest";
import { openStoreRig } from "../../simulator/store-rig.ts";
import { anApp, aWorkspace, openWorld, type World } from "../../test/support/world.ts";
import { openRecordSnapshots } from "../ingest/ingest-ratings.ts";
import { openIngest } from "../ingest/ingest-reviews.ts";
import { systemDelay } from "../lib/delay.ts";
import { silentLog } from "../lib/log.ts";
import { openAppleStore } from "../stores/apple/apple-store.ts";
import { startCollector } from "./crawl-worker.ts";
import { paceHttp } from "./throttle.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

// Well inside the patience of whatever stops services; a pass alone could wait for a minute.
const closeMsMax = 8_000;

test.each(["stalled", "server_error", "too_many"] as const)(
  "a service that stops while a store answers with %s is done in time, and its feeds are free and as they were",
  async (fault) => {
    const { database, clock } = world;
    const rig = await openStoreRig({ totalTimeoutMs: 30_000 });
    const { id: workspaceId } = await aWorkspace(database);
    const countries = ["us", "gb", "ca", "de"];
    const app = await anApp(database, { workspaceId, countries, isPrivate: true });
    const feeds = { listingId: app.listingId, regions: countries, now: clock.now() };
    await database.setFeeds({ ...feeds, kind: "reviews" });
    await database.setFeeds({ ...feeds, kind: "ratings" });
    rig.simulator.switches.on({ fault, ...(fault === "too_many" && { retryAfter: "60" }) });
    const pace = { clock, delay: systemDelay, random: () => 1, requestsPerSecond: 0.1 };
    const paced = paceHttp(pace, rig.http);
    const base = { itunesBaseUrl: rig.simulator.url, appsBaseUrl: rig.simulator.url };
    const store = openAppleStore({ ...base, http: paced.http });
    const collector = startCollector({
      ...database,
      ...pace,
      feeds: database,
      log: silentLog,
      ingest: openIngest(world),
      recordSnapshots: openRecordSnapshots(world),
      intervalMinutes: 60,
      openStore: async () => store,
      stopAsking: paced.stop,
    });
    while (rig.simulator.requests.length === 0) await new Promise(setImmediate);
    const inTime = AbortSignal.timeout(closeMsMax);
    await collector.close();
    expect(inTime.aborted).toBe(false);
    const later = { now: clock.now(), leasedUntil: clock.now() };
    const listing = { listingId: app.listingId, token: workspaceId };
    const claimed = await database.claimFeedsOfListing({ ...listing, ...later });
    expect(claimed.length).toBeGreaterThanOrEqual(7);
    // At most the one that was answered before the end has something to say.
    expect(claimed.filter(({ outcome }) => outcome === null).length).toBeGreaterThanOrEqual(7);
    await rig.close();
  },
  20_000,
);
