// The database of a benchmark: one of its own, with fsync on as in production, deleted with the resources unless it
// is to be kept.
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openEmbeddedServer } from "../src/features/embedded-postgres/server.ts";
import { silentLog } from "../src/lib/log.ts";
import type { ResourceStack } from "../src/lib/resource-stack.ts";

export type BenchDatabase = {
  /** For files. */
  folder: string;
  /** The DATA_DIR of a service on this database. */
  dataDir: string;
  connection: pg.ClientConfig;
  database: Database;
  /** For statements that the service does not have: mass inserts, counts, plans. */
  admin: pg.Client;
};

export async function openBenchDatabase(
  resources: ResourceStack,
  {
    settings = {},
    url = "",
    keptDir = "",
  }: {
    /** Options of the started server. */
    settings?: Readonly<Record<string, string>>;
    /** An empty database to use instead of one that is started; it is left as it is then. */
    url?: string;
    /** The folder of a server that is kept for the next run. */
    keptDir?: string;
  } = {},
): Promise<BenchDatabase> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-bench-data-"));
  resources.add(() => fs.rm(folder, { recursive: true, maxRetries: 5 }));
  // The account that root lets PostgreSQL run as must be able to enter the folder.
  await fs.chmod(folder, 0o755);
  const dataDir = keptDir === "" ? path.join(folder, "data") : path.resolve(keptDir);
  const sharedDir = path.join(folder, "shared");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => endAtOnce({ folder, dataDir }));
  }
  const connection = url === "" ? await start() : { connectionString: url };
  const database = await openDatabase({ log: silentLog, connection });
  resources.add(() => database.close());
  await database.migrate();
  const admin = new pg.Client(connection);
  await admin.connect();
  resources.add(() => admin.end());
  return { folder, dataDir, connection, database, admin };

  async function start(): Promise<pg.ClientConfig> {
    const server = await openEmbeddedServer({
      ...{ dataDir, settings, log: silentLog },
      ...(keptDir === "" && { sharedDir }),
    });
    resources.add(() => server.close());
    return server.connection;
  }
}

/**
 * PostgreSQL is a process of its own, which would outlive the benchmark. Nothing else runs meanwhile: what the
 * benchmark is in the middle of would fail and end the process before its folder is gone.
 */
function endAtOnce({ folder, dataDir }: { folder: string; dataDir: string }): never {
  const lockFile = path.join(dataDir, "postgres", "postmaster.pid");
  const pid = existsSync(lockFile) ? Number.parseInt(readFileSync(lockFile, "utf8"), 10) : 0;
  // A service of the benchmark would start it again. Kept data is elsewhere, and recovers at its next start.
  const ended = `${folder}.ended`;
  renameSync(folder, ended);
  if (pid > 1) process.kill(pid, "SIGQUIT");
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let waits = 0; pid > 1 && isRunning(pid) && waits < 200; waits += 1) {
    Atomics.wait(sleeper, 0, 0, 50);
  }
  rmSync(ended, { recursive: true, force: true, maxRetries: 5 });
  process.exit(1);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process.
    return false;
  }
}
