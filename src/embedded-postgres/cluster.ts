// Makes the cluster with initdb, beside its place and then moved there in one step, so that half a
// cluster is never found; and refuses a cluster of another major version.
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { AppError } from "../domain/error.ts";
import { majorOf } from "./binaries.ts";
import type { ClusterLayout } from "./layout.ts";
import { runProgram } from "./os-user.ts";

const initdbTimeoutMs = 120_000;

// Written to postgresql.conf, where an operator may tune them. The log keeps what concerns the
// server; failed statements are reported by who sent them, and would put reviews into a file.
const settings = {
  max_connections: "100",
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "log",
  log_checkpoints: "off",
};

/** Safe when two processes do it at once: both make one, the first to move it into place wins. */
export async function createCluster(place: ClusterLayout, password: string): Promise<void> {
  await removeLeftovers(place);
  const draft = `${place.cluster}.${process.pid}-${randomUUID()}`;
  await fs.mkdir(draft, { mode: 0o700 });
  try {
    const made = path.join(draft, "cluster");
    await initialise({ place, password, draft, made });
    await fs.rename(made, place.cluster);
  } catch (error) {
    // The rename fails on the finished cluster of another process, which is as good.
    if (!(await hasVersion(place.cluster))) throw error;
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}

export async function requireVersion(place: ClusterLayout): Promise<void> {
  const found = (await fs.readFile(path.join(place.cluster, "PG_VERSION"), "utf8")).trim();
  const own = majorOf(place.binaries);
  if (found === own) return;
  throw new AppError(
    "unavailable",
    `${place.cluster} was made by PostgreSQL ${found}, and this version of Starpost brings ${own}: dump it with the former version and restore it into an empty DATA_DIR, or set DATABASE_URL`,
  );
}

async function initialise(draft: {
  place: ClusterLayout;
  password: string;
  draft: string;
  made: string;
}): Promise<void> {
  const { osUser: account, binaries } = draft.place;
  const passwordFile = path.join(draft.draft, "password");
  await fs.writeFile(passwordFile, `${draft.password}\n`, { mode: 0o600 });
  if (account !== null) {
    await fs.chown(passwordFile, account.uid, account.gid);
    await fs.chown(draft.draft, account.uid, account.gid);
  }
  const args = [
    `--pgdata=${draft.made}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // PostgreSQL's own C.UTF-8: sorts the same on every machine, whatever its C library.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    ...Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`),
  ];
  const outcome = await runProgram({ file: binaries.initdb, args, account, timeoutMs: initdbTimeoutMs });
  if (outcome.code === 0) return;
  throw new AppError(
    "unavailable",
    `the database could not be created in ${draft.place.cluster}: ${outcome.output.slice(-1_000)}`,
  );
}

// What an interrupted first start left behind; the number in the name is the process that made it.
async function removeLeftovers(place: ClusterLayout): Promise<void> {
  const home = path.dirname(place.cluster);
  for (const name of await fs.readdir(home)) {
    const pid = Number(/^postgres\.(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await fs.rm(path.join(home, name), { recursive: true, force: true });
  }
}

/** Whether a process has this id; a zombie counts, a process of another user counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function hasVersion(cluster: string): Promise<boolean> {
  try {
    await fs.access(path.join(cluster, "PG_VERSION"));
    return true;
  } catch {
    return false;
  }
}
