// How long one request takes: depth, size and trends. What is compared is requested in turns, so that
// disturbances of the machine affect both.
import type { App } from "../../src/domain/listing.ts";
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
};

/** (c) Depth, and (d) size: latencies one request at a time. */
export async function measurePages(bench: Bench): Promise<Figure[]> {
  bench.log("(c) depth");
  const { data, bigCount } = bench;
  const pathsOf = createPathFactory(bench);
  const deepPage = Math.min(2_000, Math.floor(bigCount / 50) - 1);
  const depth = await compare(bench, {
    one: pathsOf(data.big, {}),
    other: pathsOf(data.big, { page: deepPage }),
    count: 1_000,
  });
  const figures: Figure[] = [50, 99].map((percent) => ({
    part: "c",
    what: `p${percent} of page ${deepPage} ÷ page 1`,
    value: depth.ratio(percent),
    unit: "",
    limit: "≤ 1.2",
  }));
  for (const percent of [50, 99]) {
    const values = { unit: "ms", limit: "", part: "c" };
    figures.push(
      { ...values, what: `p${percent} of page 1`, value: depth.one(percent) },
      { ...values, what: `p${percent} of page ${deepPage}`, value: depth.other(percent) },
    );
  }
  for (const [name, query] of Object.entries(filterQueries)) {
    bench.log(`(d) ${name}`);
    const size = await compare(bench, {
      one: pathsOf(data.small, { query }),
      other: pathsOf(data.big, { query }),
      count: 300,
    });
    figures.push({
      part: "d",
      what: `page 1, ${name}: ${bigCount} ÷ 10000 reviews`,
      value: size.ratio(50),
      unit: "",
      limit: "≤ 1.3",
    });
  }
  return figures;
}

/** (e) Trends over the same weeks. */
export async function measureTrends(bench: Bench): Promise<Figure[]> {
  bench.log("(e) trends");
  const { data, bigCount } = bench;
  const size = await compare(bench, {
    one: (index) => trendsPath(data.small, index),
    other: (index) => trendsPath(data.big, index),
    count: 300,
  });
  return [
    { what: "p50 of trends, 10000 reviews", value: size.one(50), unit: "ms", limit: "" },
    { what: `p50 of trends, ${bigCount} reviews`, value: size.other(50), unit: "ms", limit: "" },
    {
      what: `trends: ${bigCount} ÷ 10000 reviews`,
      value: size.ratio(50),
      unit: "",
      limit: "≤ 1.3",
    },
  ].map((figure) => ({ part: "e", ...figure }));
}

// Other days around the same reviews each time. The same request comes again after more than a second, when
// its response is no longer cached.
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
      const path = `/api/v1/reviews?app=${app.id}&to=${to}${options.query ?? ""}`;
      if (options.page === undefined) return path;
      const list = { workspaceId: data.workspaceId, filters: { app: [app.id], to } };
      const share = (options.page * 50) / bench.bigCount;
      const newest = Date.parse(newestDay);
      const position = newest - share * (newest - Date.parse(oldestDay));
      const at = { micros: BigInt(Math.floor(position)) * 1_000n, id: data.workspaceId };
      return `${path}&cursor=${cursors.encode(at, list)}`;
    };
}
