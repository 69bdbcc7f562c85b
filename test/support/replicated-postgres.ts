// Two PostgreSQL servers of Debian's package, the second a standby that has every commit before it is acknowledged,
// for tests of what a promotion loses.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findFreePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

const run = promisify(execFile);
const programs = "/usr/lib/postgresql/15/bin";
const patience = { withinMs: 60_000, intervalMs: 50 };

export function hasDebianPostgres(): Promise<boolean> {
  return fs.access(path.join(programs, "initdb")).then(
    () => true,
    () => false,
  );
}

export type ReplicatedPostgres = {
  primaryUrl: string;
  standbyUrl: string;
  /** As a machine that loses its power: nothing is written any more. */
  killPrimary(): Promise<void>;
  promoteStandby(): Promise<void>;
  close(): Promise<void>;
};

/** PostgreSQL refuses to run as root. */
type Account = { uid?: number; gid?: number };

export async function openReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-replicated-"));
  const account = await findAccount();
  if (account.uid !== undefined) await fs.chown(folder, account.uid, account.gid ?? 0);
  const call = (program: string, args: string[]) =>
    run(path.join(programs, program), args, { ...account, cwd: folder });
  const [primaryPort, standbyPort] = [await findFreePort(), await findFreePort()];
  const urlOf = (port: number): string => `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const [primaryDir, standbyDir] = ["primary", "standby"].map((name) => path.join(folder, name));
  if (!primaryDir || !standbyDir) throw new Error("no folders");
  const start = (dir: string, port: number): ChildProcess => {
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
    const flags = [...settings, `port=${port}`].flatMap((setting) => ["-c", setting]);
    const options = { ...account, cwd: folder, stdio: "ignore" as const };
    return spawn(path.join(programs, "postgres"), ["-D", dir, ...flags], options);
  };

  await call("initdb", ["-D", primaryDir, "-A", "trust", "-U", "postgres", "--no-sync"]);
  const primary = start(primaryDir, primaryPort);
  await waitForRow(urlOf(primaryPort), "select 1");
  const from = ["-h", "127.0.0.1", "-p", String(primaryPort), "-U", "postgres"];
  await call("pg_basebackup", ["-D", standbyDir, "-R", "-c", "fast", "--no-sync", ...from]);
  const standby = start(standbyDir, standbyPort);
  const streaming = "select from pg_stat_replication where state = 'streaming'";
  await waitForRow(urlOf(primaryPort), streaming);
  // On the primary alone: the promoted one has nobody to wait for.
  await query(urlOf(primaryPort), "alter system set synchronous_standby_names = '*'");
  await query(urlOf(primaryPort), "select pg_reload_conf()");
  await waitForRow(urlOf(primaryPort), `${streaming} and sync_state = 'sync'`);

  return {
    primaryUrl: urlOf(primaryPort),
    standbyUrl: urlOf(standbyPort),
    killPrimary: () => end(primary, "SIGKILL"),
    async promoteStandby() {
      await query(urlOf(standbyPort), "select pg_promote(true, 60)");
    },
    async close() {
      await Promise.all([end(primary, "SIGKILL"), end(standby, "SIGKILL")]);
      await fs.rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
}

async function findAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  );
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "close");
  server.kill(signal);
  await ended;
}

async function waitForRow(url: string, statement: string): Promise<void> {
  const hasRow = async (): Promise<boolean> => {
    const rows = await query(url, statement).catch(() => []);
    return rows.length > 0;
  };
  await waitFor(hasRow, { ...patience, what: statement });
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
