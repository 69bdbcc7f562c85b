// The database of a benchmark: one of its own, with fsync on as in production, gone with the closers.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { openEmbeddedServer } from "../src/keep/embedded/server.ts";
import { type Keep, openKeep } from "../src/keep/keep.ts";
import type { Closers } from "../src/lib/closers.ts";
import { silentLog } from "../src/lib/log.ts";

export type BenchDatabase = {
  /** For files. */
  folder: string;
  /** Where a service finds this database. */
  dataDir: string;
  connection: pg.ClientConfig;
  keep: Keep;
  /** For what no statement does: counting, filling by the million, looking at plans. */
  admin: pg.Client;
};

export async function openBenchDatabase(closers: Closers): Promise<BenchDatabase> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-bench-data-"));
  closers.add(() => fs.rm(folder, { recursive: true, maxRetries: 5 }));
  // The account that root lets PostgreSQL run as must get through.
  await fs.chmod(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const sharedDir = path.join(folder, "shared");
  const server = await openEmbeddedServer({ dataDir, sharedDir, log: silentLog });
  closers.add(() => server.close());
  const { connection } = server;
  const keep = await openKeep({ log: silentLog, connection });
  closers.add(() => keep.close());
  await keep.migrate();
  const admin = new pg.Client(connection);
  await admin.connect();
  closers.add(() => admin.end());
  return { folder, dataDir, connection, keep, admin };
}
