// (k): the same backlog by one service process and by several on one PostgreSQL: how fast, and whether each delivery
// arrived exactly once. The processes run and are warm before it is due.
import { systemClock } from "../../src/lib/clock.ts";
import { nowMs, watchArrivals } from "./arrivals.ts";
import { startServiceProcess, stopServiceProcess } from "./service-process.ts";
import type { BenchWorld } from "./world.ts";

const channelCount = 20;
/** Longer than filling takes. */
const fillMs = 30_000;

export type Several = { perSecond: number; duplicateCount: number };

/** @throws when one does not arrive */
export async function measureSeveral(
  world: BenchWorld,
  { count, processCount }: { count: number; processCount: number },
): Promise<Several> {
  const channels = await world.addChannels(world.receiver.url("/hook"), channelCount);
  const services = await Promise.all(
    Array.from({ length: processCount }, () => startServiceProcess(world)),
  );
  const warmCount = Math.ceil(count / 10) * processCount;
  const arrivals = await watchArrivals(world);
  await world.queue(channels, warmCount);
  await world.database.notify("deliveries");
  await arrivals.until(warmCount);
  const dueAt = new Date(systemClock.now().getTime() + fillMs);
  await world.fill(channels, count, { dueAt });
  const aheadMs = dueAt.getTime() - systemClock.now().getTime();
  if (aheadMs < 0) throw new Error("filling took longer than planned");
  const dueMs = nowMs() + aheadMs;
  await arrivals.until(warmCount + count);
  const seconds = (Math.max(...arrivals.arrivedMs.values()) - dueMs) / 1_000;
  for (const service of services) await stopServiceProcess(service);
  await arrivals.end();
  await world.clear();
  const duplicateCount = arrivals.requestCount() - warmCount - count;
  return { perSecond: count / seconds, duplicateCount };
}
