// A real process of `starpost apply`: killed in the middle, and over the API.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeSetup } from "../../src/features/setup-document/schema.ts";
import { createKey } from "../support/acts.ts";
import { ensureBuilt, runStarpost, startStarpost } from "../support/built-cli.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { root } from "../support/source-tree.ts";
import { waitFor } from "../support/wait-for.ts";

let database: TestDatabase;
let service: TestService;
let folder: string;
let client: pg.Client;
beforeAll(async () => {
  ensureBuilt();
  database = await cloneDatabase();
  service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
  client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-apply-"));
});
afterAll(async () => {
  await client.end();
  await service.close();
  await database.drop();
  fs.rmSync(folder, { recursive: true });
});

const options = () => ({ cwd: folder, env: { DATABASE_URL: database.connectionString } });

const listNames = async (): Promise<string[]> =>
  (await client.query("select name from workspaces")).rows.map(({ name }) => name);

function write(name: string): string {
  const topics = Array.from({ length: 10 }, (_, index) => ({
    name: `t${index}`,
    phrases: ["ab cd"],
  }));
  const file = path.join(folder, `${name}.yaml`);
  fs.writeFileSync(file, JSON.stringify({ workspace: name, topics }));
  return file;
}

test("a killed apply leaves nothing, and the next one does all of it", async () => {
  const file = write("Killed");
  // The first topic waits for its audit entry, in the middle of the transaction.
  await client.query("begin; lock table audit in exclusive mode");
  const killed = startStarpost(["apply", "--file", file, "--json"], options());
  const isWaiting = async (): Promise<boolean> =>
    (await client.query("select from pg_locks where not granted")).rows.length > 0;
  await waitFor(isWaiting, {
    withinMs: 60_000,
    what: "the apply in the middle of its transaction",
  });
  killed.kill("SIGKILL");
  expect((await killed.result).code).toBeNull();
  await client.query("commit");
  expect(await listNames()).not.toContain("Killed");
  const done = await runStarpost(["apply", "--file", file, "--json"], options());
  expect([done.code, JSON.parse(done.stdout).length]).toEqual([0, 11]);
});

test("over the API the same file gives the same plan", async () => {
  const { workspaceId } = service;
  const deps = { ...service.deps, actor: "test" };
  const { key } = await createKey(deps, { workspaceId, name: "Deploy", scope: "manage" });
  const file = write("Harbour Apps");
  const api = ["--url", service.url, "--key", key, "--detailed-exit-code", "--json"];
  const rehearsal = await runStarpost(["apply", "--file", file, "--dry-run", ...api], options());
  const done = await runStarpost(["apply", "--file", file, ...api], options());
  expect([rehearsal.code, done.code, done.stdout]).toEqual([3, 3, rehearsal.stdout]);
  const again = await runStarpost(["apply", "--file", file, ...api], options());
  expect([again.code, again.stdout.trim()]).toEqual([0, "[]"]);
  const config = await runStarpost(["export", "config", ...api.slice(0, 4)], options());
  expect(config.stdout).toContain("name: t9");
});

test("the JSON Schema in packaging/ is that of the code (npm run generate writes it)", () => {
  const file = path.join(root, "packaging/starpost.schema.json");
  const schema = describeSetup();
  if (process.env["UPDATE_DOCS"] === "1") fs.writeFileSync(file, JSON.stringify(schema, null, 2));
  expect(JSON.parse(fs.readFileSync(file, "utf8"))).toEqual(schema);
});
