// Reads the source and fails on broken house rules: the layout of src, who may import whom, refused
// names, sizes, and where the environment, the machine's time and SQL may be touched.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { countPatterns, type EnglishPattern, listProse } from "./support/english.ts";
import { featureLists } from "./support/feature-lists.ts";
import {
  mayImport,
  mayImportSdk,
  mayImportSimulator,
  modulesWithFolderCircles,
  packageHomes,
} from "./support/import-table.ts";
import {
  canThrow,
  listCircles,
  listFunctions,
  listSourceFiles,
  moduleOf,
  resolveImport,
  root,
  type SourceFile,
} from "./support/source-tree.ts";

// Names that were replaced; docs/development/glossary.md has the ones to use instead.
const refusedNames =
  /^(asked|told|stated|given|wanted|said|rooms?|hand|bell|desk|shelf|keep|upkeep|knock|putBack)$|Rooms?$|^(ask|tell)([A-Z]\w*)?$|[^iI][^n]Places?$|^Places?$|^placeOf$/;

/** Where names may have a word that has one meaning in the glossary: of other things another word is used. */
const homes: Readonly<Record<string, RegExp>> = {
  thing: /^sdk\//,
  tick: /^src\/(features\/own-topics|database\/reviews)\/|^dashboard\/src\/(pages\/settings\/|charts\/uplot)/,
  turn: /^src\/(lib|database|crawling|use-cases\/accounts|dashboard-api\/session)\/|^test\/support\//,
  verdict:
    /^src\/features\/feature.ts|^(src\/(app|cli|dashboard-api|domain\/changes|read\/overview|use-cases\/apps)|src\/features\/(alerts|digests|mcp|report|verdict)|dashboard|test\/support)\//,
};

const lineCountMax = 400;
const testLineCountMax = 400;
const functionLineCountMax = 70;
const medianLineCountMax = 100;

/** Exported functions that throw without documenting it; to be lowered to 0, never raised. */
const undocumentedThrowsMax = 0;

const files = listSourceFiles([
  "src",
  "simulator",
  "test",
  "bench",
  "dashboard/src",
  "analysis-training",
]);
const architecture = fs.readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
const production = files.filter((file) => file.path.startsWith("src/") && !file.isTest);

describe("layout", () => {
  test("only main.ts and cli.ts lie at the top of src", () => {
    const entries = fs.readdirSync(path.join(root, "src"), { withFileTypes: true });
    const loose = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(loose.sort()).toEqual(["cli.ts", "main.ts"]);
  });

  test("every module of src is in the import table, and the table names nothing else", () => {
    const modules = new Set(production.map((file) => moduleOf(file.path)));
    expect(Object.keys(mayImport).sort()).toEqual([...modules].sort());
  });

  test("every module imports only what the table allows", () => {
    const broken = production.flatMap((file) =>
      file.imports
        .filter((target) => !isAllowed(file.path, target))
        .map((target) => `${file.path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test("but for the lists of features there is no circle between modules, type imports included", () => {
    expect(listCircles(production.filter(({ path }) => !featureLists.includes(path)))).toEqual([]);
  });

  test("there is no circle between files, type imports included", () => {
    expect(listCircles(files, (path) => path)).toEqual([]);
  });

  test("inside of a module, its folders and the files beside them make no circle", () => {
    const inCircles = Object.keys(mayImport).filter((module) => {
      const inside = production.filter((file) => moduleOf(file.path) === module);
      return listCircles(inside, folderOf).length > 0;
    });
    expect(inCircles.sort()).toEqual(modulesWithFolderCircles);
  });

  test("ARCHITECTURE.md has the same import table, and shows the modules in the order of ls src", () => {
    const rows = architecture.matchAll(/^\| `([\w-]+)(\.ts|\/)` \| ([^|]*) \|$/gm);
    const table = [...rows].map(([, module = "", end, imports = ""]) => [
      end === "/" ? module : `${module}${end}`,
      imports === "everything"
        ? ["*"]
        : [...imports.matchAll(/`([\w.-]+)`/g)].map(([, name]) => name),
    ]);
    const inOrder = Object.keys(mayImport).sort();
    expect(Object.fromEntries(table)).toEqual(mayImport);
    expect(table.map(([module]) => module)).toEqual(inOrder);
    const tree = [...architecture.matchAll(/^[├└]── ([\w.-]+)/gm)].map(([, name]) => name);
    expect(tree).toEqual(inOrder);
  });

  test("each function on the way of one review is where ARCHITECTURE.md says", () => {
    const steps = [...architecture.matchAll(/^\| \d+ \| `(\w+)` \| `([\w./-]+)` \|/gm)];
    expect(steps.length).toBeGreaterThan(10);
    const missing = steps.filter(
      ([, name, file]) =>
        !production.some(
          (source) =>
            source.path === file && listFunctions(source).some((found) => found.name === name),
        ),
    );
    expect(missing.map(([, name, file]) => `${file} has no ${name}`)).toEqual([]);
  });

  test.each(["docs", "docs/adr"])("%s/README.md lists every page of its folder", (folder) => {
    const pages = fs.readdirSync(path.join(root, folder));
    const index = fs.readFileSync(path.join(root, folder, "README.md"), "utf8");
    const missing = pages.filter((page) => page.endsWith(".md") && !index.includes(`](${page})`));
    expect(missing).toEqual(["README.md"]);
  });

  test("docs/README.md lists every page for developers", () => {
    const pages = fs.readdirSync(path.join(root, "docs/development"));
    const index = fs.readFileSync(path.join(root, "docs/README.md"), "utf8");
    expect(pages.filter((page) => !index.includes(`](development/${page})`))).toEqual([]);
  });

  test("docs/adr/README.md has the date and the status of each decision", () => {
    const folder = path.join(root, "docs/adr");
    const index = fs.readFileSync(path.join(folder, "README.md"), "utf8");
    const endings = fs.readdirSync(folder).flatMap((page) => {
      const head = fs.readFileSync(path.join(folder, page), "utf8").split("\n")[2] ?? "";
      const [, date, state, by] =
        /^(\d{4}-\d\d-\d\d), (accepted|superseded)(?: by \[(\d+)\])?/.exec(head) ?? [];
      return page === "README.md"
        ? []
        : [{ page, row: `| ${date} | ${by ? `${state} by ${by}` : state} |` }];
    });
    const rows = index.split("\n");
    const missing = endings.filter(
      ({ page, row }) => !rows.some((one) => one.includes(`](${page})`) && one.endsWith(row)),
    );
    expect(missing).toEqual([]);
  });

  test("the dashboard imports nothing of the service but types of its API's contract", () => {
    const broken = files
      .filter((file) => file.path.startsWith("dashboard/"))
      .flatMap((file) =>
        [...file.text.matchAll(/^(?:import|export) (.*?)from "([^"]+)"/gms)]
          .filter(([, what = "", target = ""]) => isForeign(resolveImport(file.path, target), what))
          .map(([, , target]) => `${file.path} → ${target}`),
      );
    expect(broken).toEqual([]);
  });

  test("the pages of apps and of channels don't import each other", () => {
    const folders = ["dashboard/src/pages/apps/", "dashboard/src/pages/channels/"];
    const pages = folders.map((folder) => files.filter(({ path }) => path.startsWith(folder)));
    expect(pages.every((of) => of.length > 10)).toBe(true);
    const crossing = folders.flatMap((folder, index) =>
      (pages[1 - index] ?? [])
        .filter(({ imports }) => imports.some((target) => target.startsWith(folder)))
        .map((file) => `${file.path} → ${folder}`),
    );
    expect(crossing).toEqual([]);
  });

  test("the pure modules touch neither disk nor network nor randomness", () => {
    const broken = production
      .filter((file) => ["analysis", "matching", "domain"].includes(moduleOf(file.path)))
      .filter(
        (file) =>
          file.imports.some((name) => name.startsWith("node:") && name !== "node:crypto") ||
          /Math\.random|randomUUID|\bfetch\(/.test(file.code),
      );
    expect(broken.map((file) => file.path)).toEqual([]);
  });
});

describe("names", () => {
  test("no variable, function, type or property has a refused name", () => {
    const found = files.flatMap((file) => {
      const names = new Set(file.code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
      const refused = [...names].filter((name) => refusedNames.test(name));
      return refused.length > 0 ? [`${file.path}: ${refused.sort().join(", ")}`] : [];
    });
    expect(found).toEqual([]);
  });

  test("words with one meaning name nothing outside of their home", () => {
    const found = files
      .filter(({ path, isTest }) => !isTest && !path.startsWith("bench/"))
      .flatMap(({ path: file, code }) =>
        Object.entries(homes)
          .filter(([, home]) => !home.test(file))
          .flatMap(([word]) => listNamesWith(word, code).map((name) => `${file}: ${name}`)),
      );
    expect(found).toEqual([]);
  });

  test("no file or folder has a refused name", () => {
    const refused = files.filter(({ path: file }) =>
      file
        .replace(/\..*/, "")
        .split(/[/-]/)
        .some((part) => refusedNames.test(part)),
    );
    expect(refused.map((file) => file.path)).toEqual([]);
  });
});

describe("sizes", () => {
  test(`files have at most ${lineCountMax} lines, tests ${testLineCountMax}, the median of src ${medianLineCountMax}`, () => {
    const long = [...files, ...listSourceFiles(["sdk/src"])].filter(
      (file) => file.lineCount > (file.isTest ? testLineCountMax : lineCountMax) && !isTable(file),
    );
    expect(long.map((file) => `${file.path}: ${file.lineCount}`)).toEqual([]);
    const counts = production.map((file) => file.lineCount).sort((one, other) => one - other);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(medianLineCountMax);
  });

  test(`functions fit a screen of ${functionLineCountMax} lines`, () => {
    const long = files
      .filter((file) => !file.isTest)
      .flatMap((file) =>
        listFunctions(file)
          .map(({ line, body }) => ({ line, length: body.split("\n").length }))
          .filter(({ length }) => length > functionLineCountMax)
          .map(({ line, length }) => `${file.path}:${line} has ${length} lines`),
      );
    expect(long).toEqual([]);
  });
});

describe("borders", () => {
  test("only config/config.ts reads the environment", () => {
    expect(offenders(/process\.env/, ["src/config/config.ts"])).toEqual([]);
  });

  test("only lib/clock.ts reads the machine's time, of the calendar and monotonic", () => {
    const time = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bhrtime\b/;
    expect(offenders(time, ["src/lib/clock.ts"])).toEqual([]);
  });

  test("SQL stands in database/, lib/postgres/, the features backup and embedded-postgres and the sql.ts of a feature alone", () => {
    const sql = /["'`]\s*(select |insert into |delete from |update \w+ set |create table )/i;
    const places =
      /^src\/((database|lib\/postgres|features\/(backup|embedded-postgres))\/|features\/[\w-]+\/sql\.ts)/;
    const broken = production.filter(({ path, text }) => sql.test(text) && !places.test(path));
    expect(broken.map(({ path }) => path)).toEqual([]);
  });

  test("every file opens with a comment that says what it is", () => {
    const silent = files.filter((file) => !file.isTest && !/^(#!.*\n)?\/\//.test(file.text));
    expect(silent.map((file) => file.path)).toEqual([]);
  });

  test("comments and names of tests avoid patterns that are hard to read", () => {
    const texts = files
      .filter((file) => !file.path.startsWith("test/support/english"))
      .flatMap(listProse);
    // Lower a number whenever a count allows it.
    const maxima = { isNo: 22, headless: 14, who: 6, nobody: 18, telling: 20, standsIn: 8, of: 14 };
    const counts = Object.entries(countPatterns(texts));
    const risen = counts.filter(([name, count]) => count > maxima[name as EnglishPattern]);
    expect(Object.fromEntries(risen)).toEqual({});
  });

  test("browser tests press and type as users do", () => {
    const shortcut = /\.(check|uncheck|setChecked|fill)\(/;
    const broken = files
      .filter(({ path: file }) => /^test\/(product\/browser\/|support\/browser)/.test(file))
      .filter((file) => shortcut.test(file.code));
    expect(broken.map((file) => file.path)).toEqual([]);
  });

  test("deadlines of tests grow with the load of the machine", () => {
    const fixed = /^\s*\}, \d+_000\);$|\btimeout: \d/m;
    const broken = files.filter((file) => file.isTest && fixed.test(file.code));
    expect(broken.map((file) => file.path)).toEqual([]);
  });

  test("no default exports and no barrels in src", () => {
    // Its names become methods of one object.
    const methods = ["src/database/repositories.ts"];
    expect(offenders(/^export (default|\* from)/m, methods)).toEqual([]);
  });

  test("another file uses what a file of src exports", () => {
    const users = new Map<string, Set<string>>();
    for (const { path: file, code } of [...files, ...listSourceFiles(["docs-site"])])
      for (const [word] of code.matchAll(/[A-Za-z_]\w*/g))
        users.set(word, (users.get(word) ?? new Set()).add(file));
    const declaration = /^export (?:async )?(?:const|let|function\*?|type|class) (\w+)/gm;
    const unused = production.flatMap(({ path: file, code }) =>
      [...code.matchAll(declaration)]
        // Threads of the work pool call what they run by its name.
        .filter(([, name = ""]) => !code.includes(`run: ${name} }`))
        .filter(([, name = ""]) => (users.get(name)?.size ?? 0) < 2)
        .map(([, name]) => `${file}: ${name}`),
    );
    expect(unused).toEqual([]);
  });

  test("the doc comment of an exported function that throws says so with @throws", () => {
    const silent = production.flatMap((file) =>
      listFunctions(file)
        .filter(
          ({ isExported, body, doc }) => isExported && canThrow(body) && !doc.includes("@throws"),
        )
        .map(({ name, line }) => `${file.path}:${line} ${name}`),
    );
    expect(silent.slice(undocumentedThrowsMax)).toEqual([]);
  });
});

/** `takeTurn`, `Turn` and `turns` have the word "turn". */
function listNamesWith(word: string, code: string): string[] {
  const names = new Set(code.match(/[A-Za-z_$][\w$]*/g));
  const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`;
  const part = new RegExp(`(?:(?:^|_)${word}|${capital})s?(?:$|_|[A-Z\\d])`);
  return [...names].filter((name) => part.test(name));
}

/** `src/database/reviews/rollups.ts` is in `reviews`; a file beside the folders counts for itself. */
function folderOf(file: string): string {
  return file.split("/")[2] ?? "";
}

function isAllowed(file: string, target: string): boolean {
  const module = moduleOf(file);
  if (target.startsWith("node:")) return true;
  const allowed = mayImport[module] ?? [];
  if (target.startsWith("simulator/")) return mayImportSimulator.includes(module);
  if (target.startsWith("sdk/")) return mayImportSdk.includes(module);
  if (!target.startsWith("src/")) return isPackageAllowed(module, target);
  const goal = moduleOf(target);
  if (goal === module || goal === "lib" || allowed.includes("*")) return true;
  if (goal === "domain") return module !== "lib";
  return allowed.includes(goal);
}

function isPackageAllowed(module: string, target: string): boolean {
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  if (module === "domain") return name === "zod";
  return packageHomes[name]?.includes(module) ?? true;
}

function isForeign(target: string, what: string): boolean {
  if (target.startsWith("dashboard/") || (!target.includes("/src/") && !target.startsWith("src/")))
    return false;
  // The calculations and tables that the service and its pages share.
  if (
    /^src\/(domain\/(changes\/share-difference|changes\/release-periods|changes\/shown-outcome|channel\/channel-types)|features\/replies\/template-fields)\.ts$/.test(
      target,
    )
  )
    return false;
  const isContract =
    /^src\/(dashboard-api\/contract|app\/dashboard-routes|features\/[\w-]+\/contract)/.test(target);
  return !isContract || !what.startsWith("type ");
}

function offenders(pattern: RegExp, except: readonly string[]): string[] {
  return production
    .filter((file) => pattern.test(file.code) && !except.includes(file.path))
    .map((file) => file.path);
}

// Word lists in TypeScript and generated types: long by nature, read by looking things up.
function isTable(file: SourceFile): boolean {
  return file.path.endsWith("-words.ts") || file.path === "sdk/src/types.ts";
}
