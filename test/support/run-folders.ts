// The temporary folders of a test run, named after its process. A run that was killed leaves folders, PostgreSQL servers
// and services behind; the next run removes them.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { stopPostmaster } from "../../src/features/embedded-postgres/postmaster.ts";

const namePattern = /^starpost-run-(\d+)$/;

/** Made inside of `parent`, which may hold the folders of runs that have ended. Readable by PostgreSQL's OS user. */
export async function makeRunFolder(parent: string): Promise<string> {
  await removeLeftovers(parent);
  const folder = path.join(parent, `starpost-run-${process.pid}`);
  await fs.mkdir(folder, { recursive: true });
  await fs.chmod(folder, 0o755);
  return folder;
}

/** Everything that calls `os.tmpdir()` from now on, in this process and its children, is given the folder. */
export async function useTemporaryFolder(): Promise<string> {
  const folder = await makeRunFolder(os.tmpdir());
  process.env["TMPDIR"] = folder;
  return folder;
}

/** Folders of runs whose process is dead, with what still runs in them. */
export async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await fs.readdir(parent)) {
    const pid = Number(namePattern.exec(name)?.[1] ?? process.pid);
    if (isAlive(pid)) continue;
    const folder = path.join(parent, name);
    await endProcessesOf(folder);
    for (const cluster of await findClusters(folder)) await stopPostmaster(cluster);
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// Only Linux shows the environment of other processes; elsewhere services end with their database.
async function endProcessesOf(folder: string): Promise<void> {
  for (const pid of await fs.readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const environment = await fs.readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (!environment.split("\0").includes(`TMPDIR=${folder}`)) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function findClusters(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder, { recursive: true });
  return names
    .filter((name) => path.basename(name) === "postmaster.pid")
    .map((name) => path.join(folder, path.dirname(name)));
}
