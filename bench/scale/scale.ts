// Whether reading stays as fast while an installation grows: the same questions after each size, in one database.
// Prints the fastest round of each and the ratio to the first size. `--sizes` says how many reviews.
import pg from "pg";
import { composeOverview } from "../../src/dashboard-api/overview/overview.ts";
import { readFeedPage } from "../../src/dashboard-api/reviews/review-feed.ts";
import type { Database } from "../../src/database/database.ts";
import type { ReviewFilters } from "../../src/database/read-models/review-pages.ts";
import type { App } from "../../src/domain/listing.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { addDays } from "../../src/lib/timestamp.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { newestDay, oldestDay } from "../read-api/data.ts";
import { type Figure, printFigures } from "../read-api/report.ts";
import { growTo, loadData, rareWord, reviewsPerApp, type ScaleData } from "./data.ts";

const options = readOptions(
  { name: "scale", about: "How long pages and counts take while an installation grows." },
  {
    sizes: ["100000,2000000", "numbers of reviews, ascending, with commas"],
    url: [
      "",
      "a database to use, empty or of an earlier run, instead of an embedded server of its own",
    ],
    rounds: [40, "how often each question is asked"],
  },
);
/** Apps that are asked about in turns, once each before it counts. */
const turns = 10;
const sizes = options.sizes.split(",").map(Number);
const none: ReviewFilters = {
  ...{ from: null, to: null, ratings: null, sentiments: null, topics: null },
  ...{ countries: null, languages: null, versions: null },
};
const quarter = { from: addDays(newestDay, -89), to: newestDay };
const quarterBefore = { from: addDays(newestDay, -179), to: addDays(newestDay, -90) };

const resources = new ResourceStack();
try {
  await main();
} finally {
  await resources.closeAll();
}

async function main(): Promise<void> {
  const settings = { synchronous_commit: "off", max_wal_size: "8GB", shared_buffers: "1GB" };
  const { database, admin, connection } = await openBenchDatabase(resources, {
    settings,
    url: options.url,
  });
  const second = new pg.Client(connection);
  await second.connect();
  resources.add(() => second.end());
  let data = await loadData(database);
  const first = new Map<string, number>();
  const figures: Figure[] = [];
  for (const size of sizes) {
    const appCount = Math.max(1, Math.round(size / reviewsPerApp));
    const writers = [admin, second];
    const startMs = performance.now();
    data = await growTo({ database, writers }, { data, appCount });
    const seconds = Math.round((performance.now() - startMs) / 1000);
    process.stderr.write(`bench: ${appCount * reviewsPerApp} reviews after ${seconds} s\n`);
    for (const { what, limit, value } of await measure(database, data)) {
      const ratio = value / (first.get(what) ?? value);
      first.set(what, first.get(what) ?? value);
      const isLimited = limit === "" && size !== sizes[0];
      const part = `${size / 1000} k`;
      figures.push({ part, what, value, unit: "ms", limit });
      const about = { part, what: `${what}: × the first size`, value: ratio, unit: "" };
      if (isLimited) figures.push({ ...about, limit: "≤ 1.5" });
    }
  }
  printFigures(figures, { sizes });
}

type Question = { what: string; limit?: string; run: (app: App) => Promise<unknown> };

async function measure(
  database: Database,
  data: ScaleData,
): Promise<{ what: string; limit: string; value: number }[]> {
  const found: { what: string; limit: string; value: number }[] = [];
  const oneApp = new Map<string, number>();
  for (const { what, limit = "", run } of [...listOne(database), ...listWide(database, data)]) {
    const times: number[] = [];
    // The same number of apps at each size: how much fits into memory is not what is asked.
    const rounds = what.includes("100 apps") ? Math.ceil(options.rounds / 4) : options.rounds;
    for (let round = 0; round < rounds + turns; round += 1) {
      const app = data.apps[Math.floor(((round % turns) * data.apps.length) / turns)];
      if (!app) throw new Error("no apps");
      const startMs = performance.now();
      await run(app);
      if (round >= turns) times.push(performance.now() - startMs);
    }
    // What else the machine does makes some rounds longer, and none shorter.
    const value = Math.min(...times);
    oneApp.set(what, value);
    const ofOne = oneApp.get(what.replace(" of 100 apps", "")) ?? 0;
    found.push({ what, limit: limit.replace("pages", (10 * ofOne).toPrecision(3)), value });
  }
  return found;
}

function listOne(database: Database): Question[] {
  const page = (filters: Partial<ReviewFilters>, what: string): Question => ({
    what,
    run: async ({ id: appId, workspaceId }) => {
      const query = {
        workspaceId,
        appId,
        filters: { ...none, ...filters },
        after: null,
        limit: 50,
      };
      const read = await database.listReviewPageOfApp(query);
      if (read === null || read === "unplanned" || !read.page) throw new Error(`${what}: no page`);
    },
  });
  return [
    page({}, "page"),
    page({ to: addDays(newestDay, -400) }, "page, a year back"),
    page({ ratings: [1] }, "page by stars"),
    page({ sentiments: ["mixed"] }, "page by sentiment"),
    page({ topics: ["crash"] }, "page by topic"),
    page({ topics: ["crash"], ratings: [2] }, "page by topic and stars"),
    {
      what: "trends of two years",
      run: async ({ id, workspaceId }) => {
        const apps = await database.listFollowedApps({ workspaceId, ids: [id] });
        const scope = { apps, workspaceId, from: oldestDay, to: newestDay };
        await database.countWeeks(scope);
        await database.countTopics({ ...scope, limit: 10 });
      },
    },
    { what: "overview", run: (app) => readOverview(database, [app]) },
    search(database, "search of one app for a rare word", ({ id, workspaceId }) => ({
      ...{ app: id, workspaceId },
    })),
  ];
}

function listWide(database: Database, { wide }: ScaleData): Question[] {
  if (!wide) return [];
  const { workspaceId, apps } = wide;
  const page = (filters: Partial<ReviewFilters>, what: string): Question => ({
    what,
    limit: "≤ pages",
    run: async () => {
      const followed = await database.listFollowedApps({ workspaceId, ids: null });
      const query = { workspaceId, apps: followed, after: null, limit: 50 };
      await database.listReviewPage({ ...query, filters: { ...none, ...filters } });
    },
  });
  return [
    page({}, "page of 100 apps"),
    page({ ratings: [1] }, "page of 100 apps by stars"),
    page({ topics: ["crash"] }, "page of 100 apps by topic"),
    { what: "overview of 100 apps", limit: "≤ 50", run: () => readOverview(database, apps) },
    search(database, "search of 100 apps for a rare word", () => ({ workspaceId })),
  ];
}

function readOverview(database: Database, apps: readonly App[]): Promise<unknown> {
  const workspaceId = apps[0]?.workspaceId ?? "";
  return composeOverview(database, { workspaceId, apps, range: quarter, before: quarterBefore });
}

function search(
  database: Database,
  what: string,
  scopeOf: (app: App) => { workspaceId: string; app?: string },
): Question {
  return {
    what,
    limit: "≤ 200",
    run: async (one) => {
      const { workspaceId, ...of } = scopeOf(one);
      const page = { workspaceId, filters: { q: rareWord, ...of }, after: null, limit: 50 };
      const found = await readFeedPage({ database, findEvidence: () => [] }, page);
      if (found.reviews.length === 0) process.stderr.write(`bench: ${what} found nothing\n`);
    },
  };
}
