// Reads the source and fails on broken house rules: who may import whom, sizes, and where the
// environment, the machine's time and SQL may be touched.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

// Besides itself, reviews/ and lib/, which every room may import. The same table stands in
// ARCHITECTURE.md. "*" is everything.
const mayImport: Record<string, readonly string[]> = {
  reviews: [],
  lib: [],
  stores: [],
  analyse: [],
  match: [],
  collect: ["stores/store.ts"],
  providers: [],
  translate: ["providers"],
  keep: [],
  deliver: [],
  manage: ["keep", "collect"],
  api: ["keep"],
  console: ["manage", "keep"],
  "pipeline.ts": ["collect", "analyse", "keep", "match", "provider-queue.ts"],
  "provider-queue.ts": ["collect", "keep", "match"],
  "translation-pipeline.ts": ["providers", "keep", "match"],
  "analysis-pipeline.ts": ["providers", "keep"],
  "analyst.ts": ["analyse", "keep"],
  "reanalysis-pipeline.ts": ["analyst.ts", "analyse", "keep"],
  "adaptation-pipeline.ts": ["analyst.ts", "analyse", "keep"],
  "analysis-upkeep.ts": ["*"],
  "provider-workers.ts": ["*"],
  "rating-pipeline.ts": ["pipeline.ts", "collect", "keep", "match"],
  "encryption-key.ts": ["config.ts", "keep"],
  "setting.ts": [],
  "accounts.ts": ["*"],
  "config.ts": ["setting.ts", "env-file.ts"],
  "env-file.ts": [],
  "dashboard.ts": ["*"],
  "rooms.ts": ["*"],
  "http-server.ts": ["keep"],
  "metrics.ts": ["keep"],
  "version.ts": [],
  "main.ts": ["*"],
  demo: ["*"],
  "cli.ts": ["*"],
  cli: ["*"],
};

// Packages that only one room may use; the rest is open to every room.
const packageHomes: Record<string, readonly string[]> = {
  pg: ["keep"],
  hono: ["api", "console", "http-server.ts"],
  "@hono/zod-openapi": ["api", "console"],
  "@hono/node-server": ["http-server.ts"],
  undici: ["lib", "deliver"],
  "prom-client": ["metrics.ts"],
  commander: ["cli", "cli.ts"],
};

const lineCountMax = 250;
const testLineCountMax = 300;
const functionLineCountMax = 70;

const files = ["src", "simulator", "test", "bench", "dashboard/src"].flatMap(listSources);
const production = files.filter((file) => file.path.startsWith("src/") && !file.isTest);

describe("import table", () => {
  test("every room imports only what the table allows", () => {
    const broken = production.flatMap((file) =>
      file.imports
        .filter((target) => !isAllowed(file.path, target))
        .map((t) => `${file.path} → ${t}`),
    );
    expect(broken).toEqual([]);
  });

  test("the dashboard imports nothing of the service but types of the console's contract", () => {
    const broken = files
      .filter((file) => file.path.startsWith("dashboard/"))
      .flatMap((file) =>
        [...file.text.matchAll(/^(import|export) (.*?)from "([^"]+)"/gms)]
          .filter(([, , what, target]) => isForeign(file.path, { what, target }))
          .map(([, , , target]) => `${file.path} → ${target}`),
      );
    expect(broken).toEqual([]);
  });

  test("every room of src is in the table", () => {
    const unknown = production.map((file) => roomOf(file.path)).filter((room) => !mayImport[room]);
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("the pure rooms touch neither disk nor network nor randomness", () => {
    const pure = production.filter((file) =>
      ["analyse", "match", "reviews"].includes(roomOf(file.path)),
    );
    const broken = pure.filter(
      (file) =>
        /from "node:(?!crypto)/.test(file.text) ||
        /Math\.random|randomUUID|fetch\(/.test(file.text),
    );
    expect(broken.map((file) => file.path)).toEqual([]);
  });
});

describe("sizes", () => {
  test(`files stay under ${lineCountMax} lines, tests under ${testLineCountMax}`, () => {
    const long = files.filter(
      (file) =>
        file.lines.length > (file.isTest ? testLineCountMax : lineCountMax) && !isTable(file),
    );
    expect(long.map((file) => `${file.path}: ${file.lines.length}`)).toEqual([]);
  });

  test(`functions fit a screen of ${functionLineCountMax} lines`, () => {
    const long = files.filter((file) => !file.isTest).flatMap(longFunctions);
    expect(long).toEqual([]);
  });
});

describe("borders", () => {
  test("only config.ts reads the environment", () => {
    expect(offenders(/process\.env/, ["src/config.ts"])).toEqual([]);
  });

  test("only lib/clock.ts reads the machine's time", () => {
    expect(offenders(/Date\.now\(|new Date\(\)/, ["src/lib/clock.ts"])).toEqual([]);
  });

  test("SQL stands in keep/ alone", () => {
    const sql = /["'`]\s*(select |insert into |delete from |update \w+ set |create table )/i;
    const broken = offenders(sql, []).filter((found) => !found.startsWith("src/keep/"));
    expect(broken).toEqual([]);
  });

  test("every file opens with a comment that says what it is", () => {
    const silent = files.filter((file) => !file.isTest && !/^(#!.*\n)?\/\//.test(file.text));
    expect(silent.map((file) => file.path).filter((name) => name !== "vitest.config.ts")).toEqual(
      [],
    );
  });

  test("no default exports and no barrels in src", () => {
    expect(offenders(/^export (default|\* from)/m, [])).toEqual([]);
  });
});

type Source = { path: string; text: string; lines: string[]; imports: string[]; isTest: boolean };

function listSources(folder: string): Source[] {
  const absolute = path.join(root, folder);
  if (!fs.existsSync(absolute)) return [];
  return fs
    .readdirSync(absolute, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => {
      const text = fs.readFileSync(path.join(absolute, name), "utf8");
      const from = path.posix.join(folder, name);
      return {
        path: from,
        text,
        lines: text.trimEnd().split("\n"),
        imports: [...text.matchAll(/from "([^"]+)"/g)].map((match) =>
          resolve(from, match[1] ?? ""),
        ),
        isTest: folder === "test" || name.endsWith(".test.ts"),
      };
    });
}

function resolve(from: string, target: string): string {
  return target.startsWith(".") ? path.posix.join(path.posix.dirname(from), target) : target;
}

type Named = { what: string | undefined; target: string | undefined };

function isForeign(from: string, { what = "", target = "" }: Named): boolean {
  if (!target.startsWith(".")) return false;
  const goal = resolve(from, target);
  if (goal.startsWith("dashboard/")) return false;
  return !goal.startsWith("src/console/contract") || !what.startsWith("type ");
}

/** `src/keep/apps.ts` is in the room `keep`, `src/main.ts` is its own. */
function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}

function isAllowed(file: string, target: string): boolean {
  const room = roomOf(file);
  if (target.startsWith("node:")) return true;
  if (!target.startsWith("src/") && !target.startsWith("simulator/"))
    return isPackageAllowed(room, target);
  const allowed = mayImport[room] ?? [];
  if (allowed.includes("*")) return true;
  if (target.startsWith("simulator/")) return false;
  const goal = roomOf(target);
  if (goal === room || goal === "reviews" || goal === "lib")
    return room !== "lib" || goal === "lib";
  return allowed.includes(goal) || allowed.includes(target.slice("src/".length));
}

function isPackageAllowed(room: string, target: string): boolean {
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  if (room === "reviews") return name === "zod";
  return packageHomes[name]?.includes(room) ?? true;
}

function offenders(pattern: RegExp, except: readonly string[]): string[] {
  return production
    .filter((file) => pattern.test(file.text) && !except.includes(file.path))
    .map((file) => file.path);
}

// Word lists and other data in TypeScript: long by nature, read by looking things up.
function isTable(file: Source): boolean {
  return (
    /\/(sentiment-words|topic-words|phrases)\//.test(file.path) || file.path.endsWith("-words.ts")
  );
}

// Biome's format makes this simple: a function ends at the first `}` on its own indentation.
function longFunctions(file: Source): string[] {
  return file.lines.flatMap((line, start) => {
    const head = /^(\s*)(?:export )?(?:async )?(?:function |(?:[#\w]+)\(.*\{$)/.exec(line);
    if (!head || /^\s*(if|for|while|switch|return|describe|test)\b/.test(line)) return [];
    const indent = head[1] ?? "";
    const length = file.lines.slice(start).findIndex((below) => below.startsWith(`${indent}}`)) + 1;
    return length > functionLineCountMax ? [`${file.path}:${start + 1} has ${length} lines`] : [];
  });
}
