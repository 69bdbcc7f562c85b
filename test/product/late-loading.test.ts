// The modules that the built command line loads: help and version nothing that takes time, most commands neither stores
// nor analysis nor pages. Files are counted instead of seconds, which depend on the machine.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../support/built-cli.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { root } from "../support/source-tree.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-late-"));
const hooks = path.join(folder, "hooks.mjs");
const register = path.join(folder, "register.mjs");
let database: TestDatabase;

beforeAll(async () => {
  ensureBuilt();
  database = await cloneDatabase();
  // Runs in a thread of its own, so it writes to stderr's file descriptor itself.
  fs.writeFileSync(
    hooks,
    `import fs from "node:fs";
export async function load(url, context, next) {
  fs.writeSync(2, "loaded " + url + "\\n");
  return next(url, context);
}`,
  );
  fs.writeFileSync(
    register,
    `import { register } from "node:module"; register(${JSON.stringify(`file://${hooks}`)});`,
  );
});
afterAll(async () => {
  await database.drop();
  fs.rmSync(folder, { recursive: true });
});

/** Modules of the service and packages, as `zod` or `src/analysis`. */
function listLoaded(...argv: string[]): { status: number | null; loaded: Set<string> } {
  const program = path.join(root, "dist/src/cli.js");
  const env = { PATH: process.env["PATH"], DATABASE_URL: database.connectionString };
  const { status, stderr } = spawnSync(process.execPath, ["--import", register, program, ...argv], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  const names = [
    ...stderr.matchAll(/^loaded .*(?:node_modules\/((?:@[^/]+\/)?[^/]+)|dist\/(src\/[\w-]+))\//gm),
  ];
  return { status, loaded: new Set(names.map(([, name, module]) => name ?? module ?? "")) };
}

test.each([["--version"], ["--help"]])(
  "%s loads the parser of the command line and little else",
  (flag) => {
    const { status, loaded } = listLoaded(flag);
    expect(status).toBe(0);
    expect([...loaded].sort()).toEqual(["commander", "src/cli", "src/domain", "src/lib"]);
  },
);

test("a command that reads the database loads neither stores nor analysis nor pages nor HTTP clients", () => {
  const { status, loaded } = listLoaded("workspace", "list");
  expect(status).toBe(0);
  expect(loaded.has("pg")).toBe(true);
  const late = ["src/stores", "src/analysis", "src/ingest", "src/read", "undici", "hono", "jose"];
  expect(late.filter((name) => loaded.has(name))).toEqual([]);
});
