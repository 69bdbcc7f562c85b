// The CPU time of processes, as Linux counts it.
import fs from "node:fs";
import type pg from "pg";

/** The processor time of every process of PostgreSQL together; null where /proc is not there. */
export async function openDatabaseTime(admin: pg.Client): Promise<(() => number) | null> {
  if (process.platform !== "linux") return null;
  const found = await admin.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = readStat(String(found.rows[0]?.pid ?? 0))?.parent ?? "";
  return () => {
    let databaseUs = 0;
    for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const stat = readStat(pid);
      if (pid === postmaster) databaseUs += (stat?.selfUs ?? 0) + (stat?.endedUs ?? 0);
      else if (stat?.parent === postmaster) databaseUs += readThreadUs(pid) ?? stat.selfUs;
    }
    return databaseUs;
  };
}

/** The processor time of one process; 0 when it has ended or /proc is not there. */
export function readProcessUs(pid: number | undefined): number {
  return readStat(String(pid))?.selfUs ?? 0;
}

/** To the nanosecond, for processes of one thread. */
function readThreadUs(pid: string): number | null {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1_000;
  } catch {
    // It has ended, or this Linux does not report it.
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
