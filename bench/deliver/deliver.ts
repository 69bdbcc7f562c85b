// Measures the delivery engine in one run, part by part, and prints one table and one line of JSON.
import { readOptions } from "../options.ts";
import { type Figure, medianOf, printFigures } from "../read-api/report.ts";
import { measureClaims } from "./claim-time.ts";
import type { CpuTime } from "./cpu-time.ts";
import { measureDeletion } from "./deletion.ts";
import { measureHour } from "./hour.ts";
import { type Latency, measureLatency } from "./latency.ts";
import { measureMemory } from "./memory.ts";
import { measureNeighbours } from "./neighbours.ts";
import { measureRestart, type Restart } from "./restart.ts";
import { measureSeveral, type Several } from "./several.ts";
import { measureBare, measureEngine, type Throughput } from "./throughput.ts";
import { type BenchWorld, openBenchWorld } from "./world.ts";

const options = readOptions(
  { name: "deliver", about: "Measures the delivery engine in one run, part by part." },
  {
    parts: ["abcdefghijkl", "the parts to measure, by their letters"],
    count: [50_000, "deliveries of (a), (b) and (k)"],
    busy: [20, "channels of (b)"],
    rounds: [3, "of (a), (b), (c), (d), (h) and (k), the median counts"],
    pace: [100, "events a second of (c) and (d)"],
    seconds: [30, "of a round of (c) and (d), and of (f) and (i)"],
    backlog: [100_000, "waiting deliveries of the channel that hangs in (d)"],
    channels: [100_000, "channels of (e)"],
    waiting: [1_000_000, "waiting deliveries of (f) and (i)"],
    hour: [360_000, "deliveries of (g)"],
    killed: [5_000, "deliveries of (h)"],
    paced: [10_000, "deliveries of (j) to the channel that allows one a second"],
    processes: [4, "of (k)"],
  },
);
const count = options.count;
const channelCount = options.busy;
const roundCount = options.rounds;
const seconds = options.seconds;
const wants = (parts: string): boolean => [...parts].some((part) => options.parts.includes(part));
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const world = await openBenchWorld();
try {
  const figures = [
    ...(wants("ab") ? await reportThroughput(world) : []),
    ...(wants("cd") ? await reportLatency(world) : []),
    ...(wants("e") ? await reportClaims(world) : []),
    ...(wants("f") ? await reportMemory(world) : []),
    ...(wants("g") ? await reportHour(world) : []),
    ...(wants("h") ? await reportRestart(world) : []),
    ...(wants("i") ? await reportDeletion(world) : []),
    ...(wants("j") ? await reportPaced(world) : []),
    ...(wants("k") ? await reportSeveral(world) : []),
    ...(wants("l") ? await reportNeighbours(world) : []),
  ];
  printFigures(figures, { bench: "deliver", ...options });
} finally {
  await world.close();
}

async function reportThroughput(world: BenchWorld): Promise<Figure[]> {
  say("(a) (b): throughput");
  // Not told: the first ones pay for compiling the code.
  await measureBare(world, Math.ceil(count / 10));
  await measureEngine(world, { count: Math.ceil(count / 10), channelCount });
  const rounds: { bare: Throughput; engine: Throughput }[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    const bare = await measureBare(world, count);
    const engine = await measureEngine(world, { count, channelCount });
    rounds.push({ bare, engine });
    say(`  ${Math.round(bare.perSecond)} and ${Math.round(engine.perSecond)} a second`);
  }
  const bare = medianOf(rounds.map((round) => round.bare.perSecond));
  const engine = medianOf(rounds.map((round) => round.engine.perSecond));
  const ratio = medianOf(rounds.map((round) => round.engine.perSecond / round.bare.perSecond));
  return [
    figure("a", "bare undici POST + HMAC, 64 connections", bare, "/s"),
    ...reportCpu("a", rounds.at(-1)?.bare.cpu),
    figure("b", `engine, queued to acknowledged, ${channelCount} channels`, engine, "/s"),
    ...reportCpu("b", rounds.at(-1)?.engine.cpu),
    figure("b", "write-ahead log", rounds.at(-1)?.engine.walBytes ?? 0, "B each"),
    figure("b", "b ÷ a", ratio, "", "≥ 0.5"),
  ];
}

function reportCpu(part: string, cpu: CpuTime | null | undefined): Figure[] {
  if (!cpu) return [];
  return [
    figure(part, "processor time of the sender", cpu.engineUs, "µs each"),
    figure(part, "processor time of the receiver", cpu.receiverUs, "µs each"),
    figure(part, "processor time of PostgreSQL", cpu.databaseUs, "µs each"),
  ];
}

async function reportLatency(world: BenchWorld): Promise<Figure[]> {
  say("(c) (d): from commit to arrival");
  const wish = { seconds, roundCount, perSecond: options.pace };
  const alone = await measureLatency(world, wish);
  if (!wants("d")) return reportAlone(alone);
  // A database with so much in it is slower by itself: what hanging adds is the difference to the same one.
  const { backlog } = options;
  const later = await measureLatency(world, { ...wish, laterBacklog: backlog });
  const beside = await measureLatency(world, { ...wish, hangingBacklog: backlog });
  const p99Later = medianOf(later.map(({ p99Ms }) => p99Ms));
  const p99Beside = medianOf(beside.map(({ p99Ms }) => p99Ms));
  return [
    ...reportAlone(alone),
    figure("d", `p99 beside a channel with ${backlog} for later`, p99Later, "ms"),
    figure("d", "p99 beside the same when they are due and it hangs", p99Beside, "ms"),
    figure("d", "change of p99", (p99Beside / p99Later - 1) * 100, "%", "≤ 20"),
  ];
}

function reportAlone(alone: readonly Latency[]): Figure[] {
  return [
    figure("c", "commit to arrival, p50", medianOf(alone.map(({ p50Ms }) => p50Ms)), "ms"),
    figure("c", "commit to arrival, p99", medianOf(alone.map(({ p99Ms }) => p99Ms)), "ms", "≤ 50"),
  ];
}

async function reportClaims(world: BenchWorld): Promise<Figure[]> {
  say("(e): claims among many channels");
  const { p50Ms, p99Ms, databaseMs } = await measureClaims(world, options.channels);
  const words = `claim of 64, ${options.channels} channels with 500 due`;
  return [
    figure("e", `${words}, median`, p50Ms, "ms", "≤ 2"),
    figure("e", `${words}, p99`, p99Ms, "ms"),
    figure("e", "processor time of PostgreSQL, median", databaseMs, "ms"),
  ];
}

async function reportMemory(world: BenchWorld): Promise<Figure[]> {
  say("(f): memory with a long backlog");
  const backlog = options.waiting;
  const { rssMb, deliveredCount } = await measureMemory(world, { backlog, seconds });
  return [
    figure("f", `most memory of a service with ${backlog} waiting`, rssMb, "MB", "≤ 250"),
    figure("f", "delivered meanwhile", deliveredCount, ""),
  ];
}

async function reportHour(world: BenchWorld): Promise<Figure[]> {
  say("(g): an hour's worth of deliveries");
  const hour = await measureHour(world, options.hour);
  const figures = hour.tables.flatMap((state) => [
    figure("g", `${state.table}: rows`, state.liveCount, ""),
    figure("g", `${state.table}: dead tuples`, state.deadCount, ""),
    figure("g", `${state.table}: updates`, state.updateCount, ""),
    figure("g", `${state.table}: updates that touched no index`, state.hotCount, ""),
    figure("g", `${state.table}: size with indexes`, state.sizeMb, "MB"),
  ]);
  return [
    figure("g", `${options.hour} deliveries queued and delivered in`, hour.seconds, "s"),
    ...figures,
    figure("g", "retention", hour.deletedPerSecond, "deliveries/s"),
  ];
}

async function reportRestart(world: BenchWorld): Promise<Figure[]> {
  say("(h): the only process is killed");
  const rounds: Restart[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    rounds.push(await measureRestart(world, options.killed));
  }
  const seconds = Math.max(...rounds.map((one) => one.seconds));
  const duplicateCount = Math.max(...rounds.map((one) => one.duplicateCount));
  return [
    figure("h", "restart after kill -9 to the last arrival, longest", seconds, "s", "≤ 6"),
    figure("h", `twice, of ${options.killed}, most`, duplicateCount, "", "≤ 200"),
  ];
}

async function reportDeletion(world: BenchWorld): Promise<Figure[]> {
  say("(i): a channel with a long backlog is deleted");
  const backlog = options.waiting;
  const deletion = await measureDeletion(world, { backlog, seconds });
  const { gapMsBefore, gapMsDuring, deleteMs, goneCount } = deletion;
  return [
    figure("i", `deleting a channel with ${backlog} waiting`, deleteMs, "ms"),
    figure("i", "longest gap in others' outcomes before", gapMsBefore, "ms"),
    figure("i", `from then on, ${goneCount} of them deleted`, gapMsDuring, "ms"),
    figure("i", "ratio", gapMsDuring / gapMsBefore, "", "≤ 2"),
  ];
}

async function reportPaced(world: BenchWorld): Promise<Figure[]> {
  say("(j): webhooks beside a service that allows a message a second");
  const wish = { seconds, roundCount, perSecond: options.pace };
  const alone = await measureLatency(world, wish);
  const beside = await measureLatency(world, { ...wish, pacedBacklog: options.paced });
  const p99 = medianOf(alone.map(({ p99Ms }) => p99Ms));
  const p99Beside = medianOf(beside.map(({ p99Ms }) => p99Ms));
  const [p50, p50Beside] = [alone, beside].map((found) =>
    medianOf(found.map(({ p50Ms }) => p50Ms)),
  );
  return [
    figure("j", "webhooks, commit to arrival, p50", p50 ?? 0, "ms"),
    figure("j", `the same beside Slack with ${options.paced} waiting`, p50Beside ?? 0, "ms"),
    figure("j", "webhooks, commit to arrival, p99", p99, "ms"),
    figure("j", `the same beside Slack with ${options.paced} waiting`, p99Beside, "ms"),
    figure("j", "change of p99", (p99Beside / p99 - 1) * 100, "%", "≤ 20"),
  ];
}

async function reportSeveral(world: BenchWorld): Promise<Figure[]> {
  say("(k): several processes on one PostgreSQL");
  const rounds: { one: Several; several: Several }[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    const one = await measureSeveral(world, { count, processCount: 1 });
    const several = await measureSeveral(world, { count, processCount: options.processes });
    rounds.push({ one, several });
    say(`  ${Math.round(one.perSecond)} and ${Math.round(several.perSecond)} a second`);
  }
  const median = (of: (round: { one: Several; several: Several }) => number): number =>
    medianOf(rounds.map(of));
  const twice = Math.max(...rounds.map(({ several }) => several.duplicateCount));
  return [
    figure(
      "k",
      "one process, from due to arrived",
      median(({ one }) => one.perSecond),
      "/s",
    ),
    figure(
      "k",
      `${options.processes} processes`,
      median(({ several }) => several.perSecond),
      "/s",
    ),
    figure(
      "k",
      "ratio",
      median(({ one, several }) => several.perSecond / one.perSecond),
      "",
      "≥ 1",
    ),
    figure("k", `twice, of ${count}, most`, twice, "", "≤ 0"),
  ];
}

async function reportNeighbours(world: BenchWorld): Promise<Figure[]> {
  say("(l): one customer beside slow endpoints and long bodies of others");
  const wish = { seconds, perSecond: 20 };
  const none = { channels: 0, hosts: 1, answerMs: 0, waiting: 0 };
  const cases = [
    ["alone", none],
    [
      "200 channels that answer 200 after 6 s",
      { channels: 200, hosts: 5, answerMs: 6_000, waiting: 100 },
    ],
    [
      "8 channels with bodies of 300 kB, 200 after 9 s",
      { channels: 8, hosts: 5, answerMs: 9_000, waiting: 160, bodyBytes: 300_000 },
    ],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, slow] of cases) {
    const { p50Ms, p99Ms, rssMb } = await measureNeighbours(world, { ...wish, slow });
    figures.push(
      figure("l", `commit to arrival, ${name}: p50`, p50Ms, "ms"),
      figure("l", `commit to arrival, ${name}: p99`, p99Ms, "ms", "≤ 100"),
      figure("l", `most memory, ${name} (heap of 512 MB)`, rssMb, "MB", "≤ 300"),
    );
  }
  return figures;
}

function figure(part: string, what: string, value: number, unit: string, limit = ""): Figure {
  return { part, what, value, unit, limit };
}
