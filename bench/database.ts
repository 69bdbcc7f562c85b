// The database of a benchmark: one of its own, with fsync on as in production, deleted with the resources.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openEmbeddedServer } from "../src/embedded-postgres/server.ts";
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
  }: {
    /** Of the server that is started. */
    settings?: Readonly<Record<string, string>>;
    /** An empty database to use instead of one that is started; it is left as it is then. */
    url?: string;
  } = {},
): Promise<BenchDatabase> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-bench-data-"));
  resources.add(() => fs.rm(folder, { recursive: true, maxRetries: 5 }));
  // The account that root lets PostgreSQL run as must be able to enter the folder.
  await fs.chmod(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const sharedDir = path.join(folder, "shared");
  const connection = url === "" ? await start() : { connectionString: url };
  const database = await openDatabase({ log: silentLog, connection });
  resources.add(() => database.close());
  await database.migrate();
  const admin = new pg.Client(connection);
  await admin.connect();
  resources.add(() => admin.end());
  return { folder, dataDir, connection, database, admin };

  async function start(): Promise<pg.ClientConfig> {
    const server = await openEmbeddedServer({ dataDir, sharedDir, settings, log: silentLog });
    resources.add(() => server.close());
    return server.connection;
  }
}
