// The server's main process: how it is identified, started and stopped. Its lock file is trusted only as
// far as it can be checked, and never removed from under a server that runs.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode, isFileMissing } from "../../lib/errors.ts";
import { readTextIfThere } from "../../lib/files.ts";
import { isAlive } from "./cluster.ts";
import { serviceName } from "./connection.ts";
import { EmbeddedPostgresError } from "./error.ts";
import type { ClusterLayout } from "./layout.ts";
import { type OsUser, runProgram, spawnOptions } from "./os-user.ts";
import { port } from "./socket-folder.ts";

/** The content of postmaster.pid; `host` is empty until the socket is made. */
type LockFile = { pid: number; host: string; port: number; text: string };

/** `ours` serves this cluster; `other` is another program; `hidden` can't be inspected. */
type ProcessIdentity = "ours" | "other" | "hidden" | "dead";

const lockName = "postmaster.pid";
const stopMsMax = 60_000;

/** null: the lock file is missing. @throws the error of the file system when it can't be read */
export async function readLockFile(cluster: string): Promise<LockFile | null> {
  const text = await readTextIfThere(path.join(cluster, lockName));
  if (text === null) return null;
  // Lines: pid, data folder, start time, port, socket folder, listen address, shared memory, state.
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  return { pid, host: lines[4] ?? "", port: Number(lines[3]) || port, text };
}

/** The process with the id in the lock: it may have been reused since the lock was written. */
export async function identify(lock: LockFile, cluster: string): Promise<ProcessIdentity> {
  if (!isAlive(lock.pid)) return "dead";
  if (process.platform !== "linux") return identifyByName(lock.pid);
  try {
    // A postmaster works in its data folder; a zombie works nowhere.
    return (await fs.readlink(`/proc/${lock.pid}/cwd`)) === cluster ? "ours" : "other";
  } catch (error) {
    return isFileMissing(error) ? "other" : "hidden";
  }
}

/** `logStart` is the size of the server's log before this start. */
export type StartedProcess = { hasEnded(): boolean; logStart: number };

export type SqlAddress = { host: string; port: number };

/** Starts the server in a session of its own: Ctrl-C reaches this process alone, which stops it in order. */
export async function startPostmaster(options: {
  layout: ClusterLayout;
  host: string;
  logFile: string;
  settings: Readonly<Record<string, string>>;
  sqlAddress?: SqlAddress | undefined;
}): Promise<StartedProcess> {
  const { osUser, binaries, cluster } = options.layout;
  const { sqlAddress } = options;
  const settings = {
    ...options.settings,
    listen_addresses: sqlAddress?.host ?? "",
    unix_socket_directories: options.host,
    unix_socket_permissions: "0700",
    port: String(sqlAddress?.port ?? port),
    ...(sqlAddress && { hba_file: await writeAccessRules(options.layout) }),
  };
  const log = await openServerLog(options.logFile, osUser);
  try {
    const logStart = (await log.stat()).size;
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(binaries.postgres, ["-D", cluster, ...flags], {
      ...spawnOptions(osUser),
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    let ended = false;
    child.once("exit", () => {
      ended = true;
    });
    child.once("error", () => {
      ended = true;
    });
    child.unref();
    return { hasEnded: () => ended, logStart };
  } finally {
    await log.close();
  }
}

// On the port only the group of SQL users gets in, to the service's database: neither the service nor the superuser.
// The service made the group, which makes it a member.
const accessRules = `local all all scram-sha-256
host all ${serviceName},postgres all reject
host ${serviceName} +${serviceName}_sql all scram-sha-256
`;

async function writeAccessRules({ cluster, osUser }: ClusterLayout): Promise<string> {
  const file = path.join(cluster, "sql_users_hba.conf");
  await fs.writeFile(file, accessRules, { mode: 0o600 });
  if (osUser !== null) await fs.chown(file, osUser.uid, osUser.gid);
  return file;
}

/**
 * Lets the server end its sessions and exit, and waits until it has exited.
 * @throws EmbeddedPostgresError when it does not stop within a minute
 */
export async function stopPostmaster(cluster: string): Promise<void> {
  const lock = await readLockFile(cluster);
  if (lock === null || (await identify(lock, cluster)) !== "ours") return;
  signal(lock.pid, "SIGINT");
  const limit = AbortSignal.timeout(stopMsMax);
  for (let waitMs = 5; !limit.aborted; waitMs = Math.min(waitMs * 2, 200)) {
    if ((await identify(lock, cluster)) !== "ours") return;
    await delay(waitMs);
  }
  throw new EmbeddedPostgresError(`PostgreSQL (process ${lock.pid}) does not stop`);
}

/**
 * Removes a lock whose process id was reused by another program: PostgreSQL itself would refuse to start.
 * The lock is renamed first and read again; if it is the new lock of another starter, it is put back.
 *
 * @throws the error of the file system
 */
export async function quarantineLock(lock: LockFile, cluster: string): Promise<void> {
  const file = path.join(cluster, lockName);
  const quarantined = `${file}.${randomUUID()}`;
  try {
    await fs.rename(file, quarantined);
  } catch (error) {
    if (isFileMissing(error)) return;
    throw error;
  }
  if ((await fs.readFile(quarantined, "utf8")) !== lock.text) await fs.link(quarantined, file);
  await fs.rm(quarantined);
  if (lock.host === "") return;
  // The socket has a lock of its own with the same process id.
  const socketLock = path.join(lock.host, `.s.PGSQL.${lock.port}.lock`);
  const holder = await fs.readFile(socketLock, "utf8").catch(() => "");
  if (Number(holder.split("\n")[0]) === lock.pid) await fs.rm(socketLock, { force: true });
}

async function identifyByName(pid: number): Promise<ProcessIdentity> {
  const args = ["-o", "comm=", "-p", String(pid)];
  const { output } = await runProgram({ file: "/bin/ps", args, osUser: null, timeoutMs: 10_000 });
  return output.includes("postgres") ? "ours" : "other";
}

function signal(pid: number, name: "SIGINT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It exited by itself in this moment.
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

const logBytesMax = 1_000_000;

async function openServerLog(file: string, osUser: OsUser): Promise<fs.FileHandle> {
  const log = await fs.open(file, "a", 0o600);
  // When root starts the server of another user's folder, that user can still start it next time.
  if (osUser !== null) await log.chown(osUser.uid, osUser.gid);
  if ((await log.stat()).size > logBytesMax) await log.truncate(0);
  return log;
}

/** The end of the server's log, for an error message; a missing log is not a failure. */
export async function readLogTail(file: string, from: number): Promise<string> {
  const bytes = await fs.readFile(file).catch(() => Buffer.from("(no log)"));
  return bytes.subarray(Math.min(from, bytes.length)).toString().slice(-2_000).trim();
}
