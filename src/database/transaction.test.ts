// The outcome of a transaction whose connection breaks, or that lost a conflict with another one.
import { EventEmitter } from "node:events";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { createGate } from "../../test/support/gate.ts";
import { silentLog } from "../lib/log.ts";
import { createPool } from "./pool.ts";
import { execute } from "./query.ts";
import { inTransaction } from "./transaction.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = createPool({ log: silentLog, connection: database, name: "test" });
  await pool.query("create table counters (id integer primary key, value integer not null)");
  await pool.query("insert into counters values (1, 0), (2, 0)");
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

function lostTransaction(): Error {
  return Object.assign(new Error("deadlock detected"), { code: "40P01" });
}

test("of two transactions in a deadlock the loser is run again, and both are saved", async () => {
  let runs = 0;
  const bothLocked = createGate();
  let lockedCount = 0;
  const addTo = (ids: readonly number[]) =>
    inTransaction(pool, async (db) => {
      runs += 1;
      for (const id of ids) {
        await execute(db, "")`update counters set value = value + 1 where id = ${id}`;
        lockedCount += 1;
        if (lockedCount === 2) bothLocked.open();
        await bothLocked.opened;
      }
    });
  await Promise.all([addTo([1, 2]), addTo([2, 1])]);
  // More often on a busy machine, when the loser is back before the winner woke up.
  expect(runs).toBeGreaterThanOrEqual(3);
  const { rows } = await pool.query("select value from counters order by id");
  expect(rows).toEqual([{ value: 2 }, { value: 2 }]);
});

test("a transaction that loses every time is reported as unavailable", async () => {
  let runs = 0;
  const work = () => {
    runs += 1;
    return Promise.reject(lostTransaction());
  };
  await expect(inTransaction(pool, work)).rejects.toMatchObject({ code: "unavailable" });
  // More often on a busy machine, when the loser is back before the winner woke up.
  expect(runs).toBeGreaterThanOrEqual(3);
});

test.each(["ENOENT", "EPIPE", "ETIMEDOUT"])(
  "%s of other code in a transaction stays what it is: the database is not away",
  async (code) => {
    const failure = Object.assign(new Error("no such file: weights.bin"), { code });
    await expect(inTransaction(pool, () => Promise.reject(failure))).rejects.toBe(failure);
  },
);

test("a connection that breaks the moment it is made fails the transaction and nothing else", async () => {
  const released: unknown[] = [];
  const farewell = new Error("terminating connection due to administrator command");
  const client = Object.assign(new EventEmitter(), {
    query: () => Promise.reject(new Error("Connection terminated")),
    release: (broken: unknown) => released.push(broken),
  });
  const connect = (done: (error: undefined, client: unknown) => void): void => {
    done(undefined, client);
    // In the same chunk as the server's welcome, before any promise is settled.
    client.emit("error", farewell);
  };
  const brokenPool = { connect } as never as pg.Pool;
  await expect(inTransaction(brokenPool, async () => "done")).rejects.toMatchObject({
    code: "unavailable",
  });
  expect(released[0]).toBeInstanceOf(Error);
  expect(client.listenerCount("error")).toBe(0);
});
