// All repositories and read models end up in one object: a name that two of them export would be lost.
import fs from "node:fs/promises";
import { expect, test } from "vitest";
import { silentLog } from "../lib/log.ts";
import { openDatabase } from "./database.ts";

// What only other modules of database/ use: parts of statements, rows of a table.
const isInternal = (file: string) =>
  /(-sql|-row|buckets|[a-z]+-values|delivery-filter|merged-pages|review-topics|facet-days|topic-rollups|\.test)\.ts$/.test(
    file,
  );

async function exportedNames(): Promise<{ file: string; name: string }[]> {
  const found: { file: string; name: string }[] = [];
  for (const folder of ["repositories", "read-models", "delivery"]) {
    for (const file of await fs.readdir(new URL(`./${folder}/`, import.meta.url))) {
      if (isInternal(file)) continue;
      const module: object = await import(/* @vite-ignore */ `./${folder}/${file}`);
      for (const name of Object.keys(module)) found.push({ file: `${folder}/${file}`, name });
    }
  }
  return found;
}

test("no two repositories or read models export one name", async () => {
  const all = await exportedNames();
  const repeated = all.filter(({ name }) => all.filter((one) => one.name === name).length > 1);
  expect(repeated).toEqual([]);
});

test("everything that they export is a method of the database, and shadows none of its own", async () => {
  const database = await openDatabase({ log: silentLog, connection: {} });
  const names = (await exportedNames()).map(({ name }) => name);
  const own = [
    "transaction",
    "migrate",
    "isMigrated",
    "holdSingleServiceLock",
    "openDeliveryQueue",
    "openReader",
    "connectionCounts",
    "notify",
    "listen",
  ];
  expect(Object.keys(database).sort()).toEqual([...names, ...own, "close"].sort());
  await database.close();
});

test("every column alias of the SQL is a name that the code uses", async () => {
  const used = new Set<string>();
  const aliases = new Set<string>();
  const root = new URL("../", import.meta.url);
  for (const name of await fs.readdir(root, { recursive: true })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const text = await fs.readFile(new URL(name, root), "utf8");
    for (const [, word = ""] of withoutText(text).matchAll(/(\w+)/g)) used.add(word);
    if (!name.startsWith("database/")) continue;
    for (const [, alias = ""] of text.matchAll(/ as "([a-z]+[A-Z]\w*)"/g)) aliases.add(alias);
  }
  expect([...aliases].filter((alias) => !used.has(alias))).toEqual([]);
});

/** The code without its comments and its texts, so that an alias does not count as its own use. */
function withoutText(code: string): string {
  return code
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\/\/[^\n]*/g, "")
    .replace(/`[^`]*`/g, "")
    .replace(/"[^"\n]*"/g, "");
}
