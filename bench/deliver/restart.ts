// (h): the only process is killed while it delivers, and started again: how long until everything has arrived,
// and how much came twice.
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { startServiceProcess } from "./service-process.ts";
import type { BenchWorld } from "./world.ts";

const channelCount = 20;
const patienceMs = 60_000;

export type Restart = {
  /** From the start of the new process to the arrival of the last delivery. */
  seconds: number;
  duplicateCount: number;
};

export async function measureRestart(world: BenchWorld, count: number): Promise<Restart> {
  const channels = await world.addChannels(world.receiver.url("/hook"), channelCount);
  await world.queue(channels, count);
  await world.receiver.report({ note: true });
  const arrived = new Map<string, number>();
  let requestCount = 0;
  const collect = async (): Promise<void> => {
    const { arrivals } = await world.receiver.report();
    requestCount += arrivals.length;
    for (const [id, atMs] of arrivals) if (!arrived.has(id)) arrived.set(id, atMs);
  };
  const until = async (enough: number): Promise<void> => {
    const deadlineMs = performance.now() + patienceMs;
    for (await collect(); arrived.size < enough; await collect()) {
      if (performance.now() > deadlineMs) throw new Error(`${arrived.size} of ${enough} arrived`);
      await delay(2);
    }
  };
  const first = await startServiceProcess(world);
  await until(count / 3);
  const killed = once(first, "exit");
  first.kill("SIGKILL");
  await killed;
  const restartedMs = Number(process.hrtime.bigint()) / 1e6;
  const second = await startServiceProcess(world);
  await until(count);
  const seconds = (Math.max(...arrived.values()) - restartedMs) / 1_000;
  const ended = once(second, "exit");
  second.disconnect();
  await ended;
  // What was sent after the last one had arrived came twice, too.
  await collect();
  await world.receiver.report({ note: false });
  await world.clear();
  return { seconds, duplicateCount: requestCount - count };
}
