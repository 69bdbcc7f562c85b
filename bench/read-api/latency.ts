// How long one request takes: depth, size and trends. The compared servers are requested in turns, so that
// disturbances of the machine affect both.
import { parseParameters, reviewParameters } from "../../src/api/parameters.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { addDays } from "../../src/lib/timestamp.ts";
import { type Bench, type CreatePath, compare } from "./comparison.ts";
import { newestDay, oldestDay } from "./data.ts";
import type { Figure } from "./report.ts";

const filterQueries = {
  "no filter": "",
  rating: "&rating=2",
  sentiment: "&sentiment=mixed",
  topic: "&topic=crash",
  "rare topic": "&topic=widgets",
  store: "&store=appstore",
  dates: `&from=${addDays(newestDay, -200)}`,
  "rating and topic": "&rating=1&topic=crash",
  "sentiment and topic": "&sentiment=negative&topic=crash",
  "rating and sentiment": "&rating=3&sentiment=positive",
  "two ratings": "&rating=2,3",
  "two sentiments": "&sentiment=mixed,negative",
  "two topics": "&topic=crash,widgets",
  "two stores": "&store=appstore,googleplay",
  "two countries": "&country=us,gb",
  "two languages": "&language=en,de",
  "two versions": "&version=4.1,4.2",
  "two of each": "&rating=2,3&sentiment=mixed,negative&topic=crash,sync&store=appstore,googleplay",
};

/** (c) Depth, and (d) size: latencies one request at a time. */
export async function measurePages(bench: Bench, who = ""): Promise<Figure[]> {
  const { data, bigCount } = bench;
  const pathsOf = createPathFactory(bench);
  const figures: Figure[] = [];
  for (const name of ["no filter", "two of each"] as const) {
    figures.push(...(await measureDepth(bench, { query: filterQueries[name], name, who })));
  }
  for (const [name, query] of Object.entries(filterQueries)) {
    bench.log(`(d) ${name}${who}`);
    const size = await compare(bench, {
      one: pathsOf(data.small, { query }),
      other: pathsOf(data.big, { query }),
    });
    bench.log(`  ${size.ratio(50).toFixed(2)} × ${size.one(50).toFixed(2)} ms`);
    figures.push({
      part: "d",
      what: `page 1, ${name}: ${bigCount} ÷ 10000 reviews${who}`,
      value: size.ratio(50),
      unit: "",
      limit: "≤ 1.3",
    });
  }
  return figures;
}

async function measureDepth(
  bench: Bench,
  { query, name, who }: { query: string; name: string; who: string },
): Promise<Figure[]> {
  bench.log(`(c) depth, ${name}${who}`);
  const pathsOf = createPathFactory(bench);
  const deepPage = Math.min(2_000, Math.floor(bench.bigCount / 100) - 1);
  const depth = await compare(bench, {
    one: pathsOf(bench.data.big, { query }),
    other: pathsOf(bench.data.big, { query, page: deepPage }),
  });
  return [50, 99].flatMap((percent) => [
    {
      ...{ part: "c", unit: "", limit: "≤ 1.2" },
      what: `p${percent} of page ${deepPage} ÷ page 1, ${name}${who}`,
      value: depth.ratio(percent),
    },
    {
      ...{ part: "c", unit: "ms", limit: "" },
      what: `p${percent} of page 1, ${name}${who}`,
      value: depth.one(percent),
    },
  ]);
}

/**
 * (e) Trends over the same weeks. Where regions are counted one by one, the small app does not have a review for each
 * of its regions, topics and weeks: the middle one, which does, is what the big one is compared with.
 */
export async function measureTrends(bench: Bench, who = ""): Promise<Figure[]> {
  const { data, bigCount } = bench;
  const rowCount = (app: App): Promise<number> => countRollupRows(bench, app);
  const figures: Figure[] = [];
  for (const [app, count] of [
    [data.small, 10_000],
    [data.middle, 100_000],
  ] as const) {
    bench.log(`(e) trends beside ${count} reviews${who}`);
    const size = await compare(bench, {
      one: (index) => trendsPath(app, index),
      other: (index) => trendsPath(data.big, index),
    });
    const rows = { one: await rowCount(app), other: await rowCount(data.big) };
    const isFair = rows.one > 0.95 * rows.other;
    const part = "e";
    const figureOf = (name: string, [ms, rowsRead]: [number, number]): Figure[] => [
      { part, what: `p50 of trends, ${name} reviews${who}`, value: ms, unit: "ms", limit: "" },
      { part, what: `rows of their rollups`, value: rowsRead, unit: "", limit: "" },
      { part, what: "for each row", value: (1_000 * ms) / rowsRead, unit: "µs", limit: "" },
    ];
    figures.push(
      ...figureOf(String(count), [size.one(50), rows.one]),
      ...figureOf(String(bigCount), [size.other(50), rows.other]),
      {
        part,
        what: `trends: ${bigCount} ÷ ${count} reviews${who}`,
        value: size.ratio(50),
        unit: "",
        limit: isFair ? "≤ 1.3" : "",
      },
    );
  }
  return figures;
}

async function countRollupRows({ admin, data }: Bench, app: App): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `select ((select count(*) from review_weeks d
         where d.listing_id = a.listing_id and d.region = any(a.rollup_regions))
       + (select count(*) from topic_weeks t
         where t.listing_id = a.listing_id and t.region = any(a.rollup_regions)))::integer as count
     from followed_apps a where a.workspace_id = $1 and a.id = $2`,
    [data.workspaceId, app.id],
  );
  return rows[0]?.count ?? 0;
}

// Other days around the same reviews each time.
function trendsPath(app: App, index: number): string {
  const to = addDays(newestDay, index % 7);
  const from = addDays(oldestDay, -(Math.floor(index / 7) % 60));
  return `/api/v1/trends?app=${app.id}&from=${from}&to=${to}`;
}

/** Pages with another end date each time: another URL, the same index range. */
function createPathFactory(bench: Bench) {
  const { cursors, data } = bench;
  return (app: App, options: { query?: string; page?: number }): CreatePath =>
    (index) => {
      const to = addDays("2030-01-01", index);
      const queryString = `app=${app.id}&to=${to}${options.query ?? ""}`;
      const path = `/api/v1/reviews?${queryString}`;
      if (options.page === undefined) return path;
      const { limit: _, ...filters } = parseParameters(reviewParameters, queryString);
      const list = { workspaceId: data.workspaceId, filters };
      const share = (options.page * 50) / bench.bigCount;
      const newest = Date.parse(newestDay);
      const position = newest - share * (newest - Date.parse(oldestDay));
      const at = { micros: BigInt(Math.floor(position)) * 1_000n, id: data.workspaceId };
      return `${path}&cursor=${cursors.encode(at, list)}`;
    };
}
