// All repositories end up in one object.
import fs from "node:fs/promises";
import { expect, test } from "vitest";
import { silentLog } from "../lib/log.ts";
import { openDatabase } from "./database.ts";

const areas = ["accounts", "collecting", "delivery", "enrichment", "platform", "reviews"];

// Statements that only other files of database/ run.
const internalStatements = ["saveHealths"];

/** Exported functions whose first parameter is a connection. */
async function listStatements(): Promise<string[]> {
  const found: string[] = [];
  for (const area of areas) {
    for (const file of await fs.readdir(new URL(`./${area}/`, import.meta.url))) {
      if (!/^[\w-]+\.ts$/.test(file)) continue;
      const text = await fs.readFile(new URL(`./${area}/${file}`, import.meta.url), "utf8");
      const functions = text.matchAll(
        /^export (?:async )?function (\w+)(?:<[^(]*>)?\(\s*db: Db\b/gm,
      );
      for (const [, name = ""] of functions) {
        if (!internalStatements.includes(name)) found.push(name);
      }
    }
  }
  return found;
}

test("every statement that they export is a method of the database, and shadows none of its own", async () => {
  const database = await openDatabase({ log: silentLog, connection: {} });
  const names = await listStatements();
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => !(name in database))).toEqual([]);
  const own = [
    "transaction",
    "migrate",
    "isMigrated",
    "openDeliveryQueue",
    "openReader",
    "connectionCounts",
    "notify",
    "listen",
    "close",
  ];
  expect(own.filter((name) => names.includes(name))).toEqual([]);
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
