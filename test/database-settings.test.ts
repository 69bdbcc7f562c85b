// PostgreSQL as it is set up elsewhere: for each setting, right or role, the start, `starpost doctor` and /readyz agree, and a
// refusal has a statement that mends it.
import os from "node:os";
import pg from "pg";
import { describe, expect, inject, test } from "vitest";
import { createNotFoundHandler } from "../src/api/not-found.ts";
import { openHttpServer } from "../src/app/http-server.ts";
import { openMigratedDatabase } from "../src/app/open-database.ts";
import { readConfig } from "../src/config/config.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { runDoctor } from "../src/features/doctor/doctor.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { connectionOf } from "../src/lib/postgres/primary-client.ts";
import { ResourceStack } from "../src/lib/resource-stack.ts";
import { createPlainDatabase, urlOf } from "./support/database.ts";
import { aWorkspace } from "./support/factories.ts";

const closed = "http://127.0.0.1:9";
const stores = Object.fromEntries(
  [
    "ITUNES",
    "APPLE_APPS",
    "GOOGLE_PLAY",
    "APP_STORE_CONNECT",
    "ANDROID_PUBLISHER",
    "GOOGLE_OAUTH",
    "GOOGLE_STORAGE",
  ].map((name) => [`${name}_BASE_URL`, closed]),
);

/** A plain database, a role without rights, and the URL of each. */
async function openPlain(how?: string) {
  const database = await createPlainDatabase(how);
  const name = new URL(database.connectionString).pathname.slice(1);
  const role = `${name}_role`;
  const admin = new pg.Client(inject("postgres").url);
  await admin.connect();
  await admin.query(`create role ${role} login password 'secret'`);
  // A role that is not a superuser may hand over only what it belongs to.
  await admin.query(`grant ${role} to current_user`);
  const url = new URL(database.connectionString);
  url.username = role;
  url.password = "secret";
  /** Runs statements as a superuser in the database. */
  const execute = async (text: string, at = database.connectionString): Promise<void> => {
    const client = new pg.Client(at);
    await client.connect();
    await client.query(text.replaceAll("{db}", name).replaceAll("{role}", role));
    await client.end();
  };
  return {
    url: database.connectionString,
    roleUrl: url.href,
    execute,
    async remove() {
      await execute(`drop owned by {role} cascade`);
      await database.drop();
      await admin.query(`drop role ${role}`);
      await admin.end();
    },
  };
}

const configOf = (url: string) =>
  readConfig({
    envFile: "none",
    env: { DATABASE_URL: url, DATA_DIR: os.tmpdir(), PORT: "0", ...stores },
  });

/** The reason that a start gives, or "works": it is migrated, and a moment is read as it was written. */
async function start(url: string): Promise<string> {
  const resources = new ResourceStack();
  try {
    const options = { config: configOf(url), log: silentLog, creates: true };
    const { database } = await openMigratedDatabase(options, resources);
    const { id } = await aWorkspace(database);
    const found = (await database.listWorkspaces()).find((one) => one.id === id);
    const offMs = Math.abs(
      (found?.createdAt.getTime() ?? 0) - (await database.readTime()).getTime(),
    );
    return offMs < 400 * 86_400_000 ? "works" : `a moment is ${offMs} ms off`;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "unavailable"
      ? error.message
      : String(error);
  } finally {
    await resources.closeAll();
  }
}

async function readDoctor(url: string): Promise<string> {
  const findings = await runDoctor({ config: configOf(url), clock: systemClock });
  const { state, detail } = findings.find(({ check }) => check === "database") ?? {};
  return state === "ok" ? "works" : `${state}: ${detail}`;
}

async function readHealth(
  database: Database,
): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const server = await openHttpServer({
    host: "127.0.0.1",
    port: 0,
    api: null,
    notFoundHandler: createNotFoundHandler({ log: silentLog, publicUrl: null }),
    clock: systemClock,
    database,
    trustedProxies: [],
    publicUrl: null,
    connections: { isProxy: () => false, onRefused: () => {} },
  });
  const response = await fetch(`${server.url}/readyz`);
  const text = await response.text();
  await server.close();
  return { status: response.status, text, retryAfter: response.headers.get("retry-after") };
}

describe("a setting of the database that changes nothing", () => {
  test.each([
    "alter database {db} set datestyle = 'German'",
    "alter database {db} set datestyle = 'SQL, DMY'",
    "alter database {db} set datestyle = 'Postgres, MDY'",
    "alter database {db} set intervalstyle = 'sql_standard'",
    "alter database {db} set timezone = 'Asia/Kolkata'",
    "alter database {db} set default_transaction_isolation = 'serializable'",
    "alter database {db} set bytea_output = 'escape'",
    "alter database {db} set extra_float_digits = 0",
    "alter database {db} set standard_conforming_strings = off",
    "alter database {db} set client_encoding = 'LATIN1'",
    "alter database {db} set lock_timeout = '2s'",
    "alter database {db} set statement_timeout = '20s'",
    "alter database {db} set work_mem = '64kB'",
    "create schema own; alter database {db} set search_path = own",
  ])("%s", async (statement) => {
    const plain = await openPlain();
    await plain.execute(statement);
    expect(await start(plain.url)).toBe("works");
    expect(await readDoctor(plain.url)).toBe("works");
    await plain.remove();
  });
});

describe("an encoding other than UTF8 is refused, and the statement of the reason makes another database", () => {
  test.each(["SQL_ASCII", "LATIN1", "WIN1252", "EUC_JP", "KOI8R"])("%s", async (encoding) => {
    const plain = await openPlain(encoding);
    const reason = await start(plain.url);
    expect(reason).toContain(`encoding ${encoding}`);
    expect(await readDoctor(plain.url)).toBe(`failed: ${reason}`);
    const [, statement = ""] = /(create database .*)$/.exec(reason) ?? [];
    await plain.execute("drop database if exists starpost_utf8");
    await plain.execute(statement);
    const better = urlOf(plain.url, "starpost_utf8");
    expect(await start(better)).toBe("works");
    await plain.execute("drop database starpost_utf8");
    await plain.remove();
  });
});

describe("what a role may not do is named, and the statement of the reason mends it", () => {
  const rights: [string, string, RegExp][] = [
    [
      "no right to make tables",
      "",
      /(grant create on database .*; grant usage, create on schema public to \w+)/,
    ],
    [
      "no right on any schema",
      "revoke all on schema public from public",
      /(grant create on database .*; grant usage, create on schema public to \w+)/,
    ],
    [
      "a schema of its own without rights",
      "create schema own; grant usage on schema own to {role}; alter role {role} in database {db} set search_path = own",
      /(grant create on database .*; grant usage, create on schema own to \w+)/,
    ],
  ];
  test.each(rights)("%s", async (_, statement, mend) => {
    const plain = await openPlain();
    await plain.execute(statement);
    const reason = await start(plain.roleUrl);
    const [, mending = "select 'no statement'"] = mend.exec(reason) ?? [];
    expect(reason).toMatch(mend);
    expect(await readDoctor(plain.roleUrl)).toBe(`failed: ${reason}`);
    await plain.execute(mending);
    expect(await start(plain.roleUrl)).toBe("works");
    expect(await readDoctor(plain.roleUrl)).toBe("works");
    await plain.remove();
  });

  test("tables of another role", async () => {
    const plain = await openPlain();
    await plain.execute(
      "create role {role}_old login password 'secret'; grant {role}_old to current_user; grant create on database {db} to {role}_old; grant create on schema public to {role}_old",
    );
    const old = new URL(plain.roleUrl);
    old.username += "_old";
    expect(await start(old.href)).toBe("works");
    await plain.execute(
      "grant create on database {db} to {role}; grant create on schema public to {role}; grant all on all tables in schema public to {role}",
    );
    const reason = await start(plain.roleUrl);
    const [, mending = ""] = /(reassign owned by \w+ to \w+)/.exec(reason) ?? [];
    expect(await readDoctor(plain.roleUrl)).toBe(`failed: ${reason}`);
    await plain.execute(mending);
    expect(await start(plain.roleUrl)).toBe("works");
    await plain.execute("drop owned by {role}_old; drop role {role}_old");
    await plain.remove();
  });

  test("a database that is its own", async () => {
    const plain = await openPlain();
    await plain.execute("alter database {db} owner to {role}");
    expect(await start(plain.roleUrl)).toBe("works");
    await plain.execute("alter database {db} owner to current_user");
    await plain.remove();
  });
});

describe("a database that becomes read-only is not ready, says so everywhere, and is mended by the statement", () => {
  test.each([
    "alter database {db} set default_transaction_read_only = on",
    "alter role {role} set default_transaction_read_only = on",
    "alter role {role} in database {db} set default_transaction_read_only = on",
  ])("%s", async (statement) => {
    const plain = await openPlain();
    await plain.execute(
      "grant create on database {db} to {role}; grant create on schema public to {role}",
    );
    expect(await start(plain.roleUrl)).toBe("works");
    await plain.execute(statement);
    const reason = await start(plain.roleUrl);
    const [, mending = ""] = /(begin read write; .*)$/.exec(reason) ?? [];
    expect(await readDoctor(plain.roleUrl)).toContain("failed: the database is read-only");
    const open = () => openDatabase({ log: silentLog, connection: connectionOf(plain.roleUrl) });
    const database = await open();
    // A command that only reads works.
    await database.requireMigrated();
    expect(await database.listWorkspaces()).toHaveLength(1);
    expect(await readHealth(database)).toEqual({
      status: 503,
      text: '{"status":"the database is read-only"}',
      retryAfter: "5",
    });
    await database.close();
    await plain.execute(mending);
    const again = await open();
    expect(await readHealth(again)).toMatchObject({ status: 200 });
    await again.close();
    await plain.remove();
  });
});
