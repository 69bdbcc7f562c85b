// One service alone answers keys on an embedded database.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { silentLog } from "../../lib/log.ts";
import { type Database, openDatabase } from "../database.ts";

let context: TestContext;
let first: Database;
let second: Database;

beforeAll(async () => {
  context = await openTestContext();
  const connection = { connectionString: context.connectionString };
  first = await openDatabase({ log: silentLog, connection });
  second = await openDatabase({ log: silentLog, connection });
});
afterAll(async () => {
  await first.close();
  await second.close();
  await context.close();
});

test("a second service is refused in words, and may begin once the first has ended", async () => {
  const release = await first.holdSingleServiceLock();
  await expect(second.holdSingleServiceLock()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("DATABASE_URL"),
  });
  await release();
  const releaseSecond = await second.holdSingleServiceLock();
  await releaseSecond();
});

test("the lock is taken again when its connection breaks", async () => {
  const release = await first.holdSingleServiceLock();
  const client = new pg.Client({ connectionString: context.connectionString });
  await client.connect();
  const isHeld = async (): Promise<boolean> => {
    const { rows } = await client.query(
      "select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())",
    );
    return rows.length > 0;
  };
  await client.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'starpost-single-service'",
  );
  expect(await isHeld()).toBe(false);
  await expect.poll(isHeld, { timeout: 10_000 }).toBe(true);
  await client.end();
  await release();
});
