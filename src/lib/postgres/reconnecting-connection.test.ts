// A connection that comes back after the server cut it, after the link died in silence, and not after close.
import net from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../../test/support/database.ts";
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
  const proxy = await openProxy(database.connectionString);
  const { connection, connected } = openWatched(proxy.config, 50);
  await connection.connect();
  proxy.swallow();
  await connected(2);
});

test("a failed attempt is reported to whoever asked for it", async () => {
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

/** Passes bytes on until it is told to swallow those of the connections that it has. */
async function openProxy(connectionString: string) {
  const url = new URL(connectionString);
  const socketFolder = url.searchParams.get("host");
  const port = Number(url.port || 5432);
  const pairs: [net.Socket, net.Socket][] = [];
  const server = net.createServer((inside) => {
    const outside = socketFolder
      ? net.connect(`${socketFolder}/.s.PGSQL.${port}`)
      : net.connect(port, url.hostname);
    pairs.push([inside, outside]);
    inside.pipe(outside).pipe(inside);
    for (const socket of [inside, outside]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const [inside, outside] of pairs) {
      inside.destroy();
      outside.destroy();
    }
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const config = {
    host: "127.0.0.1",
    port: address.port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  };
  return {
    config,
    swallow() {
      for (const [inside, outside] of pairs) {
        inside.unpipe(outside);
        outside.unpipe(inside);
        inside.resume();
        outside.resume();
      }
    },
  };
}
