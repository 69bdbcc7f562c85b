// Compares two kinds of requests in turns and in several rounds, so that disturbances of the machine affect
// both and a disturbed round does not decide.
import type pg from "pg";
import type { Cursors } from "../../src/http/cursor.ts";
import type { BenchData } from "./data.ts";
import type { Child, Load } from "./processes.ts";
import { medianOf, percentileOf } from "./report.ts";

/** Processor time so far in µs, by what it was spent on; empty where nothing counts it. */
export type Costs = Readonly<Record<string, number>>;

export type Bench = {
  data: BenchData;
  port: number;
  connection: pg.ClientConfig;
  admin: pg.Client;
  bigCount: number;
  load: Load;
  cursors: Cursors;
  seconds: number;
  roundCount: number;
  /** The number of requests for each latency in each round. */
  requestCount: number;
  service: Child;
  /** CPU time of a server, PostgreSQL and the client. */
  readCosts(server: Child): Costs;
  log(message: string): void;
};

/** The path of the request with this index: another one each time. */
export type CreatePath = (index: number) => string;

/** Percentiles of both and of their ratio: the middle ones of all rounds. */
type Comparison = {
  one(percent: number): number;
  other(percent: number): number;
  ratio(percent: number): number;
};

/** Sends one and the other in turns, one request at a time. */
export async function compare(
  bench: Bench,
  options: { one: CreatePath; other: CreatePath },
): Promise<Comparison> {
  const count = bench.requestCount;
  const rounds: { one: number[]; other: number[] }[] = [];
  for (let round = 0; round < bench.roundCount; round += 1) {
    rounds.push(
      await compareOnce(bench, { ...options, count, from: round * (count + warmUpCount) }),
    );
  }
  const medianBy = (select: (round: { one: number[]; other: number[] }) => number) =>
    medianOf(rounds.map(select));
  return {
    one: (percent) => medianBy(({ one }) => percentileOf(one, percent)),
    other: (percent) => medianBy(({ other }) => percentileOf(other, percent)),
    ratio: (percent) =>
      medianBy(({ one, other }) => percentileOf(other, percent) / percentileOf(one, percent)),
  };
}

const warmUpCount = 50;

async function compareOnce(
  bench: Bench,
  options: { one: CreatePath; other: CreatePath; count: number; from: number },
): Promise<{ one: number[]; other: number[] }> {
  const paths = Array.from({ length: warmUpCount + options.count }, (_, index) => [
    options.one(options.from + index),
    options.other(options.from + index),
  ]).flat();
  const job = { port: bench.port, paths, connectionCount: 1, once: true };
  const { latenciesMs } = await bench.load(job);
  const measured = latenciesMs.slice(2 * warmUpCount);
  const every = (rest: number) => measured.filter((_, index) => index % 2 === rest);
  return { one: every(0), other: every(1) };
}
