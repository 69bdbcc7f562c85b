// The measures themselves: an import file to committed rows, and a simulated store's pages to committed
// rows, each with its pace and the memory it took.
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { crawlListing } from "../../src/crawling/crawl-worker.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemDelay } from "../../src/lib/delay.ts";
import { openHttpClient } from "../../src/lib/http-client.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createGoogleStore } from "../../src/stores/google/google-store.ts";
import { importReviews } from "../../src/use-cases/imports/import-reviews.ts";
import type { BenchWorld } from "./bench-world.ts";
import { languages } from "./invented-rows.ts";

export type Measured = {
  count: number;
  seconds: number;
  /** Of this process alone, on all its threads; the database has its own. */
  processorSeconds: number;
  queued: number;
  rssMbMax: number;
};

export type Way = {
  isAnalysed: boolean;
  /** `match`: channels that nothing is queued for; `queue`: every review for one channel. */
  channels: "none" | "match" | "queue";
};

export async function measureImport(
  world: BenchWorld,
  measure: { file: string; way: Way },
): Promise<Measured> {
  const { app } = await world.addApp([]);
  await addChannels(world, measure.way);
  const deps = {
    clock: systemClock,
    database: world.database,
    ingestReviews: ingestOf(world, measure.way),
  };
  return watch(async () => {
    const done = await importReviews(deps, {
      appId: app.id,
      workspaceId: null,
      source: { name: measure.file, chunks: fs.createReadStream(measure.file) },
      notify: measure.way.channels === "queue",
    });
    return { count: done.inserted, queued: done.queued };
  });
}

/** Reviews in as many languages as it takes: a store's walk ends after 150,000. */
export async function measureConnector(
  world: BenchWorld,
  measure: { count: number; way: Way },
): Promise<Measured> {
  const perLanguage = Math.ceil(measure.count / languages.length);
  const store = await openStore({ perLanguage });
  const client = openHttpClient({ userAgent: "Starpost/bench" });
  const { listing } = await world.addApp(languages);
  await addChannels(world, measure.way);
  const google = createGoogleStore({ http: client.http, baseUrl: store.url });
  const { database } = world;
  const room = {
    ...database,
    clock: systemClock,
    log: silentLog,
    ingestReviews: ingestOf(world, measure.way),
    ingestRatings: createRatingsIngest({ clock: systemClock, database }),
    feeds: database,
    delay: systemDelay,
    random: Math.random,
    intervalMinutes: 60,
    openStore: async () => google,
  };
  try {
    return await watch(async () => {
      const { reports } = await crawlListing(room, { listing });
      const failed = reports.find(({ outcome }) => outcome !== "ok");
      if (failed) throw new Error(`a pass failed: ${JSON.stringify(failed)}`);
      return { count: reports.reduce((sum, report) => sum + report.new, 0), queued: 0 };
    });
  } finally {
    await client.close();
    store.close();
  }
}

function ingestOf({ database }: BenchWorld, way: Way) {
  const unanalysed = () => ({ language: "und", sentiment: null, topics: [], version: 0 });
  const clock = systemClock;
  return createIngest(
    way.isAnalysed ? { clock, database } : { clock, database, analyze: unanalysed },
  );
}

async function addChannels(world: BenchWorld, { channels }: Way): Promise<void> {
  if (channels === "none") return;
  if (channels === "queue") return world.addChannel({});
  // As many as a busy workspace has, each with a filter of its own.
  for (const stars of [1, 2, 3, 4, 5]) {
    await world.addChannel({ stars: [stars], topics: ["crashes", "ads"], apps: [randomUUID()] });
    await world.addChannel({ stars: [stars], topics: ["login"] });
  }
}

async function openStore(wish: { perLanguage: number }) {
  const child = fork(path.join(import.meta.dirname, "store-process.js"), [
    String(wish.perLanguage),
  ]);
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(String(message)));
    child.once("close", () => reject(new Error("the simulated store ended")));
  });
  return { url, close: () => void child.disconnect() };
}

async function watch(work: () => Promise<{ count: number; queued: number }>): Promise<Measured> {
  globalThis.gc?.();
  let rssMax = 0;
  const look = (): void => {
    rssMax = Math.max(rssMax, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 100);
  const startedAt = performance.now();
  const spentBefore = process.cpuUsage();
  try {
    const done = await work();
    look();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(spentBefore);
    const processorSeconds = (user + system) / 1_000_000;
    return { ...done, seconds, processorSeconds, rssMbMax: Math.round(rssMax / 1_048_576) };
  } finally {
    clearInterval(timer);
  }
}
