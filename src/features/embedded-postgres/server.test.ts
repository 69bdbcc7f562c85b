import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  openProcessSandbox,
  type ProcessSandbox,
  queryRows,
  readPostmasterPid,
} from "../../../test/support/process-sandbox.ts";
import { silentLog } from "../../lib/log.ts";
import { type EmbeddedServer, openEmbeddedServer } from "./server.ts";

let workshop: ProcessSandbox;
const servers: EmbeddedServer[] = [];

beforeAll(async () => {
  workshop = await openProcessSandbox();
});

afterAll(async () => {
  for (const server of servers) await server.close();
  await workshop.remove();
});

async function open(dataDir: string, log = silentLog): Promise<EmbeddedServer> {
  const server = await openEmbeddedServer({ dataDir, log, sharedDir: workshop.sharedDir });
  servers.push(server);
  return server;
}

const folder = (name: string) => path.join(workshop.root, name);

// Used one after the other by the tests that only start and stop a server: making a cluster takes most of
// their time. Each leaves it stopped.
const sharedDataDir = () => folder("shared-by-tests");

test("the first start makes a UTF-8 database that asks for its password and listens on no port", async () => {
  const dataDir = folder("first");
  const { connection } = await open(dataDir);
  expect(await queryRows(connection, "show server_encoding")).toEqual([
    { server_encoding: "UTF8" },
  ]);
  expect(await queryRows(connection, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  expect(await queryRows(connection, "show fsync")).toEqual([{ fsync: "on" }]);
  expect(await queryRows(connection, "select rolsuper from pg_roles where rolname = user")).toEqual(
    [{ rolsuper: false }],
  );
  const stranger = new pg.Client({ ...connection, password: "guess" });
  await expect(stranger.connect()).rejects.toMatchObject({ code: "28P01" });

  expect((await fs.stat(path.join(dataDir, "postgres.password"))).mode & 0o777).toBe(0o600);
  expect(await fs.readdir(dataDir)).toEqual([
    "postgres",
    "postgres.log",
    "postgres.password",
    "starpost.json",
  ]);
});

test("a second process uses the running server, and the last one out stops it", async () => {
  const dataDir = sharedDataDir();
  const first = await workshop.start({ dataDir });
  const pid = await readPostmasterPid(dataDir);
  const second = await workshop.start({ dataDir });
  expect(await readPostmasterPid(dataDir)).toBe(pid);

  await first.close();
  expect(await queryRows(second.report.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  await second.close();
  expect(await readPostmasterPid(dataDir)).toBeNull();
});

test("a process that arrives while the last one stops the server gets a running one", async () => {
  const dataDir = sharedDataDir();
  let inside = await workshop.start({ dataDir });
  for (let turn = 0; turn < 5; turn += 1) {
    const [next] = await Promise.all([workshop.start({ dataDir }), inside.close()]);
    expect(await queryRows(next.report.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    inside = next;
  }
  await inside.close();
  expect(await readPostmasterPid(dataDir)).toBeNull();
});

test("the orphan of a killed process is adopted with its data, and stopped after", async () => {
  const dataDir = sharedDataDir();
  const killed = await workshop.start({ dataDir });
  await queryRows(killed.report.connection, "create table kept as select 42 as answer");
  const pid = await readPostmasterPid(dataDir);
  await killed.kill();

  const next = await workshop.start({ dataDir });
  expect(await readPostmasterPid(dataDir)).toBe(pid);
  expect(await queryRows(next.report.connection, "select answer from kept")).toEqual([
    { answer: 42 },
  ]);
  await next.close();
  expect(await readPostmasterPid(dataDir)).toBeNull();
});

test("a running server is found when its folder has another path than at its start", async () => {
  const killed = await workshop.start({ dataDir: folder("before") });
  const pid = await readPostmasterPid(folder("before"));
  await killed.kill();
  await fs.rename(folder("before"), folder("behind"));
  const next = await workshop.start({ dataDir: folder("behind") });
  expect(await readPostmasterPid(folder("behind"))).toBe(pid);
  expect(await queryRows(next.report.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  await next.close();
  expect(await readPostmasterPid(folder("behind"))).toBeNull();
});

test("a killed PostgreSQL comes back by itself with its data", async () => {
  const dataDir = folder("killed-server");
  let reportBack = (): void => {};
  const isBack = new Promise<void>((resolve) => {
    reportBack = resolve;
  });
  const info = (_: unknown, sentence: string) => {
    if (sentence.includes("is back")) reportBack();
  };
  const server = await open(dataDir, { ...silentLog, info });
  await queryRows(server.connection, "create table kept as select 42 as answer");
  const pid = await readPostmasterPid(dataDir);
  if (pid === null) throw new Error("no server to kill");
  process.kill(pid, "SIGKILL");

  await isBack;
  expect(await readPostmasterPid(dataDir)).not.toBe(pid);
  expect(await queryRows(server.connection, "select answer from kept")).toEqual([{ answer: 42 }]);
  await server.ensureRunning();
  await server.close();
  expect(await readPostmasterPid(dataDir)).toBeNull();
});

test("two first starts at once end up on one server", async () => {
  const dataDir = folder("twins");
  const twins = await Promise.all([workshop.start({ dataDir }), workshop.start({ dataDir })]);
  expect(twins.map((twin) => twin.report.error)).toEqual([undefined, undefined]);
  await queryRows(twins[0]?.report.connection, "create table common as select 7 as number");
  expect(await queryRows(twins[1]?.report.connection, "select number from common")).toEqual([
    { number: 7 },
  ]);
  await Promise.all(twins.map((twin) => twin.close()));
  expect(await readPostmasterPid(dataDir)).toBeNull();
  expect(await fs.readdir(dataDir)).toHaveLength(4);
});

test("a lock whose process id was given to another program does not stop the start", async () => {
  const dataDir = sharedDataDir();
  const first = await workshop.start({ dataDir });
  const lockFile = path.join(dataDir, "postgres", "postmaster.pid");
  const lock = await fs.readFile(lockFile, "utf8");
  const { uid, gid } = await fs.stat(lockFile);
  await first.close();

  const bystander = spawn("/bin/sleep", ["60"], process.getuid?.() === 0 ? { uid, gid } : {});
  try {
    const stale = lock.replace(/^\d+/, String(bystander.pid));
    await fs.writeFile(lockFile, stale, { mode: 0o600 });
    await fs.chown(lockFile, uid, gid);
    const second = await workshop.start({ dataDir });
    expect(await queryRows(second.report.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(bystander.exitCode).toBeNull();
    await second.close();
  } finally {
    bystander.kill();
  }
});

test("a path too long for a socket gets a private folder for it elsewhere", async () => {
  const dataDir = folder("long".repeat(25));
  const server = await open(dataDir);
  expect(server.connection.host).toMatch(/^\/tmp\/starpost-[0-9a-f]{16}$/);
  expect((await fs.stat(server.connection.host)).mode & 0o777).toBe(0o700);
  expect(await queryRows(server.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  await server.close();
  await fs.rmdir(server.connection.host);
});

test("a start that fails says so with the server's own words", async () => {
  const dataDir = folder("broken");
  const server = await open(dataDir);
  await server.close();
  await fs.appendFile(path.join(dataDir, "postgres", "postgresql.conf"), "no_such_setting = 1\n");
  await expect(open(dataDir)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("no_such_setting"),
  });
});
