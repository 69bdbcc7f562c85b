// The port of the embedded server for SQL users: who gets in by it, and that there is none unless it is asked for.
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../test/support/free-port.ts";
import { openProcessSandbox, type ProcessSandbox } from "../../test/support/process-sandbox.ts";
import { silentLog } from "../lib/log.ts";
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
  // 28000: the access rules name nobody like that.
  expect(await signIn("reader", "x", "postgres")).toBe("28000");
  expect(await signIn("stranger", "x")).toBe("28000");
  expect(await signIn("starpost", password)).toBe("28000");
  expect(await signIn("postgres", password)).toBe("28000");
  expect(await signIn("reader", "guess")).toBe("28P01");
});
