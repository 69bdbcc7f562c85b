// A connection that comes back after the server cut it, after the link died in silence, and not after close.
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { openDatabaseProxy } from "../../../test/support/database-proxy.ts";
import { silentLog } from "../log.ts";
import { ReconnectingConnection } from "./reconnecting-connection.ts";

let database: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  admin = new pg.Client(database.connectionString);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

/** Resolves with the process id of each server process that was connected to, in order. */
function openWatched(config: pg.ClientConfig, selfTestMs?: number) {
  const pids: number[] = [];
  const waiting = new Map<number, () => void>();
  const connection = new ReconnectingConnection({
    log: silentLog,
    name: "the connection of a test",
    config: () => config,
    async prepare(client) {
      const { rows } = await client.query("select pg_backend_pid() as pid");
      waiting.get(pids.push(rows[0].pid))?.();
    },
    ...(selfTestMs === undefined ? {} : { selfTestMs }),
  });
  onTestFinished(() => connection.close());
  const connected = (count: number) =>
    new Promise<void>((resolve) => {
      if (pids.length >= count) resolve();
      else waiting.set(count, resolve);
    });
  return { connection, pids, connected };
}

test("a connection that the server cut is opened and prepared again", async () => {
  const { connection, pids, connected } = openWatched(database);
  await connection.connect();
  await admin.query("select pg_terminate_backend($1, 5000)", [pids[0]]);
  await connected(2);
  expect(pids[1]).not.toBe(pids[0]);
});

test("a link that swallows everything is given up and replaced", async () => {
  const proxy = await openDatabaseProxy(database.connectionString);
  onTestFinished(() => proxy.close());
  const connectionString = proxy.urlOf(database.connectionString);
  const { connection, connected } = openWatched({ connectionString }, 50);
  await connection.connect();
  proxy.swallow();
  proxy.pass();
  await connected(2);
});

test("a failed attempt is reported to its caller", async () => {
  const { connection } = openWatched({ connectionString: "postgresql://x@127.0.0.1:1/none" });
  await expect(connection.connect()).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("after detach the connection stays open for the caller and is not replaced", async () => {
  const { connection, pids } = openWatched(database);
  await connection.connect();
  const client = await connection.detach();
  await client?.query("select 1");
  await client?.end();
  await expect(connection.connect()).rejects.toThrow();
  expect(pids).toHaveLength(1);
});
