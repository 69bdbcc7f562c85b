// A database for each size on one server. A larger one begins as a copy of the smaller, and one that was interrupted
// goes on where it stopped.
import pg from "pg";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import type { BenchDatabase } from "../database.ts";
import { growTo, loadData, reviewsPerApp, type ScaleData } from "./data.ts";

type Server = Pick<BenchDatabase, "admin" | "connection">;
export type Filled = { size: number; bytes: number; database: Database; data: ScaleData };

const nameOf = (size: number): string => `scale_${size}`;

export async function fillDatabase(
  server: Server,
  { size, smaller }: { size: number; smaller: number | null },
): Promise<void> {
  const { admin } = server;
  const { rowCount } = await admin.query("select from pg_database where datname = $1", [
    nameOf(size),
  ]);
  if (rowCount === 0) {
    const from = smaller === null ? "" : `template ${nameOf(smaller)} strategy file_copy`;
    await admin.query(`create database ${nameOf(size)} ${from}`);
  }
  // Closed again, because a database with open connections can't be copied.
  const resources = new ResourceStack();
  try {
    const connection = connectTo(server, size);
    const database = await openDatabase({ log: silentLog, connection });
    resources.add(() => database.close());
    await database.migrate();
    const writers: pg.Client[] = [];
    for (let count = 0; count < 2; count += 1) {
      const writer = new pg.Client(connection);
      await writer.connect();
      resources.add(() => writer.end());
      writers.push(writer);
    }
    const startMs = performance.now();
    await growTo({ database, writers }, size / reviewsPerApp);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    process.stderr.write(`bench: ${size} reviews after ${seconds} s\n`);
  } finally {
    await resources.closeAll();
  }
}

export async function openFilled(
  resources: ResourceStack,
  { server, size }: { server: Server; size: number },
): Promise<Filled> {
  const connection = connectTo(server, size);
  const database = await openDatabase({ log: silentLog, connection });
  resources.add(() => database.close());
  const { rows } = await server.admin.query<{ bytes: string }>(
    "select pg_database_size($1) as bytes",
    [nameOf(size)],
  );
  return { size, bytes: Number(rows[0]?.bytes), database, data: await loadData(database) };
}

function connectTo({ connection }: Server, size: number): pg.ClientConfig {
  const { connectionString, ...rest } = connection;
  if (connectionString === undefined) return { ...rest, database: nameOf(size) };
  const url = new URL(connectionString);
  url.pathname = `/${nameOf(size)}`;
  return { connectionString: url.href };
}
