// How many requests a second: the hot page, cold pages and the unchanged page, each in turns with a bare server or
// loop that does the least of the same, so that disturbances of the machine affect both.
import type { AppPageQuery } from "../../src/database/read-models/review-pages.ts";
import type { App } from "../../src/domain/listing.ts";
import { dayMs } from "../../src/lib/timestamp.ts";
import type { Bench, Costs } from "./comparison.ts";
import { newestDay, oldestDay } from "./data.ts";
import { runJob, startChild } from "./processes.ts";
import { type Figure, medianOf } from "./report.ts";

const connectionCount = 10;

/** (a) The same page of 50 again and again. */
export async function measureHot(bench: Bench): Promise<Figure[]> {
  bench.log("(a) hot page");
  const { data, port, load, seconds } = bench;
  const paths = [`/api/v1/reviews?app=${data.big.id}&limit=50`];
  const body = await (await request(bench, paths[0] ?? "")).text();
  const bare = startChild("baseline-http");
  const { port: barePort } = await runJob<{ port: number }>(bare, { body });
  const job = { paths, connectionCount: 32, durationMs: seconds * 1_000, isAwake: true };
  const names = { bare: "bare node:http, same bytes", service: "hot page of 50" };
  const figures = await compareRates(bench, {
    ...{ part: "a", names, limit: "≥ 0.5" },
    bare: () => load({ ...job, port: barePort }),
    service: () => load({ ...job, port }),
  });
  await bare.stop();
  return figures;
}

/** (b) Every request another page. */
export async function measureCold(bench: Bench): Promise<Figure[]> {
  bench.log("(b) cold pages");
  const { data, port, load, seconds, connection, cursors } = bench;
  const query = pageOf(data.workspaceId, data.big);
  const list = { workspaceId: data.workspaceId, filters: { app: [data.big.id] } };
  const durationMs = seconds * 1_000;
  const names = { bare: "bare pg loop, same SQL", service: "cold pages of 50" };
  return compareRates(bench, {
    ...{ part: "b", names, limit: "≥ 0.8" },
    async bare() {
      const bare = startChild("baseline-pg");
      const positions = randomPositions(50_000);
      const job = { connection, connectionCount, query, positions, durationMs };
      const result = await runJob<Count>(bare, job);
      await bare.stop();
      return result;
    },
    service() {
      const paths = randomPositions(50_000).map((position) => {
        const at = { micros: BigInt(position) * 1_000n, id: data.workspaceId };
        return `/api/v1/reviews?app=${data.big.id}&cursor=${cursors.encode(at, list)}`;
      });
      return load({ port, paths, connectionCount, durationMs });
    },
  });
}

/** (g) The same page again and again, from a client that has it. */
export async function measureUnchanged(bench: Bench): Promise<Figure[]> {
  bench.log("(g) unchanged page");
  const { data, port, load, seconds, connection } = bench;
  const paths = [`/api/v1/reviews?app=${data.big.id}`];
  const response = await request(bench, paths[0] ?? "");
  await response.text();
  const etag = response.headers.get("etag") ?? "";
  const bare = startChild("baseline-row");
  const { port: barePort } = await runJob<{ port: number }>(bare, { connection, etag });
  const job = { connectionCount, durationMs: seconds * 1_000, etag };
  const names = { bare: "bare server, one row by its key", service: "unchanged page (304)" };
  const figures = await compareRates(bench, {
    ...{ part: "g", names, limit: "≥ 0.8" },
    bare: () => load({ ...job, port: barePort, paths: [`/${data.big.id}`] }),
    service: () => load({ ...job, port, paths }),
  });
  await bare.stop();
  return figures;
}

type Count = { count: number; seconds: number };

/** Both in turns; the first round warms them up and does not count. */
async function compareRates(
  bench: Bench,
  options: {
    part: string;
    names: { bare: string; service: string };
    limit: string;
    bare(): Promise<Count>;
    service(): Promise<Count>;
  },
): Promise<Figure[]> {
  const { part, names, limit } = options;
  type Round = { bare: number; service: number; costs: Costs };
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.roundCount; round += 1) {
    const bare = rateOf(await options.bare());
    const before = bench.readCosts();
    const result = await options.service();
    const after = bench.readCosts();
    rounds.push({ bare, service: rateOf(result), costs: shareCosts(before, after, result.count) });
  }
  const median = (select: (round: Round) => number): number =>
    medianOf(rounds.slice(1).map(select));
  const rate = { part, unit: "/s", limit: "" };
  return [
    { ...rate, what: names.bare, value: median(({ bare }) => bare) },
    { ...rate, what: names.service, value: median(({ service }) => service) },
    {
      ...{ part, unit: "", limit },
      what: `${names.service} ÷ ${names.bare}`,
      value: median(({ bare, service }) => service / bare),
    },
    ...Object.keys(bench.readCosts()).map((name) => ({
      ...{ part, unit: "µs each", limit: "" },
      what: `processor time of ${name}`,
      value: median(({ costs }) => costs[name] ?? 0),
    })),
  ];
}

const rateOf = ({ count, seconds }: Count): number => count / seconds;

function shareCosts(before: Costs, after: Costs, count: number): Costs {
  const shares = Object.entries(after).map(([name, us]) => [
    name,
    (us - (before[name] ?? 0)) / count,
  ]);
  return Object.fromEntries(shares);
}

function request({ port, data }: Bench, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${data.keys.at(-1)}` };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
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
