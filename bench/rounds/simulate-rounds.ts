// Days of collecting in moved time, with two workers and the command line on one database: how long feeds wait against
// the round that is announced, and how close the requests to each host are.
import type pg from "pg";
import { Catalogue } from "../../simulator/catalogue.ts";
import { addControlApps } from "../../simulator/control-apps.ts";
import { StoreState } from "../../simulator/store-state.ts";
import type { Database } from "../../src/database/database.ts";
import type { Connection } from "../../src/database/pool.ts";
import { defaultCountries } from "../../src/domain/feed/listing.ts";
import type { HttpRequest, HttpResult } from "../../src/lib/http.ts";
import type { ResourceStack } from "../../src/lib/resource-stack.ts";
import { dayMs, formatTimestamp, hourMs, minuteMs, secondMs } from "../../src/lib/timestamp.ts";
import { readRounds } from "../../src/use-cases/apps/reading-rounds.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { openCollector } from "./collector.ts";
import { createDirectHttp } from "./direct-http.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";

export type RoundsInput = {
  database: Database;
  connection: Connection;
  /** For what the service does not ask. */
  admin: Pick<pg.Client, "query">;
  resources: ResourceStack;
  appCount: number;
  /** The reviews of each app at the start. */
  reviewCount: number;
  days: number;
  requestsPerSecond: number;
  intervalMinutes: number;
  /** The interval of feeds that make room for others. */
  intervalMinutesMax: number;
  /** Between two crawls of the command line. */
  collectEveryHours: number;
  /** Apps besides, of which each second one is answered with 403 and the others with nothing at all. */
  troubledCount?: number;
  random: () => number;
  onProgress?: (text: string) => void;
};

export type RoundsResult = {
  /**
   * The age of the feed without trouble that waited longest against its own interval, or the longest round announced
   * since its last crawl.
   */
  oldestFeedMinutes: number;
  announcedMinutes: number;
  at: string;
  worstShare: number;
  unreadFeeds: number;
  /** Requests for apps without trouble. */
  goodRequestCount: number;
  hosts: { host: string; requestCount: number; shortestGapMs: number }[];
};

// The last is a storefront of which no simulated app has reviews.
const countries = [...defaultCountries.slice(0, 9), "nl"];
export const storefrontCount = countries.length;
const start = new Date("2026-11-21T00:00:00Z");
const sampleMs = 10 * minuteMs;
/** As the service waits for a store. */
const timeoutMs = 30 * secondMs;

export async function simulateRounds(input: RoundsInput): Promise<RoundsResult> {
  const { connection, database, resources, requestsPerSecond, intervalMinutes, random } = input;
  const { intervalMinutesMax } = input;
  const time = createVirtualTime(start);
  const { listingIds, storeState, troubledIds } = await followApps(input, time);
  const sent = recordRequests(time, { storeState, troubledIds });
  const collecting = {
    ...{ time, connection, requestsPerSecond, intervalMinutes, random, http: sent.http },
    intervalMinutesMax,
    itunesBaseUrl: "https://itunes.simulated.invalid",
    appsBaseUrl: "https://apps.simulated.invalid",
  };
  const workers = [];
  for (let count = 0; count < 2; count += 1) {
    workers.push((await openCollector(collecting, resources)).startWorker());
  }
  const commandLine = await openCollector(collecting, resources);
  const collects: Promise<void>[] = [];
  const collectEvery = (input.collectEveryHours * hourMs) / sampleMs;
  /** Minutes of a round, at each sample. */
  const announced: number[] = [];
  let worst = { ageMinutes: 0, announcedMinutes: intervalMinutes, at: start, share: 0 };
  for (let sample = 1; sample <= (input.days * dayMs) / sampleMs; sample += 1) {
    const at = new Date(start.getTime() + sample * sampleMs);
    await time.runUntil(at);
    const rounds = await readRounds(database, { requestsPerSecond, intervalMinutes });
    const roundMinutes = rounds.get("appstore")?.roundMinutes ?? dayMs / minuteMs;
    announced.push(roundMinutes);
    const oldest = await findOldest(input, { now: at, announced, troubledIds });
    if (oldest.share > worst.share) worst = { ...oldest, at };
    if (sample % collectEvery !== 0) continue;
    const listingId = listingIds[Math.floor(sample / collectEvery) % listingIds.length];
    if (listingId) collects.push(commandLine.collect(listingId));
    const hours = (sample * sampleMs) / hourMs;
    input.onProgress?.(
      `${hours} h: ${sent.count()} requests, round announced ${roundMinutes} min, oldest feed ${oldest.ageMinutes} of ${oldest.announcedMinutes} min`,
    );
  }
  for (const worker of workers) {
    const closing = worker.close();
    await time.runUntil(new Date(time.clock.now().getTime() + minuteMs));
    await closing;
  }
  await time.runUntil(new Date(time.clock.now().getTime() + hourMs));
  await Promise.all(collects);
  return {
    oldestFeedMinutes: worst.ageMinutes,
    announcedMinutes: worst.announcedMinutes,
    at: formatTimestamp(worst.at),
    worstShare: Math.round(worst.share * 100) / 100,
    unreadFeeds: await countUnread(input, troubledIds),
    goodRequestCount: sent.goodCount(),
    hosts: sent.hosts(),
  };
}

/** No feed waits for more than two rounds, and no host is faster than its pace. */
export function isFairAndPaced(
  { worstShare, unreadFeeds, hosts }: RoundsResult,
  { requestsPerSecond }: Pick<RoundsInput, "requestsPerSecond">,
): boolean {
  // Times are whole milliseconds in the database.
  const gapMsMin = secondMs / requestsPerSecond - 1;
  const isPaced = hosts.every(({ shortestGapMs }) => shortestGapMs >= gapMsMin);
  return worstShare <= 2 && unreadFeeds === 0 && isPaced;
}

async function followApps(
  { database, appCount, reviewCount, troubledCount = 0 }: RoundsInput,
  time: VirtualTime,
): Promise<{ listingIds: string[]; storeState: StoreState; troubledIds: string[] }> {
  const count = appCount + troubledCount;
  const catalogue = new Catalogue({ appCount: count, reviewCount, seed: 7, openedAt: start });
  const storeState = new StoreState(time.clock, catalogue);
  addControlApps(storeState);
  const listingIds: string[] = [];
  const { id: workspaceId } = await aWorkspace(database);
  const externalIds = catalogue
    .appsFrom("appstore", { start: 0, count })
    .map((app) => app.externalAppId);
  for (const externalAppId of externalIds) {
    const { listingId } = await anApp(database, { workspaceId, externalAppId, countries });
    listingIds.push(listingId);
    for (const kind of ["reviews", "ratings"] as const) {
      await database.setFeeds({ listingId, kind, regions: countries, now: start });
    }
  }
  return { listingIds, storeState, troubledIds: externalIds.slice(appCount) };
}

/** The simulated stores, and when each host got its requests, in the order they were sent. */
function recordRequests(
  time: VirtualTime,
  { storeState, troubledIds }: { storeState: StoreState; troubledIds: readonly string[] },
) {
  let goodCount = 0;
  const sentAtByHost = new Map<string, number[]>();
  const http = createDirectHttp({ storeState, clock: time.clock });
  return {
    http(request: HttpRequest) {
      const { host } = new URL(request.url);
      const sentAt = sentAtByHost.get(host) ?? [];
      sentAtByHost.set(host, sentAt);
      sentAt.push(time.clock.now().getTime());
      const trouble = troubledIds.indexOf(appIdOf(request.url));
      if (trouble < 0) {
        goodCount += 1;
        return time.work(http(request));
      }
      return trouble % 2 === 0 ? refuse(request) : hang(time);
    },
    goodCount: () => goodCount,
    count: () => [...sentAtByHost.values()].reduce((sum, { length }) => sum + length, 0),
    hosts: () =>
      [...sentAtByHost].map(([host, sentAt]) => {
        const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? at));
        return { host, requestCount: sentAt.length, shortestGapMs: Math.min(...gaps) };
      }),
  };
}

/** The first of a lookup that brings others along. */
function appIdOf(url: string): string {
  return url.match(/\bid=?(\d+)/)?.[1] ?? "";
}

async function refuse({ url }: HttpRequest): Promise<HttpResult> {
  return { kind: "response", status: 403, headers: {}, body: Buffer.alloc(0), url };
}

async function hang(time: VirtualTime): Promise<HttpResult> {
  await time.delay(timeoutMs);
  return { kind: "failed", reason: "timeout", detail: "" };
}

const untroubled = "listing_id not in (select id from listings where external_app_id = any($1))";

type Oldest = { ageMinutes: number; announcedMinutes: number; share: number };

/** The feed that waits longest for what was announced for it: its own interval, or a round at any time since. */
async function findOldest(
  { admin }: RoundsInput,
  { now, announced, troubledIds }: { now: Date; announced: number[]; troubledIds: string[] },
): Promise<Oldest> {
  const { rows } = await admin.query(
    `select coalesce(checked_at, $2) as since, coalesce(interval_minutes, 0) as minutes from feeds
     where kind = 'reviews' and outcome is distinct from 'empty'
       and ${untroubled}`,
    [troubledIds, start],
  );
  const longestSince = [...announced];
  for (let index = longestSince.length - 2; index >= 0; index -= 1) {
    longestSince[index] = Math.max(longestSince[index] ?? 0, longestSince[index + 1] ?? 0);
  }
  let oldest: Oldest = { ageMinutes: 0, announcedMinutes: 1, share: 0 };
  for (const { since, minutes } of rows as { since: Date; minutes: number }[]) {
    const ageMinutes = Math.round((now.getTime() - since.getTime()) / minuteMs);
    // The first sample is one interval after the start.
    const sample = Math.ceil((since.getTime() - start.getTime()) / sampleMs) - 1;
    const announcedMinutes = Math.max(minutes, longestSince[Math.max(0, sample)] ?? 1);
    const share = ageMinutes / announcedMinutes;
    if (share > oldest.share) oldest = { ageMinutes, announcedMinutes, share };
  }
  return oldest;
}

async function countUnread(
  { admin }: RoundsInput,
  troubledIds: readonly string[],
): Promise<number> {
  const text = `select count(*)::int as count from feeds where checked_at is null and ${untroubled}`;
  return Number((await admin.query(text, [troubledIds])).rows[0].count);
}
