// Backups: what is restored is what was there, table by table; damaged files change nothing; and a service
// that is backed up while it works goes on elsewhere where it was.

import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadEncryptionKeys } from "../../src/app/encryption-key.ts";
import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import { runBackup, runRestore } from "../../src/features/backup/run-backup.ts";
import { openEmbeddedServer } from "../../src/features/embedded-postgres/server.ts";
import { importReviews } from "../../src/features/imports/import-reviews.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { anApp, aReview, aWorkspace, saveChannel, saveReviews } from "../support/factories.ts";
import { readRollups } from "../support/read-rollups.ts";
import { openReceiver, type Received } from "../support/receiver.ts";
import { recountRollups } from "../support/recount.ts";
import { startTestService } from "../support/service.ts";
import { waitFor } from "../support/wait-for.ts";

// The schema is compared where it is that of the migrations.

let folder: string;
const databases: TestDatabase[] = [];
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-backup-"));
  // The embedded server's OS user must be able to enter it.
  await fs.chmod(folder, 0o755);
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  await fs.rm(folder, { recursive: true });
});

function deps(target: { databaseUrl: string | null; dataDir?: string }) {
  const config = {
    ...readConfig({ envFile: "none", env: {} }),
    dataDir: path.join(folder, "none"),
    ...target,
  };
  return { config, clock: systemClock, log: silentLog, note() {} };
}

async function aDatabase(): Promise<string> {
  const database = await cloneDatabase();
  databases.push(database);
  return database.connectionString;
}

async function anEmptyDatabase(): Promise<string> {
  const url = await aDatabase();
  await query(url, "drop schema public cascade; create schema public");
  return url;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Every row of every table, and the whole schema, as text. PostgreSQL names the indexes and constraints of a
 * partition, differently for one that was attached and one that was made: their names are left out.
 */
async function dump(url: string): Promise<Record<string, unknown>> {
  const tables = await query(
    url,
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of tables) {
    // Restoring migrates anew.
    const columns = name === "migrations" ? "number, name" : "t::text";
    rows[String(name)] = await query(url, `select ${columns} from "${name}" t order by 1`);
  }
  const schema = await query(
    url,
    `select 'column' as kind, table_name || '.' || column_name as name, data_type || is_nullable || coalesce(column_default, '') as definition
       from information_schema.columns where table_schema = 'public'
     union all select 'index', tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') from pg_indexes where schemaname = 'public'
     union all select 'constraint', conrelid::regclass::text, pg_get_constraintdef(oid)
       from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'trigger', tgname, pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
     union all select 'sequence', sequencename, last_value::text from pg_sequences where schemaname = 'public'
     order by 1, 2, 3`,
  );
  return { ...rows, schema };
}

async function fill(url: string): Promise<void> {
  const database = await openDatabase({ log: silentLog, connection: { connectionString: url } });
  const workspace = await aWorkspace(database, { name: "Tab\tline\nback\\slash \u{1f980} \\N" });
  const app = await anApp(database, { workspaceId: workspace.id });
  await saveReviews(
    database,
    app,
    Array.from({ length: 300 }, (_, index) =>
      aReview({ text: `No ${index}\r\n${"long ".repeat(index)}`, topics: ["sync", "price"] }),
    ),
  );
  await saveChannel(database, { workspaceId: workspace.id });
  await database.close();
}

describe("a backup of a quiet database", () => {
  let source: string;
  let file: string;
  let made: Awaited<ReturnType<typeof runBackup>>;
  beforeAll(async () => {
    source = await aDatabase();
    await fill(source);
    file = path.join(folder, "quiet.tar.gz");
    made = await runBackup(deps({ databaseUrl: source }), { file, withKey: false });
  });

  test("is a private file, restored row by row with the same schema", async () => {
    const { size, mode } = await fs.stat(file);
    expect([made.bytes, mode & 0o777]).toEqual([size, 0o600]);
    const target = await anEmptyDatabase();
    const restored = await runRestore(deps({ databaseUrl: target }), { file });
    expect(restored).toMatchObject({ rowCount: made.rowCount, appliedMigrations: [] });
    expect(restored.missingKeys).toHaveLength(1);
    expect(await dump(target)).toEqual(await dump(source));
    expect((await fs.readdir(folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });

  test("never replaces a file, nor the content of a database", async () => {
    const again = runBackup(deps({ databaseUrl: source }), { file, withKey: false });
    await expect(again).rejects.toMatchObject({ code: "invalid_input" });
    const before = await dump(source);
    const into = runRestore(deps({ databaseUrl: source }), { file });
    await expect(into).rejects.toMatchObject({ code: "conflict" });
    expect(await dump(source)).toEqual(before);
  });

  test.each([
    ["cut off", (whole: Buffer) => whole.subarray(0, whole.length - 40)],
    ["no backup at all", () => Buffer.from("hello")],
    ["another gzip file", () => gzipSync("hello")],
    ["without its end", (whole: Buffer) => gzipSync(gunzipSync(whole).subarray(0, -20_480))],
    [
      "with a changed row",
      (whole: Buffer) => gzipSync(replaceOnce(whole, "long long", "long_long")),
    ],
    [
      "with a lost row",
      (whole: Buffer) => gzipSync(replaceOnce(whole, "No 7\\r\\n", "No 7\\r\n\\n")),
    ],
    [
      "from the future",
      (whole: Buffer) => gzipSync(replaceOnce(whole, '"format": 1', '"format": 2')),
    ],
  ])("%s is refused, and the database stays empty", async (name, damage) => {
    const damaged = path.join(folder, `${name}.tar.gz`);
    await fs.writeFile(damaged, damage(await fs.readFile(file)));
    const target = await anEmptyDatabase();
    const restored = runRestore(deps({ databaseUrl: target }), { file: damaged });
    await expect(restored).rejects.toMatchObject({ code: "invalid_input" });
    expect(Object.keys(await dump(target))).toEqual(["schema"]);
  });

  function replaceOnce(whole: Buffer, text: string, replacement: string): Buffer {
    const content = gunzipSync(whole);
    const at = content.indexOf(text);
    if (at < 0) throw new Error(`the backup does not hold ${text}`);
    content.write(replacement, at);
    return content;
  }
});

test("a service that is backed up while it works goes on elsewhere, in an empty folder", async () => {
  const receiver = await openReceiver({
    reply: ({ path }) => ({ kind: "status", status: path === "/bad" ? 503 : 200 }),
  });
  const env = { WEBHOOK_CYCLE_SECONDS: "1", ROLES: "deliver" };
  const service = await startTestService({ storesUrl: "http://127.0.0.1:9", env });
  const { database, config } = service.deps;
  const { id: workspaceId } = await database
    .listWorkspaces()
    .then(([first]) => first ?? { id: "" });
  const app = await anApp(database, { workspaceId });
  await service.addChannel(receiver.url.replace("/hook", "/good"), app);
  await service.addChannel(receiver.url.replace("/hook", "/bad"), app);
  const importSome = (from: number) =>
    importReviews(service.deps, {
      appId: app.id,
      workspaceId: null,
      source: { name: "r.jsonl", chunks: chunksOf(from) },
      notify: true,
      onProgress() {},
    });
  await importSome(0);
  const first = await receiver.waitFor(20);
  const [failed, delivered] = [idsOf("/bad", first), idsOf("/good", first)];
  // A delivery whose outcome is not saved yet is sent again after a restore.
  const isSaved = async () => {
    const counts = await database.countDeliveries({ workspaceId, channelId: null, limit: 100 });
    return counts.some(({ status, count }) => status === "delivered" && count >= delivered.size);
  };
  await waitFor(isSaved, { withinMs: 30_000, what: "the outcomes of deliveries" });

  // Each try has a folder of its own.
  const own = await fs.mkdtemp(path.join(folder, "running-"));
  const file = path.join(own, "running.tar.gz");
  let isDone = false;
  const writing = (async () => {
    for (let from = 100; !isDone; from += 10) await importSome(from);
  })();
  const from = { databaseUrl: config.databaseUrl, dataDir: config.dataDir };
  await runBackup(deps(from), { file, withKey: true });
  isDone = true;
  await writing;
  await service.close();

  const dataDir = path.join(own, "data");
  const { missingKeys } = await runRestore(deps({ databaseUrl: null, dataDir }), { file });
  expect(missingKeys).toEqual([]);
  const sentBefore = receiver.requests.length;
  receiver.reply({ kind: "status", status: 200 });
  const restored = await startService({
    config: readConfig({
      envFile: path.join(folder, "none"),
      env: {
        ...env,
        ...{ PORT: "0", DATA_DIR: dataDir },
        ...{ WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8" },
      },
    }),
    log: silentLog,
  });
  try {
    const { database } = restored.deps;
    const [listing] = await database.listApps({ workspaceId });
    const listingId = listing?.listingId ?? "";
    const stored = await database.listReviewsById({ listingId, afterId: null, limit: 10_000 });
    const server = await openEmbeddedServer({ dataDir, log: silentLog });
    const page = await readRollups(server.connection, listingId);
    await server.close();
    expect(page.days.length).toBeGreaterThan(0);
    expect(page).toEqual(recountRollups(stored));
    const after = () => receiver.requests.slice(sentBefore);
    // Deliveries of the imports during the backup come in between.
    const missing = () => [...failed].filter((id) => !idsOf("/bad", after()).has(id));
    await waitFor(async () => missing().length === 0, {
      withinMs: 30_000,
      what: () => `deliveries ${missing().join(", ")}`,
    });
    expect([...delivered].filter((id) => idsOf("/good", after()).has(id))).toEqual([]);
  } finally {
    await restored.close();
    await receiver.close();
  }
});

function idsOf(path: string, requests: readonly Received[]) {
  return new Set(
    requests.filter((one) => one.path === path).map((one) => one.headers["webhook-id"]),
  );
}

async function* chunksOf(from: number): AsyncGenerator<Buffer> {
  for (let index = from; index < from + 10; index += 1) {
    const review = { id: `r${index}`, rating: 2, date: "2026-11-20", text: `Sync fails ${index}` };
    yield Buffer.from(`${JSON.stringify(review)}\n`);
  }
}

test("a restore whose key file can't be written changes nothing, and can be repeated", async () => {
  const source = await aDatabase();
  const dataDir = path.join(folder, "with-key");
  const keyDeps = deps({ databaseUrl: source, dataDir });
  const database = await openDatabase({
    log: silentLog,
    connection: { connectionString: source },
  });
  await aWorkspace(database);
  const { config } = keyDeps;
  await loadEncryptionKeys({ clock: systemClock, config, database });
  await database.close();
  const file = path.join(folder, "with-key.tar.gz");
  await runBackup(keyDeps, { file, withKey: true });
  const target = await anEmptyDatabase();
  // A file stands where the data folder should be made.
  const blocked = path.join(folder, "blocked");
  await fs.writeFile(blocked, "");
  const broken = runRestore(deps({ databaseUrl: target, dataDir: path.join(blocked, "data") }), {
    file,
  });
  await expect(broken).rejects.toThrow("not a directory");
  const restoredDir = path.join(folder, "restored");
  const restored = await runRestore(deps({ databaseUrl: target, dataDir: restoredDir }), { file });
  expect(restored.missingKeys).toEqual([]);
  const keyOf = (name: string) => fs.readFile(path.join(name, "starpost.key"), "utf8");
  expect(await keyOf(restoredDir)).toBe(await keyOf(dataDir));
  expect((await fs.readdir(restoredDir)).sort()).toEqual(["starpost.key"]);
});
