import fs from "node:fs/promises";
import path from "node:path";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  type TestContext,
  test,
} from "vitest";
import {
  openProcessSandbox,
  type ProcessSandbox,
  queryRows,
  readPostmasterPid,
} from "../../../test/support/process-sandbox.ts";
import { silentLog } from "../../lib/log.ts";
import { canAccess, isRoot } from "./os-user.ts";
import { openEmbeddedServer } from "./server.ts";

const nobody = { name: "nobody", uid: 65_534, gid: 65_534 };
let workshop: ProcessSandbox;

beforeAll(async () => {
  workshop = await openProcessSandbox();
});

afterAll(() => workshop.remove());

const folder = (name: string) => path.join(workshop.root, name);
const open = (dataDir: string) => openEmbeddedServer({ dataDir, log: silentLog });

describe("a folder that is refused", () => {
  test("one with foreign files is left as it was", async () => {
    const dataDir = folder("foreign");
    await fs.mkdir(dataDir);
    await fs.writeFile(path.join(dataDir, "thesis.txt"), "mine");
    await expect(open(dataDir)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("thesis.txt"),
    });
    expect(await fs.readdir(dataDir)).toEqual(["thesis.txt"]);
  });

  test("one whose postgres folder is not a cluster is left as it was", async () => {
    const dataDir = await claimed("no-cluster");
    await fs.mkdir(path.join(dataDir, "postgres"));
    await fs.writeFile(path.join(dataDir, "postgres", "notes"), "mine");
    await expect(open(dataDir)).rejects.toThrow("is not a PostgreSQL cluster");
    expect(await fs.readdir(path.join(dataDir, "postgres"))).toEqual(["notes"]);
  });

  test("a cluster of another major version names both versions", async () => {
    const dataDir = await claimed("older");
    await fs.mkdir(path.join(dataDir, "postgres"));
    await fs.writeFile(path.join(dataDir, "postgres", "PG_VERSION"), "15\n");
    await fs.writeFile(path.join(dataDir, "postgres.password"), "invented\n");
    await expect(open(dataDir)).rejects.toThrow(/made by PostgreSQL 15.* brings 18/);
  });

  test("a cluster without its password is not given a new one", async () => {
    const dataDir = await claimed("no-password");
    await fs.mkdir(path.join(dataDir, "postgres"));
    await fs.writeFile(path.join(dataDir, "postgres", "PG_VERSION"), "18\n");
    await expect(open(dataDir)).rejects.toThrow("password of the database is missing");
  });

  test("a marker of a newer version is respected", async () => {
    const dataDir = await claimed("newer", { format: 2 });
    await expect(open(dataDir)).rejects.toThrow("newer version of Starpost");
  });

  test("a folder that cannot be made says why", async () => {
    const file = folder("a-file");
    await fs.writeFile(file, "");
    await expect(open(path.join(file, "data"))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("ENOTDIR"),
    });
  });
});

test("an ordinary user keeps everything in a private folder of their own", async (context) => {
  await requireNobody(context);
  const dataDir = path.join(await makeHome("home"), "data");
  const child = await workshop.start({ dataDir, asNobody: isRoot() });
  expect(await queryRows(child.report.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(child.report.infos).toEqual([]);
  const owner = await fs.stat(path.join(dataDir, "postgres"));
  expect(owner.uid).toBe((await fs.stat(dataDir)).uid);
  expect((await fs.stat(dataDir)).mode & 0o777).toBe(0o700);
  await child.close();
});

test("what root starts in a user's folder stays the user's", async (context) => {
  if (!isRoot()) context.skip("needs root: only root's server runs as another user");
  await requireNobody(context);
  const dataDir = await makeHome("lent");
  const byRoot = await workshop.start({ dataDir });
  await queryRows(byRoot.report.connection, "create table kept as select 42 as answer");
  const byUser = await workshop.start({ dataDir, asNobody: true });
  expect(byUser.report.error).toBeUndefined();
  await byRoot.close();
  await byUser.close();
  const again = await workshop.start({ dataDir, asNobody: true });
  expect(await queryRows(again.report.connection, "select answer from kept")).toEqual([
    { answer: 42 },
  ]);
  await again.close();
});

test("root in a private folder gets the cluster and the programs placed where they run", async (context) => {
  if (!isRoot()) context.skip("needs root: only root's server runs as another user");
  const secluded = await openProcessSandbox({ ownBinaries: true });
  onTestFinished(() => secluded.remove());
  await fs.mkdir(secluded.sharedDir);
  const dataDir = path.join(secluded.root, "program", "data");
  await fs.chmod(path.join(secluded.root, "program"), 0o700);

  const first = await secluded.start({ dataDir });
  expect(first.report.error).toBeUndefined();
  expect(first.report.infos).toEqual([
    expect.stringContaining("run from a copy"),
    expect.stringContaining("the database lives in"),
  ]);
  const cluster = await fs.readlink(path.join(dataDir, "postgres"));
  expect(path.dirname(path.dirname(cluster))).toBe(secluded.sharedDir);
  expect((await fs.stat(path.join(dataDir, "postgres.password"))).uid).toBe(0);
  await queryRows(first.report.connection, "create table kept as select 42 as answer");
  await first.close();
  expect(await readPostmasterPid(dataDir)).toBeNull();

  const placed = (await fs.readdir(secluded.sharedDir)).sort();
  const second = await secluded.start({ dataDir });
  expect(await queryRows(second.report.connection, "select answer from kept")).toEqual([
    { answer: 42 },
  ]);
  expect((await fs.readdir(secluded.sharedDir)).sort()).toEqual(placed);
  expect(placed).toHaveLength(2);
  await second.close();
});

async function requireNobody(context: TestContext): Promise<void> {
  const needed = isRoot() ? [process.execPath, path.resolve("node_modules/pg/package.json")] : [];
  for (const file of needed) {
    if (!(await canAccess(nobody, file))) context.skip(`the user nobody cannot read ${file}`);
  }
}

async function makeHome(name: string): Promise<string> {
  const home = folder(name);
  await fs.mkdir(home, { mode: 0o700 });
  if (isRoot()) await fs.chown(home, nobody.uid, nobody.gid);
  return home;
}

async function claimed(name: string, marker: object = {}): Promise<string> {
  const dataDir = folder(name);
  await fs.mkdir(dataDir);
  const id = "0a3b6c1e-6f52-4d0e-9b1c-5d2f7e8a9b10";
  const text = JSON.stringify({ format: 1, id, ...marker });
  await fs.writeFile(path.join(dataDir, "starpost.json"), text);
  return dataDir;
}
