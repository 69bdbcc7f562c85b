// Failures at the start, as operators see them: one clear line on stderr, exit code 1, and nothing
// lost. Runs the built command in processes of its own.
import fs from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type CommandResult, ensureBuilt, runStarpost, startServe } from "../support/built-cli.ts";
import { cloneDatabase } from "../support/database.ts";

let root: string;

beforeAll(async () => {
  ensureBuilt();
  root = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-bad-input-"));
  // PostgreSQL runs as another user when the test runs as root: that user must be able to enter.
  await fs.chmod(root, 0o755);
});

afterAll(() => fs.rm(root, { recursive: true }));

async function folder(name: string, files: Record<string, string> = {}): Promise<string> {
  const created = path.join(root, name);
  await fs.mkdir(created);
  for (const [file, content] of Object.entries(files))
    await fs.writeFile(path.join(created, file), content);
  return created;
}

function expectOneLine(ran: CommandResult, sentence: string | RegExp): void {
  const errors = ran.stderr.split("\n").filter((line) => line.startsWith("error: "));
  expect(errors).toEqual([expect.stringMatching(sentence)]);
  expect(ran.stderr).not.toMatch(/\n\s+at /);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
}

test("an invalid setting is named, with what was expected", async () => {
  const cwd = await folder("setting");
  const ran = await runStarpost(["serve"], { cwd, env: { PORT: "eighty" } });
  expectOneLine(ran, 'PORT: expected a whole number from 0 to 65535, not "eighty"');
  expect(await fs.readdir(cwd)).toEqual([]);
});

test("an unknown name in .env is named", async () => {
  const cwd = await folder("unknown", { ".env": "WEBHOOK_ALOW_HTTP=true\n" });
  expectOneLine(
    await runStarpost(["serve"], { cwd }),
    "there is no setting named WEBHOOK_ALOW_HTTP",
  );
});

test("a busy port is named before anything is created", async () => {
  const cwd = await folder("port");
  const busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const address = busy.address();
  const port = String(typeof address === "object" && address ? address.port : 0);
  expectOneLine(
    await runStarpost(["serve"], { cwd, env: { PORT: port } }),
    `127.0.0.1:${port} is in use by another program; stop it, or set PORT to a free one`,
  );
  expectOneLine(
    await runStarpost(["serve"], {
      cwd,
      env: { PORT: "0", METRICS_PORT: port, LOG_LEVEL: "error" },
    }),
    `127.0.0.1:${port} is in use by another program; stop it, or set METRICS_PORT to a free one`,
  );
  await new Promise((resolve) => busy.close(resolve));
  expect(await fs.readdir(cwd)).toEqual([]);
});

test("an older Node is named before anything is loaded", async () => {
  const versions = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.18.3"}})`;
  const older = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(versions)}` };
  const ran = await runStarpost(["serve"], { cwd: await folder("older-node"), env: older });
  expectOneLine(ran, "Starpost needs Node 20.19 or newer; this is 20.18.3");
});

test("in a pipe every line of a first start is JSON, and the set-up link opens in a browser", async () => {
  const cwd = await folder("piped");
  const service = await startServe({ cwd, env: { PORT: "0", HOST: "0.0.0.0" } });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
  const lines = service.lines.map((line) =>
    z.looseObject({ msg: z.string() }).parse(JSON.parse(line)),
  );
  expect(lines.map(({ msg }) => msg)).toContain("creating the database");
  const port = new URL(service.url).port;
  expect(lines.find(({ link }) => link !== undefined)?.["link"]).toMatch(
    new RegExp(`^http://127\\.0\\.0\\.1:${port}/setup#`),
  );
});

test("a database that can't be reached is named", async () => {
  const cwd = await folder("away");
  const env = { DATABASE_URL: "postgresql://starpost:hunter2@127.0.0.1:1/starpost" };
  const ran = await runStarpost(["serve"], { cwd, env });
  expectOneLine(ran, /database that DATABASE_URL names can't be used: the connection was refused/);
  expect(ran.stderr).not.toContain("hunter2");
});

test("a data folder with somebody else's files is refused and left as it is", async () => {
  const cwd = await folder("foreign");
  const data = await folder("foreign/data", { "thesis.txt": "do not touch" });
  expectOneLine(await runStarpost(["serve"], { cwd }), /thesis\.txt|not.*Starpost/);
  expect(await fs.readdir(data)).toEqual(["thesis.txt"]);
});

test("a database newer than the code is refused, and its rows stay", async () => {
  const cwd = await folder("newer");
  const database = await cloneDatabase();
  const client = new pg.Client(database.connectionString);
  await client.connect();
  await client.query(
    "insert into migrations (number, name, digest) values (900, '900-later.sql', '')",
  );
  const env = { DATABASE_URL: database.connectionString };
  expectOneLine(await runStarpost(["workspace", "list"], { cwd, env }), "newer than this version");
  const { rows } = await client.query("select max(number) as number from migrations");
  expect(rows).toEqual([{ number: 900 }]);
  await client.end();
  await database.drop();
});

test("a database whose secrets were encrypted with another key stops the start", async () => {
  const cwd = await folder("key");
  const database = await cloneDatabase();
  const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");
  const env = { DATABASE_URL: database.connectionString, ENCRYPTION_KEY: key(1) };
  const created = await runStarpost(["workspace", "create", "--name", "Team", "--json"], {
    cwd,
    env,
  });
  const { id } = JSON.parse(created.stdout);
  const channel = [
    "channel",
    "create",
    "--workspace",
    id,
    "--name",
    "Hook",
    "--url",
    "https://example.com/h",
  ];
  expect(await runStarpost(channel, { cwd, env })).toMatchObject({ code: 0 });
  const wrong = { ...env, ENCRYPTION_KEY: key(2) };
  expectOneLine(await runStarpost(["serve"], { cwd, env: wrong }), "ENCRYPTION_KEY");
  const both = { ...env, ENCRYPTION_KEY: `${key(2)},${key(1)}`, PORT: "0" };
  const service = await startServe({ cwd, env: both });
  expect(await service.stop()).toBe(0);
  await database.drop();
});

test("a service killed while it works starts again with everything it had", async () => {
  const cwd = await folder("killed");
  const env = { PORT: "0" };
  const service = await startServe({ cwd, env });
  await runStarpost(["workspace", "create", "--name", "Survivors"], { cwd, env });
  await service.stop("SIGKILL");
  const again = await startServe({ cwd, env });
  const listed = await runStarpost(["workspace", "list", "--json"], { cwd, env });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "Survivors" }]);
  expect(await again.stop()).toBe(0);
  expect(await fs.readdir(path.join(cwd, "data/postgres"))).not.toContain("postmaster.pid");
});
