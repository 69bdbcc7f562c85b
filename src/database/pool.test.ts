// A link that dies in silence: waiting queries fail with that reason, and the next statement gets another connection.
import { expect, onTestFinished, test } from "vitest";
import { cloneDatabase } from "../../test/support/database.ts";
import { openDatabaseProxy } from "../../test/support/database-proxy.ts";
import { silentLog } from "../lib/log.ts";
import { createPool } from "./pool.ts";
import { queryRows } from "./query.ts";
import { inTransaction } from "./transaction.ts";

const answerMsMax = 300;

async function openSilentPool() {
  const testDatabase = await cloneDatabase();
  onTestFinished(() => testDatabase.drop());
  const proxy = await openDatabaseProxy(testDatabase.connectionString);
  onTestFinished(() => proxy.close());
  const connection = { connectionString: proxy.urlOf(testDatabase.connectionString) };
  const pool = createPool({
    log: silentLog,
    connection,
    answerMsMax,
    name: "test",
    connectionCountMax: 1,
  });
  onTestFinished(() => pool.end());
  return { pool, proxy };
}

const unavailable = { code: "unavailable" };

test("a statement without an answer ends, and the next one is answered over a new connection", async () => {
  const { pool, proxy } = await openSilentPool();
  await queryRows(pool, "one")`select 1`;
  proxy.swallow();
  await expect(queryRows(pool, "two")`select 2`).rejects.toMatchObject(unavailable);
  proxy.pass();
  expect(await queryRows(pool, "three")`select 3 as value`).toEqual([{ value: 3 }]);
});

test("a transaction without an answer ends, and its connection is not used again", async () => {
  const { pool, proxy } = await openSilentPool();
  const lost = inTransaction(pool, async (db) => {
    await queryRows(db, "one")`select 1`;
    proxy.swallow();
    return queryRows(db, "two")`select 2`;
  });
  await expect(lost).rejects.toMatchObject(unavailable);
  proxy.pass();
  const next = inTransaction(pool, (db) => queryRows(db, "three")`select 3 as value`);
  expect(await next).toEqual([{ value: 3 }]);
});
