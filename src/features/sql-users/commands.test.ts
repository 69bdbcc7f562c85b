// SQL users on the command line: the address that a tool signs in with, the list, and the end.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCliHarness } from "../../../test/support/cli-harness.ts";
import { aWorkspace } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";

let context: TestContext;
const { runJson } = openCliHarness(() => context);
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("a SQL user is created with the address of the database, listed without it, and removed", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const env = { DATABASE_URL: context.connectionString };
  const create = ["sql-user", "create", "--workspace", workspaceId, "--name", "metabase"];
  const { exitCode, value } = await runJson(create, { env });
  expect([exitCode, value["name"]]).toEqual([0, "metabase"]);
  const { id, password, url } = value as Record<string, string>;
  const client = new pg.Client(url);
  await client.connect();
  expect((await client.query("select * from reviews")).rows).toEqual([]);
  await client.end();
  const list = await runJson(["sql-user", "list", "--workspace", workspaceId], { env });
  expect(list.value).toMatchObject([{ id, name: "metabase" }]);
  expect(JSON.stringify(list.value)).not.toContain(password);
  const remove = ["sql-user", "remove", String(id), "--yes"];
  expect((await runJson(remove, { env })).exitCode).toBe(0);
  expect((await runJson(remove, { env })).exitCode).toBe(1);
  await expect(new pg.Client(url).connect()).rejects.toMatchObject({ code: "28P01" });
});

test("the embedded database needs a port for SQL users", async () => {
  const { id } = await aWorkspace(context.database);
  const create = ["sql-user", "create", "--workspace", id, "--name", "metabase"];
  const { exitCode, value } = await runJson(create);
  expect([exitCode, JSON.stringify(value)]).toEqual([
    1,
    expect.stringContaining("EMBEDDED_SQL_PORT"),
  ]);
  for (const [listensOn, host] of [
    ["127.0.0.1", "127.0.0.1"],
    ["*", "127.0.0.1"],
    ["::1", "[::1]"],
    ["db.example.com", "db.example.com"],
  ] as const) {
    const env = { EMBEDDED_SQL_PORT: "5433", EMBEDDED_SQL_HOST: listensOn };
    const made = (await runJson(create, { env })).value as Record<string, string>;
    expect(made["url"]).toMatch(/^postgresql:\/\/starpost_\w+:[\w-]+@/);
    expect(made["url"]).toContain(`@${host}:5433/`);
    const remove = ["sql-user", "remove", String(made["id"]), "--yes"];
    expect((await runJson(remove, { env })).exitCode).toBe(0);
  }
});

test.each([
  ["?user=starpost&password=x", ""],
  ["?password=x&sslmode=require&user=starpost", "?sslmode=require"],
  ["?sslmode=require&password=x", "?sslmode=require"],
])("the service's own sign-in in the address, %s, is not shown", async (query, shown) => {
  const { id } = await aWorkspace(context.database);
  const env = { DATABASE_LISTEN_URL: `postgresql://db.example.com:5432/starpost${query}` };
  const create = ["sql-user", "create", "--workspace", id, "--name", "grafana"];
  const { url } = (
    await runJson(create, { env: { ...env, DATABASE_URL: context.connectionString } })
  ).value as Record<string, string>;
  expect(url).toMatch(/^postgresql:\/\/starpost_\w+:[\w-]+@db\.example\.com:5432\/starpost/);
  expect(url?.split("/starpost").at(-1)).toBe(shown);
});

test("behind a pooler, which does not know the role, the address is that of PostgreSQL itself", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const env = {
    DATABASE_URL: "postgresql://starpost:x@pooler.example.com:6432/starpost",
    DATABASE_LISTEN_URL: "postgresql://starpost:x@db.example.com:5432/starpost",
  };
  const create = ["sql-user", "create", "--workspace", workspaceId, "--name", "grafana"];
  const { url } = (await runJson(create, { env })).value as Record<string, string>;
  expect(url).toMatch(/^postgresql:\/\/starpost_\w+:[\w-]+@db\.example\.com:5432\/starpost$/);
});
