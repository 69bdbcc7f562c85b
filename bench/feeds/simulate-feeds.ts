// Two workers that read the feeds of a stub store in moved time. Claims, leases, the shared pace and the ends of crawls
// are the service's own, on the real database; reviews are not saved, which `bench:collect` measures.

import { type CrawlWorker, startCrawlWorker } from "../../src/crawling/crawl-worker.ts";
import { createIntervalBounds } from "../../src/crawling/interval-bounds.ts";
import { throttleHttp } from "../../src/crawling/throttle.ts";
import { Witnesses } from "../../src/crawling/witnesses.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import type { Connection } from "../../src/database/pool.ts";
import type { IntervalBounds } from "../../src/domain/feed/feed-interval.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { ResourceStack } from "../../src/lib/resource-stack.ts";
import { minuteMs, secondMs } from "../../src/lib/timestamp.ts";
import { createVirtualTime, type VirtualTime } from "../rounds/virtual-time.ts";
import { round, start } from "./fill-feeds.ts";
import { createStubIngest, createStubStore } from "./stub-store.ts";

export type FeedsInput = IntervalBounds & {
  database: Database;
  connection: Connection;
  resources: ResourceStack;
  hours: number;
  requestsPerSecond: number;
  onProgress: (text: string) => void;
};

export type FeedsResult = {
  hours: number;
  crawls: number;
  claimMs: { median: number; p99: number };
  /** How long the longest waiting feed had been due, at the worst moment and at the end. */
  lagMinutesMax: number;
  lagMinutesAtEnd: number;
  /** CPU time of this process, with both workers. */
  rssMbMax: number;
  millisecondsPerCrawl: number;
  /** Other statements that read feeds, once each. */
  loadsMs: number;
  repairMs: number;
  metricsMs: number;
};

export async function simulateFeeds(input: FeedsInput): Promise<FeedsResult> {
  const { database, hours, onProgress } = input;
  const time = createVirtualTime(start);
  const seen: Seen = { claims: [], crawlCount: 0 };
  const workers: CrawlWorker[] = [];
  for (let count = 0; count < 2; count += 1) workers.push(await openWorker(input, time, seen));
  const startedAt = performance.now();
  const [lags, sizes]: [number[], number[]] = [[], []];
  for (let minutes = 10; minutes <= hours * 60; minutes += 10) {
    await time.runUntil(new Date(start.getTime() + minutes * minuteMs));
    const metrics = { now: time.clock.now(), pendingCountMax: 1 };
    const { feedLagSeconds } = await database.readServiceMetrics(metrics);
    lags.push(feedLagSeconds / 60);
    sizes.push(process.memoryUsage().rss / 1_048_576);
    onProgress(`${minutes} min: ${seen.crawlCount} crawls, ${round(lags.at(-1) ?? 0)} min late`);
  }
  const ms = performance.now() - startedAt;
  for (const worker of workers) {
    const closing = worker.close();
    await time.runUntil(new Date(time.clock.now().getTime() + minuteMs));
    await closing;
  }
  const { claims, crawlCount: crawls } = seen;
  claims.sort((one, other) => one - other);
  return {
    ...{ hours, crawls, millisecondsPerCrawl: round(ms / crawls) },
    claimMs: { median: place(claims, 0.5), p99: place(claims, 0.99) },
    lagMinutesMax: round(Math.max(...lags)),
    lagMinutesAtEnd: round(lags.at(-1) ?? 0),
    rssMbMax: Math.round(Math.max(...sizes)),
    ...(await timeOthers(input, time)),
  };
}

type Seen = { claims: number[]; crawlCount: number };

async function openWorker(input: FeedsInput, time: VirtualTime, seen: Seen): Promise<CrawlWorker> {
  const { connection, intervalMinutes, intervalMinutesMax, requestsPerSecond, resources } = input;
  const { clock, delay } = time;
  const opened = await openDatabase({ log: silentLog, connection });
  resources.add(() => opened.close());
  const database = time.watch(opened);
  const throttle = { clock, delay, random: Math.random, requestsPerSecond, hosts: database };
  const paced = throttleHttp(throttle, async ({ url }) => ({
    ...{ kind: "response", status: 200, headers: {}, body: Buffer.alloc(0), url },
  }));
  const store = paced.wrapStore(createStubStore(clock, paced.http));
  const feeds = time.watch({
    ...opened,
    async claimDueFeeds(claim: Parameters<typeof opened.claimDueFeeds>[0]) {
      // Leases are renewed by the machine's timer, which stands still here.
      const leasedUntil = new Date(claim.now.getTime() + 30 * minuteMs);
      const beganAt = performance.now();
      const claimed = await opened.claimDueFeeds({ ...claim, leasedUntil });
      seen.claims.push(performance.now() - beganAt);
      return claimed;
    },
  });
  return startCrawlWorker({
    ...database,
    ...{ clock, feeds, intervalMinutes, random: Math.random, log: silentLog },
    // An idle worker looks for due feeds each five seconds; here each minute.
    delay: (durationMs, signal) =>
      delay(durationMs === 5 * secondMs ? minuteMs : durationMs, signal),
    findIntervalBounds: createIntervalBounds(
      { clock, readStoreLoads: database.readStoreLoads },
      { pace: { requestsPerSecond, intervalMinutes }, intervalMinutesMax },
    ),
    ingestReviews: (batch) => {
      seen.crawlCount += 1;
      return time.work(createStubIngest(database)(batch));
    },
    witnesses: new Witnesses(),
    ingestRatings: unused,
    ingestRatingAverages: unused,
    openStore: async () => store,
    stopRequests: () => paced.stop(),
  });
}

async function unused(): Promise<never> {
  throw new Error("there are no ratings here");
}

async function timeOthers(
  { database, intervalMinutes }: FeedsInput,
  time: VirtualTime,
): Promise<Pick<FeedsResult, "loadsMs" | "repairMs" | "metricsMs">> {
  const now = time.clock.now();
  return {
    loadsMs: await timeOne(() => database.readStoreLoads({ intervalMinutes })),
    repairMs: await timeOne(async () => {
      await database.postponeLostFeeds(now);
      await database.pullFeedsForward({ now, intervalMinutes });
    }),
    metricsMs: await timeOne(() => database.readServiceMetrics({ now, pendingCountMax: 1 })),
  };
}

async function timeOne(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return Math.round(performance.now() - beganAt);
}

function place(sorted: readonly number[], share: number): number {
  return round(sorted[Math.floor(sorted.length * share)] ?? 0);
}
