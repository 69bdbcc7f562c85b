import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { isMigrated, migrate } from "./migrate.ts";

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

test("two processes that start at once on an empty database migrate it once", async () => {
  const empty = await cloneDatabase();
  const both = [new pg.Pool(empty), new pg.Pool(empty)] as const;
  await both[0].query("drop schema public cascade; create schema public");
  expect(await isMigrated(both[0])).toBe(false);
  const applied = await Promise.all(both.map((one) => migrate(one)));
  expect(applied.map((names) => names.length > 0).sort()).toEqual([false, true]);
  expect(await isMigrated(both[1])).toBe(true);
  await Promise.all(both.map((one) => one.end()));
  await empty.drop();
});

test("a database newer than the code is refused and left alone", async () => {
  await pool.query("insert into migrations (number, name) values (900, '900-from-the-future.sql')");
  await expect(migrate(pool)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("newer than this version"),
  });
  expect(await isMigrated(pool)).toBe(false);
});
