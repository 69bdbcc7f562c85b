// The measurements. What is compared is measured in turns, so that disturbances of the machine affect both.
// Where the response cache would have a page, the same page is requested under another URL.
import type { AppPageQuery } from "../../src/database/read-models/review-pages.ts";
import type { App } from "../../src/domain/listing.ts";
import { addDays, dayMs } from "../../src/lib/timestamp.ts";
import { type Bench, type CreatePath, compare } from "./comparison.ts";
import { newestDay, oldestDay } from "./data.ts";
import { runJob, startChild } from "./processes.ts";
import { type Figure, medianOf } from "./report.ts";

const connectionCount = 10;

/** (a) The same page of 50 again and again. */
export async function measureHot(bench: Bench): Promise<Figure[]> {
  bench.log("(a) hot page");
  const { data, port, load, seconds, roundCount } = bench;
  const paths = [`/api/v1/reviews?app=${data.big.id}&limit=50`];
  const headers = { authorization: `Bearer ${data.keys.at(-1)}` };
  const body = await (await fetch(`http://127.0.0.1:${port}${paths[0]}`, { headers })).text();
  const bare = startChild("baseline-http");
  const { port: barePort } = await runJob<{ port: number }>(bare, { body });
  const job = { paths, connectionCount: 32, durationMs: seconds * 1_000, isAwake: true };
  const rates: { bare: number; service: number }[] = [];
  for (let round = 0; round <= roundCount; round += 1) {
    const ofBare = await load({ ...job, port: barePort });
    const ofService = await load({ ...job, port });
    rates.push({
      bare: ofBare.count / ofBare.seconds,
      service: ofService.count / ofService.seconds,
    });
  }
  await bare.stop();
  // The first round warms both up.
  const measured = rates.slice(1);
  const what = { part: "a", unit: "/s", limit: "" };
  return [
    { ...what, what: "bare node:http, same bytes", value: medianOf(measured.map((r) => r.bare)) },
    { ...what, what: "hot page of 50", value: medianOf(measured.map((r) => r.service)) },
    {
      ...what,
      what: "hot page ÷ bare node:http",
      value: medianOf(measured.map((r) => r.service / r.bare)),
      unit: "",
      limit: "≥ 0.5",
    },
  ];
}

/** (b) Every request another page. */
export async function measureCold(bench: Bench): Promise<Figure[]> {
  bench.log("(b) cold pages");
  const { data, port, load, seconds, roundCount, connection, cursors } = bench;
  const query = pageOf(data.workspaceId, data.big);
  const list = { workspaceId: data.workspaceId, filters: { app: [data.big.id] } };
  const durationMs = seconds * 1_000;
  const rates: { bare: number; service: number }[] = [];
  for (let round = 0; round <= roundCount; round += 1) {
    const positions = randomPositions(50_000);
    const bare = startChild("baseline-pg");
    const job = { connection, connectionCount, query, positions, durationMs };
    const ofBare = await runJob<{ count: number; seconds: number }>(bare, job);
    await bare.stop();
    const paths = positions.map((position) => {
      const at = { micros: BigInt(position) * 1_000n, id: data.workspaceId };
      return `/api/v1/reviews?app=${data.big.id}&cursor=${cursors.encode(at, list)}`;
    });
    const ofService = await load({ port, paths, connectionCount, durationMs });
    rates.push({
      bare: ofBare.count / ofBare.seconds,
      service: ofService.count / ofService.seconds,
    });
  }
  const measured = rates.slice(1);
  const what = { part: "b", unit: "/s", limit: "" };
  return [
    { ...what, what: "bare pg loop, same SQL", value: medianOf(measured.map((r) => r.bare)) },
    { ...what, what: "cold pages of 50", value: medianOf(measured.map((r) => r.service)) },
    {
      ...what,
      what: "cold pages ÷ bare pg loop",
      value: medianOf(measured.map((r) => r.service / r.bare)),
      unit: "",
      limit: "≥ 0.8",
    },
  ];
}

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

function pageOf(
  workspaceId: string,
  app: App,
): Pick<AppPageQuery, "workspaceId" | "appId" | "filters"> {
  const dates = { from: null, to: null };
  const lists = { ratings: null, sentiments: null, topics: null };
  const more = { countries: null, languages: null, versions: null };
  return { workspaceId, appId: app.id, filters: { ...dates, ...lists, ...more } };
}

function randomPositions(count: number): number[] {
  const oldest = Date.parse(oldestDay) + 30 * dayMs;
  const range = Date.parse(newestDay) - oldest;
  return Array.from({ length: count }, () => Math.floor(oldest + Math.random() * range));
}
