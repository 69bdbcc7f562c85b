// The faults of a round's processes: SIGKILL, as a crash or the kernel's last resort does it, and SIGSTOP for a
// while, as a machine does that swaps or is moved. Each fault says how it is healed.
import fs from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { RunningCommand } from "../../support/built-cli.ts";
import { readPostmasterPid } from "../../support/process-sandbox.ts";
import type { Random } from "./model-steps.ts";
import type { World } from "./rounds-world.ts";

type Struck = { world: World; random: Random; command: RunningCommand | null };

/** Resolves when it has happened and is over. */
export type Fault = (struck: Struck) => Promise<void>;

const stopMsMax = 4_000;

export const faults: Readonly<Record<string, Fault>> = {
  "service killed": async ({ world }) => {
    await world.service.stop("SIGKILL");
    await world.restart();
  },
  "service stopped": async ({ world, random }) => {
    await stopForAWhile([world.service.pid], random);
  },
  "PostgreSQL killed": async ({ world }) => {
    process.kill(await requirePostmaster(world), "SIGKILL");
    await world.query("select 1");
  },
  "PostgreSQL stopped": async ({ world, random }) => {
    const postmaster = await requirePostmaster(world);
    await stopForAWhile([postmaster, ...(await listChildren(postmaster))], random);
  },
  "command killed": async ({ command }) => {
    command?.kill("SIGKILL");
    await command?.result;
  },
  "command stopped": async ({ command, random }) => {
    command?.kill("SIGSTOP");
    await delay(random.below(stopMsMax));
    command?.kill("SIGCONT");
  },
};

async function stopForAWhile(pids: readonly number[], random: Random): Promise<void> {
  for (const pid of pids) send(pid, "SIGSTOP");
  await delay(random.below(stopMsMax));
  for (const pid of pids) send(pid, "SIGCONT");
}

/** A server process of a session that has ended meanwhile is gone. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function requirePostmaster({ dataDir }: World): Promise<number> {
  const pid = await readPostmasterPid(dataDir);
  if (pid === null) throw new Error("PostgreSQL does not run");
  return pid;
}

async function listChildren(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await fs.readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // A process that ended since has no file any more.
    const stat = await fs.readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // After the name in brackets: state, parent.
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent) {
      children.push(Number(name));
    }
  }
  return children;
}
