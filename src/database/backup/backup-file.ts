// The form of a backup: a tar archive, compressed with gzip, that ordinary programs can read. In this order:
// manifest.json, encryption-keys.txt (only on request), the rows of each table in PostgreSQL's text form of
// COPY as tables/<table>/000001.copy and so on, row-counts.json, and checksums.sha256 over all of them.
import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../../lib/json.ts";
import { catalogSchema } from "./catalog.ts";

export const formatVersion = 1;

export const manifestSchema = catalogSchema.extend({
  format: z.literal(formatVersion),
  /** Of the Starpost that wrote it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Names of the migrations that the database had, in their order. */
  migrations: z.array(z.string()),
  /** Of PostgreSQL. */
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
