// Backups that a stranger changed, with checksums that fit: each is refused in one sentence and changes nothing.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MaintenanceDeps } from "../../src/cli/maintenance.ts";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import { AppError } from "../../src/domain/error.ts";
import {
  checksumOf,
  formatChecksums,
  type Manifest,
  parseManifest,
} from "../../src/features/backup/backup-file.ts";
import { runBackup, runRestore } from "../../src/features/backup/run-backup.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { formatTarFile, readTar, tarEnd } from "../../src/lib/tar.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "../support/factories.ts";

let folder: string;
let archive: Buffer;
/** Empty, and it has to stay so. */
let target: TestDatabase;

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-hostile-"));
  const source = await cloneDatabase();
  const connection = { connectionString: source.connectionString };
  const database = await openDatabase({ log: silentLog, connection });
  const workspace = await aWorkspace(database, { name: "Tab\there" });
  await saveReviews(database, await anApp(database, { workspaceId: workspace.id }), [aReview()]);
  await database.close();
  const file = path.join(folder, "whole.tar.gz");
  await runBackup(deps(source.connectionString), { file, withKey: false });
  await source.drop();
  archive = await fs.readFile(file);
  target = await cloneDatabase();
  await query("drop schema public cascade; create schema public");
});
afterAll(async () => {
  await target.drop();
  await fs.rm(folder, { recursive: true });
});

function deps(databaseUrl: string): MaintenanceDeps {
  const settings = readConfig({ envFile: "none", env: {} });
  const config = { ...settings, dataDir: path.join(folder, "none"), databaseUrl };
  return { config, clock: systemClock, log: silentLog, note() {} };
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(target.connectionString);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const listRelations = () =>
  query("select relname from pg_class where relnamespace = 'public'::regnamespace");

test.each<[name: string, edit: Edit, reason: RegExp]>([
  ["a table of PostgreSQL", editTable({ name: "pg_authid" }), /none of Starpost's/],
  ["a table in a name", editTable({ name: 'apps"; drop table users; --' }), /none of/],
  ["the list of migrations", editTable({ name: "migrations" }), /none of/],
  [
    "an unknown column",
    editColumns((columns) => columns.with(0, "unknown")),
    /refuses it: .*unknown/,
  ],
  ["a column twice", editColumns((columns) => [...columns, "id"]), /refuses it: .*more than once/],
  [
    "a column with a statement",
    editColumns((columns) => columns.with(0, "id) from program 'id'; --")),
    /refuses it/,
  ],
  [
    "a bound with a statement",
    addPartition({ bound: "DEFAULT; drop table users" }),
    /manifest.json is damaged/,
  ],
  [
    "a bound of another type",
    addPartition({ bound: "FOR VALUES FROM ('x') TO ('y')" }),
    /refuses it/,
  ],
  ["a bound of another kind", addPartition({ bound: "FOR VALUES IN (1)" }), /refuses it/],
  ["a partition twice", addPartition({ name: "apps" }), /refuses it: .*exists/],
  ["an unknown sequence", addSequence("unknown"), /refuses it: .*unknown/],
  ["a table for a sequence", addSequence("apps"), /refuses it: .*apps/],
  ["no manifest", (files) => files.delete("manifest.json"), /does not begin with manifest.json/],
  [
    "a manifest without end",
    (files) => files.set("manifest.json", Buffer.alloc(20_000_000, "[")),
    /too long/,
  ],
  [
    "a manifest of brackets",
    (files) => files.set("manifest.json", Buffer.alloc(15_000_000, "[")),
    /manifest.json is damaged/,
  ],
  [
    "row counts of text",
    (files) => files.set("row-counts.json", Buffer.from('{"apps":"many"}')),
    /row-counts.json is damaged/,
  ],
  [
    "a key file of zeros",
    (files) => files.set("encryption-keys.txt", Buffer.alloc(64)),
    /encryption-keys.txt is damaged/,
  ],
  [
    "a path above",
    (files) => files.set("../../root/.ssh/authorized_keys", Buffer.from("x")),
    /something unexpected/,
  ],
  [
    "an absolute path",
    (files) => files.set("/etc/cron.d/x", Buffer.from("x")),
    /something unexpected/,
  ],
  [
    "rows of another table",
    (files) => files.set("tables/pg_authid/000001.copy", Buffer.from("x\n")),
    /unexpected file/,
  ],
  ["too few values", editRows(() => "x\n"), /refuses it: .*(missing data|invalid input)/],
  ["text that is not UTF-8", editRows((rows) => rows.replace(/^/, "\\xff")), /refuses it/],
  ["a NUL", editRows((rows) => rows.replace(/Tab/, "\\000")), /refuses it/],
  ["the same row twice", editRows((rows) => rows + rows), /refuses it: .*duplicate key/],
  [
    "rows whose workspace is missing",
    (files) => {
      editRows(() => "")(files);
      editFile("row-counts.json", (text) => text.replace('"workspaces": 1', '"workspaces": 0'))(
        files,
      );
    },
    /refuses it: .*foreign key/,
  ],
])("%s is refused in one sentence, and the database stays empty", async (name, edit, reason) => {
  const hostile = path.join(folder, `${name}.tar.gz`);
  await fs.writeFile(hostile, gzipSync(await rebuild(archive, edit)));
  const restored = runRestore(deps(target.connectionString), { file: hostile });
  const error = await restored.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  const { code, message } = error as AppError;
  expect([code, message]).toEqual(["invalid_input", expect.stringMatching(reason)]);
  expect(message).not.toContain("\n");
  expect(await listRelations()).toEqual([]);
});

/** The archive with other files, and checksums that fit. */
async function rebuild(archive: Buffer, edit: Edit): Promise<Buffer> {
  const files = new Map<string, Buffer>();
  for await (const { name, chunks } of readTar(Readable.from([gunzipSync(archive)]))) {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    files.set(name, Buffer.concat(parts));
  }
  files.delete("checksums.sha256");
  edit(files);
  const checksums = new Map([...files].map(([name, content]) => [name, checksumOf(content)]));
  files.set("checksums.sha256", Buffer.from(formatChecksums(checksums)));
  const now = new Date("2026-11-23T00:00:00Z");
  const parts = [...files].flatMap(([name, content]) => formatTarFile({ name, content }, now));
  return Buffer.concat([...parts, tarEnd]);
}

type Edit = (files: Map<string, Buffer>) => void;

function editFile(name: string, change: (text: string) => string): Edit {
  return (files) => {
    const content = files.get(name);
    if (!content) throw new Error(`the backup does not hold ${name}`);
    files.set(name, Buffer.from(change(content.toString("latin1")), "latin1"));
  };
}

function editManifest(change: (manifest: Manifest) => void): Edit {
  return editFile("manifest.json", (text) => {
    const manifest = parseManifest(text);
    change(manifest);
    return JSON.stringify(manifest);
  });
}

function editTable(change: Partial<Manifest["tables"][number]>): Edit {
  return editManifest(({ tables }) => Object.assign(tableIn(tables), change));
}

function editColumns(change: (columns: string[]) => string[]): Edit {
  return editManifest(({ tables }) => {
    const table = tableIn(tables);
    table.columns = change(table.columns);
  });
}

function tableIn(tables: Manifest["tables"]): Manifest["tables"][number] {
  const table = tables.find(({ name }) => name === "workspaces");
  if (!table) throw new Error("the backup has no workspaces");
  return table;
}

function addPartition(change: Partial<Manifest["partitions"][number]>): Edit {
  const partition = { name: "another", parent: "deliveries", bound: "DEFAULT", ...change };
  return editManifest(({ partitions }) => partitions.push(partition));
}

function addSequence(name: string): Edit {
  return editManifest(({ sequences }) => sequences.push({ name, lastValue: "1" }));
}

function editRows(change: (rows: string) => string): Edit {
  return editFile("tables/workspaces/000001.copy", change);
}
