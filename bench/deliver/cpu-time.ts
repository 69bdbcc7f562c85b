// What the parts of a delivery cost the machine: processor time of this process, of the receiver and of
// every process of PostgreSQL, as Linux counts it.
import fs from "node:fs";
import type { BenchWorld } from "./world.ts";

export type CpuTime = { engineUs: number; receiverUs: number; databaseUs: number };

/** Null where /proc is not there. */
export async function openCpuTime(world: BenchWorld): Promise<(() => CpuTime) | null> {
  if (process.platform !== "linux") return null;
  const found = await world.admin.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = readStat(String(found.rows[0]?.pid ?? 0))?.parent ?? "";
  return () => {
    const own = process.cpuUsage();
    let databaseUs = 0;
    for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const stat = readStat(pid);
      if (pid === postmaster) databaseUs += (stat?.selfUs ?? 0) + (stat?.endedUs ?? 0);
      else if (stat?.parent === postmaster) databaseUs += readThreadUs(pid) ?? stat.selfUs;
    }
    const receiverUs = readStat(String(world.receiver.pid))?.selfUs ?? 0;
    return { engineUs: own.user + own.system, receiverUs, databaseUs };
  };
}

/** To the nanosecond, for processes of one thread. */
function readThreadUs(pid: string): number | null {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1_000;
  } catch {
    // It has ended, or this Linux does not tell.
    return null;
  }
}

// A tick of /proc is a hundredth of a second on every Linux that Node runs on.
const tickUs = 10_000;

type Stat = { parent: string; selfUs: number; endedUs: number };

function readStat(pid: string): Stat | null {
  let text: string;
  try {
    text = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended.
    return null;
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = (at: number): number => Number(fields[at] ?? 0) * tickUs;
  return {
    parent: fields[1] ?? "",
    selfUs: ticks(11) + ticks(12),
    endedUs: ticks(13) + ticks(14),
  };
}
