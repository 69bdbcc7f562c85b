import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { isMigrated, migrate, migrationsTable } from "./migrate.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = new pg.Pool(database);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test("a migrated database is left as it is", async () => {
  expect(await isMigrated(pool)).toBe(true);
  expect(await migrate(pool)).toEqual([]);
});

test("two processes that start at once on an empty database migrate it once, however long that takes", async () => {
  const empty = await cloneDatabase();
  const name = new URL(empty.connectionString).pathname.slice(1);
  const limited = { ...empty, statement_timeout: 1_000 };
  const both = [new pg.Pool(limited), new pg.Pool(limited)] as const;
  const holder = new pg.Client(empty);
  await holder.connect();
  await holder.query("drop schema public cascade; create schema public");
  expect(await isMigrated(both[0])).toBe(false);
  // One gets as far as noting its first migration, the other waits for it.
  await holder.query(migrationsTable);
  await holder.query("begin; lock table migrations in share mode");
  const migrated = Promise.all(both.map((one) => migrate(one)));
  await waitFor(() => areWaitingLong(name), {
    what: "both to wait longer than a statement may take",
    withinMs: 20_000,
  });
  await holder.query("commit");
  const applied = await migrated;
  expect(applied.map((names) => names.length > 0).sort()).toEqual([false, true]);
  expect(await isMigrated(both[1])).toBe(true);
  await Promise.all([...both, holder].map((one) => one.end()));
  await empty.drop();
});

async function areWaitingLong(database: string): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'
       and clock_timestamp() - query_start > interval '1200 ms'`,
    [database],
  );
  return rows.length === 2;
}

test.each([
  ["whose files had other names", "update migrations set name = '001-first-tables.sql'"],
  ["whose files had other contents", "update migrations set digest = repeat('0', 64)"],
  ["that noted no digests", "alter table migrations drop column digest"],
])("a database of a checkout %s is refused with the way out, and left alone", async (_, change) => {
  const { database: old, pool: oldPool } = await cloneWith(change);
  await expect(migrate(oldPool)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/before the first release.*export reviews.*import reviews/),
  });
  const { rowCount } = await pool.query("select from migrations");
  expect((await oldPool.query("select from migrations")).rowCount).toBe(rowCount);
  await oldPool.end();
  await old.drop();
});

async function cloneWith(change: string): Promise<{ database: TestDatabase; pool: pg.Pool }> {
  const cloned = await cloneDatabase();
  const changed = new pg.Pool(cloned);
  await changed.query(change);
  return { database: cloned, pool: changed };
}

test("a database newer than the code is refused and left alone", async () => {
  const { database: newer, pool: newerPool } = await cloneWith(
    "insert into migrations (number, name, digest) values (900, '900-from-the-future.sql', '')",
  );
  await expect(migrate(newerPool)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("newer than this version"),
  });
  expect(await isMigrated(newerPool)).toBe(false);
  await newerPool.end();
  await newer.drop();
});
