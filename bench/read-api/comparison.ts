// Two questions asked in turns, in several rounds: what the machine does meanwhile meets both, and a
// round that it disturbed does not decide.
import type pg from "pg";
import type { Cursors } from "../../src/api/cursor.ts";
import type { BenchData } from "./data.ts";
import type { Load } from "./processes.ts";
import { medianOf, percentileOf } from "./report.ts";

export type Bench = {
  data: BenchData;
  port: number;
  connection: pg.ClientConfig;
  bigCount: number;
  load: Load;
  cursors: Cursors;
  seconds: number;
  roundCount: number;
  say(what: string): void;
};

/** The path of the index-th question: another one each time. */
export type PathAt = (index: number) => string;

/** Percentiles of both and of their ratio: the middle ones of all rounds. */
type Comparison = {
  one(percent: number): number;
  other(percent: number): number;
  ratio(percent: number): number;
};

/** Asks for one and the other in turns, one request at a time. */
export async function compare(
  bench: Bench,
  given: { one: PathAt; other: PathAt; count: number },
): Promise<Comparison> {
  const rounds: { one: number[]; other: number[] }[] = [];
  for (let round = 0; round < bench.roundCount; round += 1) {
    rounds.push(await compareOnce(bench, { ...given, from: round * (given.count + warmUpCount) }));
  }
  const middle = (of: (round: { one: number[]; other: number[] }) => number) =>
    medianOf(rounds.map(of));
  return {
    one: (percent) => middle(({ one }) => percentileOf(one, percent)),
    other: (percent) => middle(({ other }) => percentileOf(other, percent)),
    ratio: (percent) =>
      middle(({ one, other }) => percentileOf(other, percent) / percentileOf(one, percent)),
  };
}

const warmUpCount = 50;

async function compareOnce(
  bench: Bench,
  given: { one: PathAt; other: PathAt; count: number; from: number },
): Promise<{ one: number[]; other: number[] }> {
  const paths = Array.from({ length: warmUpCount + given.count }, (_, index) => [
    given.one(given.from + index),
    given.other(given.from + index),
  ]).flat();
  const job = { port: bench.port, paths, connectionCount: 1, once: true };
  const { latenciesMs } = await bench.load(job);
  const measured = latenciesMs.slice(2 * warmUpCount);
  const every = (rest: number) => measured.filter((_, index) => index % 2 === rest);
  return { one: every(0), other: every(1) };
}
