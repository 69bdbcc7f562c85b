// The CPU time of the parts of a delivery: processor time of this process, of the receiver and of
// every process of PostgreSQL.
import { openDatabaseTime, readProcessUs } from "../cpu-time.ts";
import type { BenchWorld } from "./world.ts";

export type CpuTime = { engineUs: number; receiverUs: number; databaseUs: number };

/** Null where Linux does not count it. */
export async function openCpuTime(world: BenchWorld): Promise<(() => CpuTime) | null> {
  const readDatabaseUs = await openDatabaseTime(world.admin);
  if (readDatabaseUs === null) return null;
  return () => {
    const own = process.cpuUsage();
    const receiverUs = readProcessUs(world.receiver.pid);
    return { engineUs: own.user + own.system, receiverUs, databaseUs: readDatabaseUs() };
  };
}
