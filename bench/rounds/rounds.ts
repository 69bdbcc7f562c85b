// Simulates days of collecting many apps in moved time, with two processes and the command line on one
// database: whether every feed is read within twice the round that is announced, and no host faster than
// its pace. Exits with 1 where one of the two fails.
import { Catalogue } from "../../simulator/catalogue.ts";
import { addControlApps } from "../../simulator/control-apps.ts";
import { StoreState } from "../../simulator/store-state.ts";
import { defaultCountries } from "../../src/domain/listing.ts";
import type { HttpRequest } from "../../src/lib/http.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { dayMs, formatTimestamp, hourMs, minuteMs, secondMs } from "../../src/lib/timestamp.ts";
import { readRounds } from "../../src/use-cases/apps/reading-rounds.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { openCollector } from "./collector.ts";
import { createDirectHttp } from "./direct-http.ts";
import { createVirtualTime } from "./virtual-time.ts";

const options = readOptions(
  { name: "rounds", about: "Days of collecting many apps in moved time, by two processes." },
  {
    apps: [500, "followed apps"],
    days: [3, "days of moved time"],
    rate: [1, "requests a second and host"],
    interval: [60, "minutes between two crawls of a feed"],
    reviews: [50, "reviews of each app at the start"],
  },
);
const appCount = options.apps;
const requestsPerSecond = options.rate;
const intervalMinutes = options.interval;
const pace = { requestsPerSecond, intervalMinutes };
// The last is a storefront of which no simulated app has reviews.
const countries = [...defaultCountries.slice(0, 9), "nl"];

const resources = new ResourceStack();
const start = new Date("2026-11-21T00:00:00Z");
const time = createVirtualTime(start);
const { admin, connection, database } = await openBenchDatabase(resources);
// What is measured is the schedule, not the disk.
await admin.query("alter role current_user set synchronous_commit = off");
const catalogue = new Catalogue({
  appCount,
  reviewCount: options.reviews,
  seed: 7,
  openedAt: start,
});
const storeState = new StoreState(time.clock, catalogue);
addControlApps(storeState);
const http = createDirectHttp({ storeState, clock: time.clock });

/** When each host got its requests, in the order they were sent. */
const sentAtByHost = new Map<string, number[]>();
const collecting = {
  time,
  connection,
  ...pace,
  itunesBaseUrl: "https://itunes.simulated.invalid",
  appsBaseUrl: "https://apps.simulated.invalid",
  random: Math.random,
  http: (request: HttpRequest) => {
    const { host } = new URL(request.url);
    const sentAt = sentAtByHost.get(host) ?? [];
    sentAtByHost.set(host, sentAt);
    sentAt.push(time.clock.now().getTime());
    return time.work(http(request));
  },
};

const listingIds: string[] = [];
const { id: workspaceId } = await aWorkspace(database);
for (const { externalAppId } of catalogue.appsFrom("appstore", { start: 0, count: appCount })) {
  const { listingId } = await anApp(database, { workspaceId, externalAppId, countries });
  listingIds.push(listingId);
  for (const kind of ["reviews", "ratings"] as const) {
    await database.setFeeds({ listingId, kind, regions: countries, now: start });
  }
}
const workers = [];
for (let count = 0; count < 2; count += 1) {
  workers.push((await openCollector(collecting, resources)).startWorker());
}
const commandLine = await openCollector(collecting, resources);
const collects: Promise<void>[] = [];

type Sample = { ageMinutes: number; announcedMinutes: number; at: Date };
let worst: Sample & { share: number } = {
  ...{ ageMinutes: 0, announcedMinutes: intervalMinutes, at: start, share: 0 },
};
const sampleMs = 10 * minuteMs;
const sampleCount = (options.days * dayMs) / sampleMs;
for (let sample = 1; sample <= sampleCount; sample += 1) {
  const at = new Date(start.getTime() + sample * sampleMs);
  await time.runUntil(at);
  const announced = (await readRounds(database, pace)).get("appstore")?.roundMinutes ?? 24 * 60;
  const ageMinutes = await readOldestAge(at);
  const share = ageMinutes / announced;
  if (share > worst.share) worst = { ageMinutes, announcedMinutes: announced, at, share };
  const appOf = listingIds[Math.floor(sample / 36) % listingIds.length];
  if (sample % 36 === 0 && appOf) collects.push(commandLine.collect(appOf));
  if (sample % 36 === 0) {
    const hours = (sample * sampleMs) / hourMs;
    const count = [...sentAtByHost.values()].reduce((sum, { length }) => sum + length, 0);
    process.stderr.write(
      `${hours} h: ${count} requests, round announced ${announced} min, oldest feed ${ageMinutes} min\n`,
    );
  }
}
for (const worker of workers) {
  const closing = worker.close();
  await time.runUntil(new Date(time.clock.now().getTime() + minuteMs));
  await closing;
}
await time.runUntil(new Date(time.clock.now().getTime() + hourMs));
await Promise.all(collects);

const gapMs = secondMs / requestsPerSecond;
const hosts = [...sentAtByHost].map(([host, sentAt]) => {
  const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? at));
  return { host, requestCount: sentAt.length, shortestGapMs: Math.min(...gaps) };
});
const unread = await admin.query(
  "select count(*)::int as count from feeds where checked_at is null",
);
const isFair = worst.share <= 2 && unread.rows[0].count === 0;
// Times are whole milliseconds in the database.
const isPaced = hosts.every(({ shortestGapMs }) => shortestGapMs >= gapMs - 1);
const result = JSON.stringify({
  ...{ appCount, storefronts: countries.length, days: options.days, ...pace },
  oldestFeedMinutes: worst.ageMinutes,
  announcedMinutes: worst.announcedMinutes,
  at: formatTimestamp(worst.at),
  worstShare: Math.round(worst.share * 100) / 100,
  unreadFeeds: unread.rows[0].count,
  ...{ isFair, isPaced, hosts },
});
process.stdout.write(`${result}\n`);
await resources.closeAll();
process.exit(isFair && isPaced ? 0 : 1);

/** Of the feeds that are read each interval: how long ago the one was read that waits longest. */
async function readOldestAge(now: Date): Promise<number> {
  const { rows } = await admin.query(
    `select extract(epoch from $1 - min(coalesce(checked_at, $2))) / 60 as age from feeds
     where kind = 'reviews' and outcome is distinct from 'empty'`,
    [now, start],
  );
  return Math.round(Number(rows[0].age));
}
