// Writes a backup of the whole database while others go on working: all tables are read in one transaction
// with one snapshot. Only migrations and the deletion of partitions wait for it, and it for them.
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { isStarposts, MissingInstallationError } from "../../database/migrate.ts";
import { AppError } from "../../domain/error.ts";
import { PrimaryClient, type PrimaryConfig } from "../../lib/postgres/primary-client.ts";
import { formatTarFile, tarEnd } from "../../lib/tar.ts";
import { version } from "../../lib/version.ts";
import {
  type Catalog,
  checksumOf,
  copyTarget,
  formatChecksums,
  formatVersion,
  listTableNames,
  type Manifest,
  names,
  quoteName,
  readCatalog,
  readServerVersion,
  rowFileBytes,
  rowFileName,
} from "./backup-file.ts";

type BackupOptions = {
  connection: PrimaryConfig;
  now: Date;
  /** By the ids of the keys in use, what `encryption-keys.txt` should hold; null leaves it out. */
  formatKeys: ((keyIds: readonly string[]) => string) | null;
  onTable: (table: string) => void;
};

export type BackupSummary = { tableCount: number; rowCount: number; migration: string };

/**
 * The bytes of the archive, not yet compressed.
 * @throws AppError `unavailable` for a database without Starpost's tables, or one that is migrated meanwhile
 */
export async function* writeBackup(
  options: BackupOptions,
): AsyncGenerator<Buffer, BackupSummary, undefined> {
  const client = new PrimaryClient({
    ...options.connection,
    application_name: "starpost-backup",
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks is reported by the statement that runs on it.
  client.on("error", () => {});
  await client.connect();
  try {
    const manifest = await openSnapshot(client, options.now);
    const checksums = new Map<string, string>();
    const file = (name: string, content: Buffer): Buffer[] => {
      checksums.set(name, checksumOf(content));
      return formatTarFile({ name, content }, options.now);
    };
    yield* file(names.manifest, toJson(manifest));
    if (options.formatKeys) {
      const keys = options.formatKeys(await listKeyIds(client));
      yield* file(names.encryptionKeys, Buffer.from(keys));
    }
    const rowCounts: Record<string, number> = {};
    for (const table of manifest.tables) {
      options.onTable(table.name);
      let rowCount = 0;
      let number = 0;
      for await (const rows of readRows(client, table)) {
        rowCount += countLines(rows);
        number += 1;
        yield* file(rowFileName(table.name, number), rows);
      }
      rowCounts[table.name] = rowCount;
    }
    yield* file(names.rowCounts, toJson(rowCounts));
    const content = Buffer.from(formatChecksums(checksums));
    yield* formatTarFile({ name: names.checksums, content }, options.now);
    yield tarEnd;
    const rowCount = Object.values(rowCounts).reduce((sum, count) => sum + count, 0);
    const migration = manifest.migrations.at(-1) ?? "";
    return { tableCount: manifest.tables.length, rowCount, migration };
  } finally {
    await client.end();
  }
}

const attemptMax = 3;

/** From here on the connection sees one moment of the database, and no table can go away. */
async function openSnapshot(client: pg.Client, now: Date): Promise<Manifest> {
  await client.query("set statement_timeout = 0");
  await client.query("set idle_in_transaction_session_timeout = 0");
  await client.query("set lock_timeout = '30s'");
  // The text form of moments and numbers does not depend on the writer of the backup.
  await client.query("set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set timezone = 'UTC'");
  await client.query("set extra_float_digits = 3");
  for (let attempt = 1; attempt <= attemptMax; attempt += 1) {
    const tables = await listTableNames(client);
    if (tables.length === 0 || !(await isStarposts(client))) throw new MissingInstallationError();
    // The lock comes before the first select, which takes the snapshot.
    await client.query("begin isolation level repeatable read, read only");
    await client.query(
      `lock table migrations, ${tables.map(quoteName).join(", ")} in access share mode`,
    );
    if ((await listTableNames(client)).join() === tables.join()) return readManifest(client, now);
    // A partition came or went in between.
    await client.query("rollback");
  }
  throw new AppError("unavailable", "tables were made and dropped meanwhile: back up again");
}

async function readManifest(client: pg.Client, now: Date): Promise<Manifest> {
  const { rows } = await client.query<{ name: string }>(
    "select name from migrations order by number",
  );
  return {
    format: formatVersion,
    version,
    createdAt: now.toISOString(),
    migrations: rows.map((row) => row.name),
    serverVersion: await readServerVersion(client),
    ...(await readCatalog(client)),
  };
}

async function listKeyIds(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>("select id from encryption_keys order by id");
  return rows.map((row) => row.id);
}

/** In pieces of about `rowFileBytes` that end with a row: in this form a line feed ends one and nothing else. */
async function* readRows(
  client: pg.Client,
  table: Catalog["tables"][number],
): AsyncGenerator<Buffer> {
  const stream = client.query(copyTo(`copy ${copyTarget(table)} to stdout`));
  let chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    let rest = chunk;
    if (byteCount + chunk.length >= rowFileBytes && end > 0) {
      yield Buffer.concat([...chunks, chunk.subarray(0, end)]);
      chunks = [];
      byteCount = 0;
      rest = chunk.subarray(end);
    }
    chunks.push(rest);
    byteCount += rest.length;
  }
  if (byteCount > 0) yield Buffer.concat(chunks);
}

const lineFeed = 0x0a;

function countLines(rows: Buffer): number {
  let count = 0;
  for (let at = rows.indexOf(lineFeed); at >= 0; at = rows.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}

function toJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
