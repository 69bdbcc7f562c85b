// What the search index is worth and what it costs: searches of the dashboard over HTTP and collecting, before and after
// it is made. Prints one table and one line of JSON.
import type pg from "pg";
import { createRandom } from "../../simulator/random.ts";
import type { Database } from "../../src/database/database.ts";
import { createSearchIndex } from "../../src/database/search-index.ts";
import type { App } from "../../src/domain/listing.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { MovableClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { secondMs } from "../../src/lib/timestamp.ts";
import { importReviews } from "../../src/use-cases/imports/import-reviews.ts";
import { generateOne } from "../collect/generated-rows.ts";
import { openDashboard } from "../dashboard/service.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { newestDay } from "../read-api/data.ts";
import { type Figure, percentileOf, printFigures } from "../read-api/report.ts";
import { addApp, fillApps, matchCount, rareWords } from "./data.ts";

const options = readOptions(
  { name: "search", about: "Searches for rare and frequent words, without and with the index." },
  {
    apps: [1, "apps that are searched together"],
    reviews: [1_000_000, "reviews of each"],
    imports: [2_000, "reviews that are imported without, and again with the index"],
  },
);
const limit = "≤ 200";
const clock = new MovableClock(new Date(`${newestDay}T12:00:00Z`));

type Search = (q: string, route?: "reviews" | "reviews/summary") => Promise<unknown>;
type World = { database: Database; admin: pg.Client; workspaceId: string };

const resources = new ResourceStack();
try {
  await main();
} finally {
  await resources.closeAll();
}

async function main(): Promise<void> {
  const settings = { synchronous_commit: "off", max_wal_size: "8GB", shared_buffers: "1GB" };
  const { database, admin, connection } = await openBenchDatabase(resources, { settings });
  const { apps: appCount, reviews: reviewCount } = options;
  process.stderr.write(`bench: generating ${appCount} × ${reviewCount} reviews\n`);
  const { workspaceId, apps } = await fillApps({ database, admin }, { appCount, reviewCount });
  const world: World = { database, admin, workspaceId };
  const request = await openDashboard({ clock, database, workspaceId }, resources);
  const [app] = apps;
  const scope = apps.length === 1 ? `&app=${app?.id}` : "";
  const search: Search = (q, route = "reviews") => {
    // Nobody searches as often as this does.
    clock.advance(secondMs);
    return request(`/workspaces/${workspaceId}/${route}?q=${q}${scope}`);
  };
  const figures: Figure[] = [];
  figures.push(...(await measureSearches(search, "without")));
  figures.push(...(await measureImport(world, "without")));
  const startMs = performance.now();
  const { bytes } = await createSearchIndex({ log: silentLog, connection });
  const seconds = (performance.now() - startMs) / secondMs;
  const count = appCount * reviewCount;
  figures.push({ part: "index", what: "making it", value: seconds, unit: "s", limit: "" });
  figures.push({
    part: "index",
    what: "size for each review",
    value: bytes / count,
    unit: "bytes",
    limit: "",
  });
  const found = await search(rareWords[0] ?? "");
  if (countReviews(found) !== matchCount) throw new Error("the rare word was not found");
  figures.push(...(await measureSearches(search, "with")));
  figures.push(...(await measureImport(world, "with")));
  printFigures(figures, { apps: appCount, reviews: reviewCount });
}

async function measureSearches(search: Search, part: "without" | "with"): Promise<Figure[]> {
  // Without the index there is nothing to be reached, and a fifth of them says how long it takes.
  const words = part === "with" ? rareWords : rareWords.slice(0, rareWords.length / 5);
  const kinds: [what: string, words: readonly string[], route?: "reviews/summary"][] = [
    ["rare word", words],
    ["counts of a rare word", words, "reviews/summary"],
    ["no match", words.map((word) => `${word}${word}`)],
    ["frequent word", words.map(() => "update")],
  ];
  const figures: Figure[] = [];
  for (const [what, searched, route] of kinds) {
    await search(searched[0] ?? "", route);
    const times: number[] = [];
    // Twice, so that the slowest of a hundred is known.
    for (const word of [...searched, ...searched]) {
      const startMs = performance.now();
      await search(word, route);
      times.push(performance.now() - startMs);
    }
    for (const percent of [50, 99]) {
      const value = percentileOf(times, percent);
      const isLimited = part === "with" && what !== "frequent word";
      figures.push({
        part,
        what: `${what}, p${percent}`,
        value,
        unit: "ms",
        limit: isLimited ? limit : "",
      });
    }
  }
  return figures;
}

async function measureImport(world: World, part: "without" | "with"): Promise<Figure[]> {
  const { database, admin, workspaceId } = world;
  const { id }: App = await addApp(database, { workspaceId, name: `import ${part}` });
  const random = createRandom(11);
  const rows = Array.from({ length: options.imports }, (_, index) =>
    JSON.stringify({
      id: `import-${index}`,
      date: `${newestDay}T00:00:00Z`,
      ...generateOne(random, "en"),
    }),
  );
  const before = await readWalBytes(admin);
  const startMs = performance.now();
  const deps = { clock, database, ingestReviews: createIngest({ clock, database }) };
  const chunks = [Buffer.from(rows.join("\n"))];
  const source = { name: "generated.jsonl", chunks: toStream(chunks) };
  const { inserted } = await importReviews(deps, {
    appId: id,
    workspaceId: null,
    source,
    notify: false,
  });
  const ms = performance.now() - startMs;
  const wal = (await readWalBytes(admin)) - before;
  return [
    { part, what: "import of a review", value: ms / inserted, unit: "ms", limit: "" },
    { part, what: "WAL of a review", value: wal / inserted, unit: "bytes", limit: "" },
  ];
}

async function* toStream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function readWalBytes(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes");
  return Number(rows[0].bytes);
}

function countReviews(page: unknown): number {
  const { reviews }: { reviews?: unknown } = Object(page);
  return Array.isArray(reviews) ? reviews.length : 0;
}
