// Makes the cluster with initdb in a draft folder and renames it in one step, so that half a cluster is
// never found; and refuses a cluster of another major version.
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../lib/errors.ts";
import { exists } from "../../lib/files.ts";
import { majorOf } from "./binaries.ts";
import { EmbeddedPostgresError } from "./error.ts";
import type { ClusterLayout } from "./layout.ts";
import { runProgram } from "./os-user.ts";

const initdbTimeoutMs = 120_000;

// Written to postgresql.conf, where an operator may tune them. The log holds what concerns the server;
// failed statements are reported by the process that sent them and would put reviews into a file.
const settings = {
  max_connections: "100",
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "log",
  log_checkpoints: "off",
};

/**
 * Safe when two processes do it at once: both make a cluster, and the first to rename its own wins.
 * @throws EmbeddedPostgresError when initdb fails
 */
export async function createCluster(layout: ClusterLayout, password: string): Promise<void> {
  await removeLeftovers(layout);
  const draft = `${layout.cluster}.${process.pid}-${randomUUID()}`;
  await fs.mkdir(draft, { mode: 0o700 });
  try {
    const cluster = path.join(draft, "cluster");
    await initialize({ layout, password, draft, cluster });
    await fs.rename(cluster, layout.cluster);
  } catch (error) {
    // The rename fails on the finished cluster of another process, which is as good.
    if (!(await exists(path.join(layout.cluster, "PG_VERSION")))) throw error;
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}

/** @throws EmbeddedPostgresError for a cluster of another major version */
export async function requireVersion(layout: ClusterLayout): Promise<void> {
  const clusterVersion = (
    await fs.readFile(path.join(layout.cluster, "PG_VERSION"), "utf8")
  ).trim();
  const ownVersion = majorOf(layout.binaries);
  if (clusterVersion === ownVersion) return;
  throw new EmbeddedPostgresError(
    `${layout.cluster} was made by PostgreSQL ${clusterVersion}, and this version of Starpost brings ${ownVersion}: dump it with the former version and restore it into an empty DATA_DIR, or set DATABASE_URL`,
  );
}

async function initialize(options: {
  layout: ClusterLayout;
  password: string;
  /** A folder for this attempt alone. */
  draft: string;
  /** Where initdb makes the cluster, inside the draft. */
  cluster: string;
}): Promise<void> {
  const { layout, draft } = options;
  const { osUser, binaries } = layout;
  const passwordFile = path.join(draft, "password");
  await fs.writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (osUser !== null) {
    await fs.chown(passwordFile, osUser.uid, osUser.gid);
    await fs.chown(draft, osUser.uid, osUser.gid);
  }
  const args = [
    `--pgdata=${options.cluster}`,
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
  const outcome = await runProgram({
    file: binaries.initdb,
    args,
    osUser,
    timeoutMs: initdbTimeoutMs,
  });
  if (outcome.code === 0) return;
  throw new EmbeddedPostgresError(
    `the database could not be created in ${layout.cluster}: ${outcome.output.slice(-1_000)}`,
  );
}

// Leftovers of an interrupted first start; the number in the name is the process that made it.
async function removeLeftovers(layout: ClusterLayout): Promise<void> {
  const home = path.dirname(layout.cluster);
  for (const name of await fs.readdir(home)) {
    const pid = Number(/^postgres\.(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await fs.rm(path.join(home, name), { recursive: true, force: true });
  }
}

/** Whether a process has this id; a zombie counts, and so does a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
