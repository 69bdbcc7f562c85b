// Reads the source and fails on broken house rules: who may import whom, sizes, and where the
// environment, the machine's time and SQL may be touched.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

// Besides itself, domain/ and lib/, which every module may import. The same table stands in
// ARCHITECTURE.md. "*" is everything.
const mayImport: Record<string, readonly string[]> = {
  "main.ts": ["api", "app", "config", "crawling", "delivery"],
  "cli.ts": ["*"],
  cli: [
    "analysis",
    "app",
    "config",
    "crawling",
    "database",
    "demo",
    "enrichment",
    "matching",
    "use-cases",
    "main.ts",
  ],
  demo: ["app", "config", "crawling", "use-cases", "main.ts"],
  app: ["*"],
  config: [],
  domain: [],
  stores: [],
  crawling: ["stores", "ingest"],
  ingest: ["analysis", "matching", "database", "enrichment"],
  analysis: [],
  enrichment: ["analysis", "ingest", "matching", "database"],
  matching: [],
  delivery: [],
  "use-cases": ["database", "ingest", "crawling"],
  api: ["database"],
  "dashboard-api": ["use-cases", "database"],
  database: [],
  "embedded-postgres": ["database"],
  lib: [],
};

// Modules that may use the simulated stores.
const mayImportSimulator = ["app", "cli", "cli.ts", "demo"];

// Packages that only some modules may use; the rest is open to every module.
const packageHomes: Record<string, readonly string[]> = {
  pg: ["database", "embedded-postgres"],
  hono: ["api", "dashboard-api", "http", "app"],
  "@hono/zod-openapi": ["api", "dashboard-api"],
  "@hono/node-server": ["app", "http"],
  undici: ["lib", "delivery"],
  "prom-client": ["app"],
  commander: ["cli", "cli.ts"],
};

const lineCountMax = 250;
const testLineCountMax = 300;
const functionLineCountMax = 70;

const files = ["src", "simulator", "test", "bench", "dashboard/src"].flatMap(listSources);
const production = files.filter((file) => file.path.startsWith("src/") && !file.isTest);

describe("import table", () => {
  test("every module imports only what the table allows", () => {
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

  test("every module of src is in the table", () => {
    const unknown = production
      .map((file) => moduleOf(file.path))
      .filter((module) => !mayImport[module]);
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("the pure modules touch neither disk nor network nor randomness", () => {
    const pure = production.filter((file) =>
      ["analysis", "matching", "domain"].includes(moduleOf(file.path)),
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
  test("only config/config.ts reads the environment", () => {
    expect(offenders(/process\.env/, ["src/config/config.ts"])).toEqual([]);
  });

  test("only lib/clock.ts reads the machine's time", () => {
    expect(offenders(/Date\.now\(|new Date\(\)/, ["src/lib/clock.ts"])).toEqual([]);
  });

  test("SQL stands in database/ and embedded-postgres/ alone", () => {
    const sql = /["'`]\s*(select |insert into |delete from |update \w+ set |create table )/i;
    const broken = offenders(sql, []).filter(
      (found) => !/^src\/(database|embedded-postgres)\//.test(found),
    );
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
  return !goal.startsWith("src/dashboard-api/contract") || !what.startsWith("type ");
}

/** `src/database/repositories/apps.ts` is in the module `keep`, `src/main.ts` is its own. */
function moduleOf(file: string): string {
  return file.split("/")[1] ?? "";
}

function isAllowed(file: string, target: string): boolean {
  const module = moduleOf(file);
  if (target.startsWith("node:")) return true;
  if (!target.startsWith("src/") && !target.startsWith("simulator/"))
    return isPackageAllowed(module, target);
  const allowed = mayImport[module] ?? [];
  if (allowed.includes("*")) return true;
  if (target.startsWith("simulator/")) return mayImportSimulator.includes(module);
  const goal = moduleOf(target);
  if (goal === module || goal === "domain" || goal === "lib")
    return module !== "lib" || goal === "lib";
  return allowed.includes(goal) || allowed.includes(target.slice("src/".length));
}

function isPackageAllowed(module: string, target: string): boolean {
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  if (module === "domain") return name === "zod";
  return packageHomes[name]?.includes(module) ?? true;
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
