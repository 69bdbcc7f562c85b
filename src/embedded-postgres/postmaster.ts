// The server's main process: who it is, how it is started and how it is stopped. Its lock file is
// read, believed only as far as it can be checked, and never taken from a server that lives.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../domain/error.ts";
import { isAlive } from "./cluster.ts";
import { isMissing } from "./data-folder.ts";
import type { ClusterLayout } from "./layout.ts";
import { type OsUser, runProgram, spawnOptions } from "./os-user.ts";
import { port } from "./socket-folder.ts";

/** What postmaster.pid tells; `host` is empty until the socket is made. */
export type LockFile = { pid: number; host: string; port: number; text: string };

/** `ours` serves this cluster; `other` is alive but something else; `hidden` can't be looked at. */
export type ProcessIdentity = "ours" | "other" | "hidden" | "dead";

const lockName = "postmaster.pid";
const stopLimitMs = 60_000;

export async function readLockFile(cluster: string): Promise<LockFile | null> {
  let text: string;
  try {
    text = await fs.readFile(path.join(cluster, lockName), "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  // Lines: pid, data folder, start time, port, socket folder, listen address, shared memory, state.
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  return { pid, host: lines[4] ?? "", port: Number(lines[3]) || port, text };
}

/** A process id may have been given to somebody else since the lock was written. */
export async function identify(lock: LockFile, cluster: string): Promise<ProcessIdentity> {
  if (!isAlive(lock.pid)) return "dead";
  if (process.platform !== "linux") return identifyByName(lock.pid);
  try {
    // A postmaster works in its data folder; a zombie works nowhere.
    return (await fs.readlink(`/proc/${lock.pid}/cwd`)) === cluster ? "ours" : "other";
  } catch (error) {
    return isMissing(error) ? "other" : "hidden";
  }
}

/** `logStart` is where the words of this start begin in the server's log. */
export type StartedProcess = { hasEnded(): boolean; logStart: number };

/** Starts the server in a session of its own: Ctrl-C reaches us, and we stop it in order. */
export async function startPostmaster(start: {
  place: ClusterLayout;
  host: string;
  logFile: string;
  settings: Readonly<Record<string, string>>;
}): Promise<StartedProcess> {
  const { osUser: account, binaries, cluster } = start.place;
  const settings = {
    ...start.settings,
    listen_addresses: "",
    unix_socket_directories: start.host,
    unix_socket_permissions: "0700",
    port: String(port),
  };
  const log = await openServerLog(start.logFile, account);
  try {
    const logStart = (await log.stat()).size;
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(binaries.postgres, ["-D", cluster, ...flags], {
      ...spawnOptions(account),
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

/** Asks the server to end its sessions and go, and waits until it has gone. */
export async function stopPostmaster(cluster: string): Promise<void> {
  const lock = await readLockFile(cluster);
  if (lock === null || (await identify(lock, cluster)) !== "ours") return;
  signal(lock.pid, "SIGINT");
  const limit = AbortSignal.timeout(stopLimitMs);
  for (let waitMs = 5; !limit.aborted; waitMs = Math.min(waitMs * 2, 200)) {
    if ((await identify(lock, cluster)) !== "ours") return;
    await delay(waitMs);
  }
  throw new AppError("unavailable", `PostgreSQL (process ${lock.pid}) does not stop`);
}

/**
 * Takes away a lock whose process id now belongs to something else, which PostgreSQL itself would
 * take for alive. Moved first and read again: another starter's fresh lock goes back in its place.
 */
export async function quarantineLock(lock: LockFile, cluster: string): Promise<void> {
  const file = path.join(cluster, lockName);
  const aside = `${file}.${randomUUID()}`;
  try {
    await fs.rename(file, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if ((await fs.readFile(aside, "utf8")) !== lock.text) await fs.link(aside, file);
  await fs.rm(aside);
  if (lock.host === "") return;
  // The socket has a lock of its own with the same process id.
  const socketLock = path.join(lock.host, `.s.PGSQL.${lock.port}.lock`);
  const holder = await fs.readFile(socketLock, "utf8").catch(() => "");
  if (Number(holder.split("\n")[0]) === lock.pid) await fs.rm(socketLock, { force: true });
}

async function identifyByName(pid: number): Promise<ProcessIdentity> {
  const args = ["-o", "comm=", "-p", String(pid)];
  const { output } = await runProgram({ file: "/bin/ps", args, account: null, timeoutMs: 10_000 });
  return output.includes("postgres") ? "ours" : "other";
}

function signal(pid: number, name: "SIGINT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It went by itself in this moment.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

const logBytesMax = 1_000_000;

async function openServerLog(file: string, account: OsUser): Promise<fs.FileHandle> {
  const log = await fs.open(file, "a", 0o600);
  // Where root starts the server of somebody else's folder, they can start it next time.
  if (account !== null) await log.chown(account.uid, account.gid);
  if ((await log.stat()).size > logBytesMax) await log.truncate(0);
  return log;
}

/** The end of the server's log, for a message. The log itself may be missing: it's no reason to fail. */
export async function readLogTail(file: string, from: number): Promise<string> {
  const bytes = await fs.readFile(file).catch(() => Buffer.from("(no log)"));
  return bytes.subarray(Math.min(from, bytes.length)).toString().slice(-2_000).trim();
}
