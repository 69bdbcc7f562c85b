// (h): the only process is killed while it delivers, and started again: how long until everything has arrived,
// and how much came twice.
import { once } from "node:events";
import { nowMs, watchArrivals } from "./arrivals.ts";
import { startServiceProcess, stopServiceProcess } from "./service-process.ts";
import type { BenchWorld } from "./world.ts";

const channelCount = 20;

export type Restart = {
  /** From the start of the new process to the arrival of the last delivery. */
  seconds: number;
  duplicateCount: number;
};

export async function measureRestart(world: BenchWorld, count: number): Promise<Restart> {
  const channels = await world.addChannels(world.receiver.url("/hook"), channelCount);
  await world.queue(channels, count);
  const arrivals = await watchArrivals(world);
  const first = await startServiceProcess(world);
  await arrivals.until(count / 3);
  const killed = once(first, "exit");
  first.kill("SIGKILL");
  await killed;
  const restartedMs = nowMs();
  const second = await startServiceProcess(world);
  await arrivals.until(count);
  const seconds = (Math.max(...arrivals.arrivedMs.values()) - restartedMs) / 1_000;
  await stopServiceProcess(second);
  // Deliveries sent after the last arrival came twice, too.
  await arrivals.end();
  await world.clear();
  return { seconds, duplicateCount: arrivals.requestCount() - count };
}
