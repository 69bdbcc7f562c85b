// Parts (c), (d) and (j) of bench/README.md: how long after its commit an event arrives at a steady pace; beside a
// channel whose endpoint hangs on a long backlog; beside one whose service allows a message a second.
import { setTimeout as delay } from "node:timers/promises";
import type { Channel } from "../../src/domain/channel/channel.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { dayMs } from "../../src/lib/timestamp.ts";
import { percentileOf } from "../read-api/report.ts";
import { aDelivery, type BenchWorld } from "./world.ts";

export type Latency = { p50Ms: number; p99Ms: number };

const channelCount = 20;
const patienceMs = 30_000;

/** Rounds of one kind, each on its own: a hiccup of the machine must not decide alone. */
export async function measureLatency(
  world: BenchWorld,
  options: {
    seconds: number;
    roundCount: number;
    perSecond: number;
    hangingBacklog?: number;
    /** The same, and none of it is due yet. */
    laterBacklog?: number;
    pacedBacklog?: number;
  },
): Promise<Latency[]> {
  const channels = await world.addChannels(world.receiver.url("/hook"), channelCount);
  const { hangingBacklog = 0, laterBacklog = 0, pacedBacklog = 0 } = options;
  if (hangingBacklog + laterBacklog > 0) {
    const hanging = await world.addChannels(world.receiver.url("/hang"), 1);
    const now = systemClock.now();
    const dueAt = laterBacklog > 0 ? new Date(now.getTime() + dayMs) : now;
    await world.fill(hanging, hangingBacklog + laterBacklog, { dueAt });
  }
  if (pacedBacklog > 0) {
    const paced = await world.addSlackChannel(world.receiver.url("/slack"));
    await world.fill([paced], pacedBacklog);
  }
  const engine = world.startEngine(() => {});
  // Not told: connections are opened, statements are parsed, code is compiled.
  await measureRound(world, channels, { ...options, seconds: 3 });
  const rounds: Latency[] = [];
  for (let round = 0; round < options.roundCount; round += 1) {
    rounds.push(await measureRound(world, channels, options));
  }
  await engine.close();
  await world.clear();
  return rounds;
}

export async function measureRound(
  world: BenchWorld,
  channels: readonly Channel[],
  { seconds, perSecond }: { seconds: number; perSecond: number },
): Promise<Latency> {
  await world.receiver.report({ note: true });
  const committed = new Map<string, number>();
  const commits: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let number = 0; number < seconds * perSecond; number += 1) {
    const dueMs = startedMs + (number * 1_000) / perSecond;
    if (dueMs > performance.now()) await delay(dueMs - performance.now());
    const channel = channels[number % channels.length];
    if (channel) commits.push(commitOne(world, { channel, number, committed }));
  }
  await Promise.all(commits);
  return summarize(committed, await collectArrivals(world, committed));
}

async function commitOne(
  { database }: BenchWorld,
  one: { channel: Channel; number: number; committed: Map<string, number> },
): Promise<void> {
  const delivery = aDelivery(one.channel, one.number);
  await database.enqueueDeliveries({ deliveries: [delivery], now: systemClock.now() });
  one.committed.set(delivery.id, monotonicMs());
  await database.notify("deliveries");
}

/** When each of them came first. */
async function collectArrivals(
  { receiver }: BenchWorld,
  committed: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const arrived = new Map<string, number>();
  const deadline = performance.now() + patienceMs;
  while (arrived.size < committed.size) {
    const { arrivals } = await receiver.report();
    for (const [id, atMs] of arrivals) {
      if (committed.has(id) && !arrived.has(id)) arrived.set(id, atMs);
    }
    if (performance.now() > deadline) throw new Error(`${arrived.size} of ${committed.size} came`);
    await delay(20);
  }
  await receiver.report({ note: false });
  return arrived;
}

function summarize(
  committed: ReadonlyMap<string, number>,
  arrived: ReadonlyMap<string, number>,
): Latency {
  // An arrival can be noted before the commit's answer has been read.
  const delays = [...arrived].map(([id, atMs]) => Math.max(0, atMs - (committed.get(id) ?? atMs)));
  return { p50Ms: percentileOf(delays, 50), p99Ms: percentileOf(delays, 99) };
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
