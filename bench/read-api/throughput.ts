// How many requests a second: cold pages and the unchanged page, each in turns with a bare server or
// loop that does the least of the same, so that disturbances of the machine affect both.

import type { PageQuery } from "../../src/database/reviews/review-page-sql.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { dayMs } from "../../src/lib/timestamp.ts";
import type { Bench, Costs } from "./comparison.ts";
import { newestDay, oldestDay } from "./data.ts";
import { type Child, runJob, startChild } from "./processes.ts";
import { type Figure, medianOf } from "./report.ts";

const connectionCount = 10;

/** (b) Every request another page. */
export async function measureCold(bench: Bench): Promise<Figure[]> {
  bench.log("(b) cold pages");
  const { data, port, load, seconds, connection, cursors } = bench;
  const query = pageOf(data.workspaceId, data.big);
  const list = { workspaceId: data.workspaceId, filters: { app: [data.big.id] } };
  const durationMs = seconds * 1_000;
  const names = { bare: "bare pg loop, same SQL", service: "cold pages of 50" };
  const bare = startChild("baseline-pg");
  const figures = await compareRates(bench, {
    ...{ part: "b", names, limit: "≥ 0.8", bareProcess: bare },
    bare() {
      const positions = randomPositions(50_000);
      return runJob(bare, { connection, connectionCount, query, positions, durationMs });
    },
    service() {
      const paths = randomPositions(50_000).map((position) => {
        const at = { micros: BigInt(position) * 1_000n, id: data.workspaceId };
        return `/api/v1/reviews?app=${data.big.id}&cursor=${cursors.encode(at, list)}`;
      });
      return load({ port, paths, connectionCount, durationMs });
    },
  });
  await bare.stop();
  return figures;
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
    ...{ part: "g", names, limit: "≥ 0.8", bareProcess: bare },
    bare: () => load({ ...job, port: barePort, paths: [`/${data.big.id}`] }),
    service: () => load({ ...job, port, paths }),
  });
  await bare.stop();
  return figures;
}

type Count = { count: number; seconds: number };
type Measured = { perSecond: number; costs: Costs };

/** Both in turns; the first round warms them up and does not count. */
async function compareRates(
  bench: Bench,
  options: {
    part: string;
    names: { bare: string; service: string };
    limit: string;
    bareProcess: Child;
    bare(): Promise<Count>;
    service(): Promise<Count>;
  },
): Promise<Figure[]> {
  const { part, names, limit } = options;
  type Round = { bare: Measured; service: Measured };
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.roundCount; round += 1) {
    rounds.push({
      bare: await measure(bench, options.bareProcess, options.bare),
      service: await measure(bench, bench.service, options.service),
    });
  }
  const median = (select: (round: Round) => number): number =>
    medianOf(rounds.slice(1).map(select));
  const figure = (what: string, unit: string, value: number): Figure => {
    return { part, what, unit, value, limit: "" };
  };
  const costNames = Object.keys(bench.readCosts(bench.service));
  return [
    figure(
      names.bare,
      "/s",
      median(({ bare }) => bare.perSecond),
    ),
    figure(
      names.service,
      "/s",
      median(({ service }) => service.perSecond),
    ),
    {
      ...figure(
        `${names.service} ÷ ${names.bare}`,
        "",
        median(({ bare, service }) => service.perSecond / bare.perSecond),
      ),
      limit,
    },
    figure(
      "processor time of all: bare ÷ service",
      "",
      median(({ bare, service }) => sumOf(bare.costs) / sumOf(service.costs)),
    ),
    ...costNames.flatMap((name) => [
      figure(
        `${name}, bare`,
        "µs each",
        median(({ bare }) => bare.costs[name] ?? 0),
      ),
      figure(
        `${name}, service`,
        "µs each",
        median(({ service }) => service.costs[name] ?? 0),
      ),
    ]),
  ];
}

async function measure(bench: Bench, server: Child, run: () => Promise<Count>): Promise<Measured> {
  const before = bench.readCosts(server);
  const { count, seconds } = await run();
  const shares = Object.entries(bench.readCosts(server)).map(([name, us]) => [
    name,
    (us - (before[name] ?? 0)) / count,
  ]);
  return { perSecond: count / seconds, costs: Object.fromEntries(shares) };
}

const sumOf = (costs: Costs): number => Object.values(costs).reduce((sum, us) => sum + us, 0);

function request({ port, data }: Bench, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${data.keys.at(-1)}` };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
}

function pageOf(
  workspaceId: string,
  app: App,
): Pick<PageQuery, "workspaceId" | "apps" | "filters"> {
  const apps = [{ ...app, regions: null, hasOwnTopics: false }];
  return { workspaceId, apps, filters: {} };
}

function randomPositions(count: number): number[] {
  const oldest = Date.parse(oldestDay) + 30 * dayMs;
  const range = Date.parse(newestDay) - oldest;
  return Array.from({ length: count }, () => Math.floor(oldest + Math.random() * range));
}
