// The measurements: an import file to committed rows, and a simulated store's pages to committed rows, each
// with its rate and its memory.

import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { crawlListing } from "../../src/crawling/crawl-feed.ts";
import { Witnesses } from "../../src/crawling/witnesses.ts";
import { importReviews } from "../../src/features/imports/import-reviews.ts";
import { createRatingAveragesIngest } from "../../src/ingest/ingest-rating-averages.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemDelay } from "../../src/lib/delay.ts";
import { openHttpClient } from "../../src/lib/http-client.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createGoogleStore } from "../../src/stores/google/google-store.ts";
import type { CollectContext } from "./collect-context.ts";
import { languages } from "./generated-rows.ts";

export type Measurement = {
  count: number;
  seconds: number;
  /** CPU time of all threads of this process, without the database. */
  processorSeconds: number;
  queued: number;
  rssMbMax: number;
};

export type Scenario = {
  isAnalysed: boolean;
  /** `match`: channels that match nothing; `queue`: one channel that matches every review. */
  channels: "none" | "match" | "queue";
};

export async function measureImport(
  context: CollectContext,
  options: { file: string; scenario: Scenario },
): Promise<Measurement> {
  const { app } = await context.addApp([]);
  await addChannels(context, options.scenario);
  const ingestDeps = scenarioDeps(context, options.scenario);
  const deps = { ...ingestDeps, ingestReviews: createIngest(ingestDeps) };
  return measureResources(async () => {
    const result = await importReviews(deps, {
      appId: app.id,
      workspaceId: null,
      source: { name: options.file, chunks: fs.createReadStream(options.file) },
      notify: options.scenario.channels === "queue",
    });
    return { count: result.inserted, queued: result.queued };
  });
}

/** The reviews are in ten languages, because one feed ends after 150,000. */
export async function measureConnector(
  context: CollectContext,
  options: { count: number; scenario: Scenario },
): Promise<Measurement> {
  const perLanguage = Math.ceil(options.count / languages.length);
  const store = await openStore({ perLanguage });
  const client = openHttpClient({ userAgent: "Starpost/bench" });
  const { listing } = await context.addApp(languages);
  await addChannels(context, options.scenario);
  const google = createGoogleStore({ http: client.http, clock: systemClock, baseUrl: store.url });
  const { database } = context;
  const deps = {
    ...database,
    clock: systemClock,
    log: silentLog,
    ingestReviews: createIngest(scenarioDeps(context, options.scenario)),
    ingestRatings: createRatingsIngest({ clock: systemClock, database }),
    ingestRatingAverages: createRatingAveragesIngest({ database }),
    feeds: database,
    witnesses: new Witnesses(),
    delay: systemDelay,
    random: Math.random,
    intervalMinutes: 60,
    findIntervalBounds: async () => ({ intervalMinutes: 60, intervalMinutesMax: 60 }),
    openStore: async () => google,
  };
  try {
    return await measureResources(async () => {
      const { summaries } = await crawlListing(deps, { listing });
      const failed = summaries.find(({ outcome }) => outcome !== "ok");
      if (failed) throw new Error(`a crawl failed: ${JSON.stringify(failed)}`);
      return { count: summaries.reduce((sum, report) => sum + report.new, 0), queued: 0 };
    });
  } finally {
    await client.close();
    store.close();
  }
}

function scenarioDeps({ database }: CollectContext, { isAnalysed }: Scenario) {
  const analyze = () => ({ language: "und", sentiment: null, topics: [], version: 0 });
  return { clock: systemClock, database, ...(!isAnalysed && { analyze }) };
}

async function addChannels(context: CollectContext, { channels }: Scenario): Promise<void> {
  if (channels === "none") return;
  if (channels === "queue") return context.addChannel({});
  // As many as a large workspace has, each with filters of its own.
  for (const stars of [1, 2, 3, 4, 5]) {
    await context.addChannel({ stars: [stars], topics: ["crashes", "ads"], apps: [randomUUID()] });
    await context.addChannel({ stars: [stars], topics: ["login"] });
  }
}

async function openStore({ perLanguage }: { perLanguage: number }) {
  const child = fork(path.join(import.meta.dirname, "store-process.js"), [String(perLanguage)]);
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(String(message)));
    child.once("close", () => reject(new Error("the simulated store ended")));
  });
  return { url, close: () => void child.disconnect() };
}

async function measureResources(
  work: () => Promise<{ count: number; queued: number }>,
): Promise<Measurement> {
  globalThis.gc?.();
  let rssMax = 0;
  const sampleMemory = (): void => {
    rssMax = Math.max(rssMax, process.memoryUsage.rss());
  };
  const timer = setInterval(sampleMemory, 100);
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  try {
    const counts = await work();
    sampleMemory();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const processorSeconds = (user + system) / 1_000_000;
    return { ...counts, seconds, processorSeconds, rssMbMax: Math.round(rssMax / 1_048_576) };
  } finally {
    clearInterval(timer);
  }
}
