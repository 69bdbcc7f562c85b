// The form of a backup: a tar archive, compressed with gzip, that ordinary programs can read. In this order:
// manifest.json, encryption-keys.txt (only on request), the rows of each table in PostgreSQL's text form of
// COPY as tables/<table>/000001.copy and so on, row-counts.json, and checksums.sha256 over all of them.

import { createHash } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import type { Db } from "../../database/query.ts";
import { parseJson } from "../../lib/json.ts";

/** The bounds of a partition, as PostgreSQL writes them: checked, because it becomes a part of a statement. */
const literal = String.raw`(?:'[^'\\]*'|-?\d+|MINVALUE|MAXVALUE|NULL)`;
const literals = String.raw`\(${literal}(?:, ${literal})*\)`;
const boundPattern = new RegExp(
  String.raw`^(?:DEFAULT|FOR VALUES (?:FROM ${literals} TO ${literals}|IN ${literals}|WITH \(modulus \d+, remainder \d+\)))$`,
);

const name = z.string().min(1).max(63);
const catalogSchema = z.object({
  /** Tables that hold rows: partitions instead of the tables that they are a part of. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1) })),
  partitions: z.array(z.object({ name, parent: name, bound: z.string().regex(boundPattern) })),
  sequences: z.array(z.object({ name, lastValue: z.string().regex(/^-?\d+$/) })),
});
export type Catalog = z.infer<typeof catalogSchema>;

/** The names of all tables with rows, without the list of migrations: that is in the manifest. */
export async function listTableNames(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and relname <> 'migrations' order by 1`,
  );
  return rows.map((row) => row.name);
}

export async function readCatalog(db: Db): Promise<Catalog> {
  const tables = await db.query<Catalog["tables"][number]>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and c.relname <> 'migrations'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by 1`,
  );
  const partitions = await db.query<Catalog["partitions"][number]>(
    `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relnamespace = current_schema()::regnamespace and c.relispartition and c.relkind = 'r'
     order by 1`,
  );
  const sequences = await db.query<Catalog["sequences"][number]>(
    `select sequencename as name, last_value::text as "lastValue" from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  );
  // A partition that is partitioned again would be missing here: no migration makes one.
  return catalogSchema.parse({
    tables: tables.rows,
    partitions: partitions.rows,
    sequences: sequences.rows,
  });
}

export async function readServerVersion(db: Db): Promise<string> {
  const { rows } = await db.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  return rows[0]?.version ?? "";
}

export const quoteName: (name: string) => string = pg.escapeIdentifier;

/** As in `copy`: the table and its columns. */
export function copyTarget(table: Catalog["tables"][number]): string {
  return `${quoteName(table.name)} (${table.columns.map(quoteName).join(", ")})`;
}

export const formatVersion = 1;

const manifestSchema = catalogSchema.extend({
  format: z.literal(formatVersion),
  /** The version of the Starpost that wrote it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Names of the migrations that the database had, in their order. */
  migrations: z.array(z.string()),
  /** The version of PostgreSQL. */
  serverVersion: z.string(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const rowCountsSchema = z.record(z.string(), z.number().int().nonnegative());

export const names = {
  manifest: "manifest.json",
  encryptionKeys: "encryption-keys.txt",
  rowCounts: "row-counts.json",
  checksums: "checksums.sha256",
} as const;

/** Files other than rows are held in memory. */
export const smallFileBytesMax = 16_000_000;

/** The rows of one table are cut into files of about this size, each between two rows. */
export const rowFileBytes = 4_000_000;

export function rowFileName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, "0")}.copy`;
}

/** The table whose rows a file holds; null for other files. */
export function tableOf(fileName: string): string | null {
  return /^tables\/([^/]+)\/\d+\.copy$/.exec(fileName)?.[1] ?? null;
}

/** Lines as `sha256sum -c` reads them. */
export function formatChecksums(checksums: ReadonlyMap<string, string>): string {
  return [...checksums].map(([name, checksum]) => `${checksum}  ${name}\n`).join("");
}

export function checksumOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A backup that can't be restored; the message says why. */
export class BackupError extends Error {}

/** @throws BackupError */
export function parseManifest(text: string): Manifest {
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const format = z.object({ format: z.number() }).safeParse(parseJson(text));
  if (format.success && format.data.format > formatVersion) {
    throw new BackupError("it was written by a newer version of Starpost");
  }
  throw new BackupError("its manifest.json is damaged");
}
