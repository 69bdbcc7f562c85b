// Restores a backup into an empty database: the migrations that it had, then its rows, in one transaction.
// A backup that is damaged, cut off or of a newer version leaves the database as empty as it was.

import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { migrateAsFar } from "../../database/migrate.ts";
import type { Db } from "../../database/query.ts";
import { AppError } from "../../domain/error.ts";
import { parseJson } from "../../lib/json.ts";
import { PrimaryClient, type PrimaryConfig } from "../../lib/postgres/primary-client.ts";
import { type OpenTarFile, readTar } from "../../lib/tar.ts";
import {
  BackupError,
  type Catalog,
  copyTarget,
  formatChecksums,
  listTableNames,
  type Manifest,
  names,
  parseManifest,
  quoteName,
  rowCountsSchema,
  smallFileBytesMax,
  tableOf,
} from "./backup-file.ts";

type RestoreOptions = {
  connection: PrimaryConfig;
  onTable: (table: string) => void;
  /** Awaited before the commit with the content of `encryption-keys.txt`: rows without their keys are of no use. */
  saveKeys: (text: string) => Promise<void>;
};

export type RestoredBackup = Pick<Manifest, "createdAt" | "migrations" | "version"> & {
  rowCount: number;
};

/**
 * @param source the bytes of the archive, decompressed
 * @throws AppError `conflict` for a database that is not empty, `unavailable` for one of another version
 * @throws BackupError or TarError for a file that is no whole backup
 */
export async function restoreBackup(
  source: AsyncIterable<Buffer>,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  const client = new PrimaryClient({
    ...options.connection,
    application_name: "starpost-restore",
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks is reported by the statement that runs on it.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("set statement_timeout = 0; set datestyle = 'ISO'; set timezone = 'UTC'");
    await client.query("begin");
    const restored = await restoreAll(client, { source, ...options });
    await client.query("commit");
    return restored;
  } catch (error) {
    throw toBackupError(error);
  } finally {
    // Without a commit, the end of the connection rolls everything back.
    await client.end();
  }
}

/**
 * Names, values and rows that PostgreSQL refuses are the file's fault: classes 22, 23, 42 and 54. A missing privilege,
 * which is 42501, is not.
 */
function toBackupError(error: unknown): unknown {
  const isFault = error instanceof pg.DatabaseError && refusals.test(error.code ?? "");
  return isFault
    ? new BackupError(`PostgreSQL refuses it: ${error.message}`, { cause: error })
    : error;
}

const refusals = /^(?:2[23]|42(?!501)|54)/;

type Contents = { source: AsyncIterable<Buffer> } & Pick<RestoreOptions, "onTable" | "saveKeys">;

async function restoreAll(client: pg.Client, contents: Contents): Promise<RestoredBackup> {
  const files = readFiles(contents.source);
  const manifest = await readManifest(files);
  await requireEmpty(client);
  await migrateAsFar(client, manifest.migrations);
  const targetOf = await createPartitions(client, manifest);
  const targets = [...new Set(manifest.tables.map(({ name }) => targetOf(name)))];
  const resumeForeignKeys = await suspendForeignKeys(client);
  await clearTables(client, targets);
  const { rowCounts, encryptionKeys } = await readRows(client, {
    files,
    manifest,
    targetOf,
    onTable: contents.onTable,
  });
  for (const name of targets) {
    await client.query(`alter table ${quoteName(name)} enable trigger user`);
  }
  await resumeForeignKeys();
  // They are on one server now, however they were distributed before.
  if (manifest.tables.some(({ name }) => name === "distribution")) {
    await client.query("update distribution set is_distributed = false, missing_keys = null");
  }
  for (const { name, lastValue } of manifest.sequences) {
    await client.query("select setval($1::regclass, $2)", [quoteName(name), lastValue]);
  }
  const { createdAt, migrations, version } = manifest;
  const rowCount = Object.values(rowCounts).reduce((sum, count) => sum + count, 0);
  if (encryptionKeys !== null) await contents.saveKeys(encryptionKeys);
  return { createdAt, migrations, version, rowCount };
}

type CheckedFile = OpenTarFile & { text(): Promise<string> };

/** Every file with its checksum taken while it is read; the last one has to hold all of them. */
async function* readFiles(source: AsyncIterable<Buffer>): AsyncGenerator<CheckedFile> {
  const checksums = new Map<string, string>();
  let isComplete = false;
  for await (const { name, size, chunks } of readTar(source)) {
    if (isComplete) throw new BackupError("it goes on behind its checksums");
    const expected = formatChecksums(checksums);
    const file = { name, size, chunks: takeChecksum(chunks, { name, checksums }) };
    const text = () => readText(file);
    isComplete = name === names.checksums;
    if (!isComplete) yield { ...file, text };
    else if ((await text()) !== expected) throw new BackupError("its checksums differ");
  }
  if (!isComplete) throw new BackupError("it ends without checksums");
}

async function* takeChecksum(
  chunks: AsyncIterable<Buffer>,
  { name, checksums }: { name: string; checksums: Map<string, string> },
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  checksums.set(name, hash.digest("hex"));
}

async function readText({ size, chunks, name }: OpenTarFile): Promise<string> {
  if (size > smallFileBytesMax) throw new BackupError(`its ${name} is too long`);
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString("utf8");
}

async function readManifest(files: AsyncGenerator<CheckedFile>): Promise<Manifest> {
  const { value: file } = await files.next();
  if (file?.name !== names.manifest) throw new BackupError("it does not begin with manifest.json");
  return parseManifest(await file.text());
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const [table] = await listTableNames(client);
  if (table === undefined) return;
  throw new AppError(
    "conflict",
    "this database is not empty; restore into a new one: an empty DATA_DIR, or a new database as DATABASE_URL",
  );
}

/** The table that takes the rows of a table of the backup. */
type TargetOf = (name: string) => string;

/**
 * The partitions of the backup in place of those that the migrations made for the days of today. A table that was
 * divided by hand is restored as a whole: its parts go where their rows would be without them.
 */
async function createPartitions(client: pg.Client, manifest: Manifest): Promise<TargetOf> {
  const { rows } = await client.query<{ name: string; isPart: boolean }>(
    `select relname as name, relispartition as "isPart" from pg_class
     where relnamespace = current_schema()::regnamespace and (relispartition and relkind = 'r' or relkind = 'p')`,
  );
  for (const { name, isPart } of rows) {
    if (isPart) await client.query(`drop table ${quoteName(name)}`);
  }
  const divided = new Set(rows.flatMap(({ name, isPart }) => (isPart ? [] : [name])));
  const wholes = new Map<string, string>();
  for (const { name, parent, bound } of manifest.partitions) {
    if (!divided.has(parent)) wholes.set(name, parent);
    else {
      await client.query(
        `create table ${quoteName(name)} partition of ${quoteName(parent)} ${bound}`,
      );
    }
  }
  return (name) => wholes.get(name) ?? name;
}

/** Migrations may have put rows into them. */
async function clearTables(client: pg.Client, targets: readonly string[]): Promise<void> {
  const existing = new Set(await listTableNames(client));
  const foreign = targets.find((name) => !existing.has(name));
  if (foreign !== undefined) {
    throw new BackupError(
      `its table ${foreign} is none of Starpost's; back up a database that holds nothing else`,
    );
  }
  for (const name of targets) {
    await client.query(`alter table ${quoteName(name)} disable trigger user`);
    await client.query(`delete from ${quoteName(name)}`);
  }
}

type RowFiles = {
  files: AsyncGenerator<CheckedFile>;
  manifest: Manifest;
  targetOf: TargetOf;
  onTable(table: string): void;
};
type ReadRows = { rowCounts: Record<string, number>; encryptionKeys: string | null };

async function readRows(
  client: pg.Client,
  { files, manifest, targetOf, onTable }: RowFiles,
): Promise<ReadRows> {
  const restored = new Map<string, number>();
  let encryptionKeys: string | null = null;
  let expected: Record<string, number> | null = null;
  for await (const file of files) {
    const name = tableOf(file.name);
    if (file.name === names.encryptionKeys) encryptionKeys = await file.text();
    else if (file.name === names.rowCounts) expected = parseRowCounts(await file.text());
    else {
      const table = manifest.tables.find((one) => one.name === name);
      if (!table) throw new BackupError(`it holds an unexpected file: ${file.name}`);
      if (!restored.has(table.name)) onTable(table.name);
      const target = { ...table, name: targetOf(table.name) };
      const rowCount = await copyRows(client, { table: target, chunks: file.chunks });
      restored.set(table.name, (restored.get(table.name) ?? 0) + rowCount);
    }
  }
  for (const { name } of manifest.tables) {
    const found = restored.get(name) ?? 0;
    if (found !== expected?.[name])
      throw new BackupError(`it has ${found} of ${expected?.[name]} rows of ${name}`);
  }
  return { rowCounts: expected ?? {}, encryptionKeys };
}

async function copyRows(
  client: pg.Client,
  { table, chunks }: { table: Catalog["tables"][number]; chunks: AsyncIterable<Buffer> },
): Promise<number> {
  const stream = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
  await pipeline(chunks, stream);
  return stream.rowCount;
}

function parseRowCounts(text: string): Record<string, number> {
  const parsed = rowCountsSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new BackupError("its row-counts.json is damaged");
  return parsed.data;
}

// Takes the foreign keys away while rows are restored in any order, and checks all of them at once when they
// come back.

type ForeignKey = { table: string; name: string; definition: string };

/** Within a transaction. Returns what brings them back, which fails for rows that break one. */
async function suspendForeignKeys(db: Db): Promise<() => Promise<void>> {
  // Those of partitions follow those of the table that they are a part of.
  const { rows: keys } = await db.query<ForeignKey>(
    `select c.relname as table, f.conname as name, pg_get_constraintdef(f.oid) as definition
     from pg_constraint f join pg_class c on c.oid = f.conrelid
     where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of keys) {
    await db.query(`alter table ${quoteName(table)} drop constraint ${quoteName(name)}`);
  }
  return async () => {
    for (const { table, name, definition } of keys) {
      await db.query(
        `alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`,
      );
    }
  };
}
