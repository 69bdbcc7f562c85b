// The arrivals at the receiver, by delivery: when it first did, and how many requests there were in all.
import { setTimeout as delay } from "node:timers/promises";
import type { BenchWorld } from "./world.ts";

const patienceMs = 60_000;

export type Arrivals = {
  /** The moment of each delivery's first request, on the machine's monotonic clock. */
  arrivedMs: ReadonlyMap<string, number>;
  requestCount(): number;
  collect(): Promise<void>;
  /** @throws when not so many have arrived after a minute */
  until(enough: number): Promise<void>;
  end(): Promise<void>;
};

export async function watchArrivals({ receiver }: BenchWorld): Promise<Arrivals> {
  const arrivedMs = new Map<string, number>();
  let requestCount = 0;
  const collect = async (): Promise<void> => {
    const { arrivals } = await receiver.report();
    requestCount += arrivals.length;
    for (const [id, atMs] of arrivals) if (!arrivedMs.has(id)) arrivedMs.set(id, atMs);
  };
  await receiver.report({ note: true });
  return {
    arrivedMs,
    requestCount: () => requestCount,
    collect,
    async until(enough) {
      const deadlineMs = performance.now() + patienceMs;
      for (await collect(); arrivedMs.size < enough; await collect()) {
        if (performance.now() > deadlineMs)
          throw new Error(`${arrivedMs.size} of ${enough} arrived`);
        await delay(2);
      }
    },
    async end() {
      await collect();
      await receiver.report({ note: false });
    },
  };
}

/** The moment now, comparable with those of arrivals. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
