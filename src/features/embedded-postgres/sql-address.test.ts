// The port of the embedded server for SQL users: who gets in by it, and that there is none unless it is asked for.
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../../test/support/free-port.ts";
import { openProcessSandbox, type ProcessSandbox } from "../../../test/support/process-sandbox.ts";
import { silentLog } from "../../lib/log.ts";
import { type EmbeddedServer, openEmbeddedServer } from "./server.ts";

let workshop: ProcessSandbox;
let server: EmbeddedServer;
let port: number;
beforeAll(async () => {
  workshop = await openProcessSandbox();
  port = await findFreePort();
  server = await openEmbeddedServer({
    ...{ dataDir: path.join(workshop.root, "port"), log: silentLog },
    ...{ sharedDir: workshop.sharedDir, sqlAddress: { host: "127.0.0.1", port } },
  });
});
afterAll(async () => {
  await server.close();
  await workshop.remove();
});

async function signIn(user: string, password: string, database = "starpost"): Promise<unknown> {
  const client = new pg.Client({ host: "127.0.0.1", port, user, password, database, ssl: false });
  try {
    await client.connect();
    return (await client.query("select current_user as name")).rows[0].name;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end().catch(() => {});
  }
}

test("SQL users get in by the port; the service's user, the superuser and other databases do not", async () => {
  const { password } = server.connection;
  const service = new pg.Client(server.connection);
  await service.connect();
  await service.query("create role starpost_sql nologin");
  await service.query("create role reader login password 'x' in role starpost_sql");
  await service.query("create role stranger login password 'x'");
  await service.end();
  expect(await signIn("reader", "x")).toBe("reader");
  // 28000: the access rules have no user of that name.
  expect(await signIn("reader", "x", "postgres")).toBe("28000");
  expect(await signIn("stranger", "x")).toBe("28000");
  expect(await signIn("starpost", password)).toBe("28000");
  expect(await signIn("postgres", password)).toBe("28000");
  expect(await signIn("reader", "guess")).toBe("28P01");
});

test("a SQL user can't stop the service, and the service can do what it could before", async () => {
  const as = async (user: string, password: string, host: string, text: string) => {
    const client = new pg.Client({ host, port, user, password, database: "starpost", ssl: false });
    await client.connect();
    return client
      .query(text)
      .then(
        () => "done",
        ({ code }) => code,
      )
      .finally(() => client.end());
  };
  const { host, password } = server.connection;
  for (const text of [
    "select pg_advisory_lock_shared(7215006, 0)",
    "select count(pg_advisory_lock(i)) from generate_series(1, 100) i",
    "select pg_try_advisory_xact_lock(7215001)",
    "select pg_notify('starpost_feeds', '')",
    "select lo_from_bytea(0, 'x')",
    "select lo_creat(-1)",
    "select pg_logical_emit_message(false, 'a', 'b')",
    "do $$ begin raise log 'forged'; end $$",
  ]) {
    expect([text, await as("reader", "x", "127.0.0.1", text)]).toEqual([text, "42501"]);
    expect([text, await as("starpost", password, host, text)]).toEqual([text, "done"]);
  }
  const limit = "set temp_file_limit = '5GB'";
  expect(await as("reader", "x", "127.0.0.1", limit)).toBe("42501");
  expect(await as("starpost", password, host, "select pg_read_file('postgresql.conf')")).toBe(
    "42501",
  );
});

test("a port that is taken is named with its setting, without the log of the server", async () => {
  const second = openEmbeddedServer({
    ...{ dataDir: path.join(workshop.root, "second"), log: silentLog },
    ...{ sharedDir: workshop.sharedDir, sqlAddress: { host: "127.0.0.1", port } },
  });
  await expect(second).rejects.toThrow(
    `SQL users can't be served at 127.0.0.1:${port}: Address already in use; set EMBEDDED_SQL_PORT to a free port`,
  );
});
