// Loaded by every test file: each statement of the service that a test runs must name the keys of its tables.
// RECORD_STATEMENTS=file keeps them with their values, to run them on another kind of database.
import fs from "node:fs";
import pg from "pg";
import { afterAll } from "vitest";
import { mayLackKey } from "../../src/database/cluster/distribution.ts";
import { listUnkeyedTables } from "./statement-keys.ts";

type Statement = { name: string; text: string; values: unknown[] };

const checked = new Set<string>();
const refused: string[] = [];

// A worker logs the error and goes on: the file fails nevertheless.
afterAll(() => {
  if (refused.length > 0) throw new Error(refused.join("\n"));
});

const query = pg.Client.prototype.query;
const isPatched = Symbol.for("starpost.checkStatements");

if (!Object.hasOwn(query, isPatched)) {
  // The overloads of the driver come down to one: a statement, and what it is called with.
  const check = function (this: pg.Client, ...args: unknown[]): unknown {
    const [statement] = args;
    if (isStatement(statement)) checkOnce(statement);
    return Reflect.apply(query, this, args);
  };
  Object.defineProperty(check, isPatched, { value: true });
  Object.defineProperty(pg.Client.prototype, "query", { value: check, writable: true });
}

// The service alone names its statements. Behind a pooler their names are left out, and with them what says that
// a statement may lack its key; the same statements run with their names in other tests.
function isStatement(value: unknown): value is Statement {
  if (typeof value !== "object" || value === null || !("text" in value)) return false;
  return "name" in value && typeof value.name === "string";
}

function checkOnce({ name, text, values }: Statement): void {
  if (checked.has(text)) return;
  checked.add(text);
  const unkeyed = listUnkeyedTables(text);
  const record = process.env["RECORD_STATEMENTS"];
  if (record !== undefined) {
    fs.appendFileSync(record, `${JSON.stringify({ name, text, values, unkeyed })}\n`);
  } else if (unkeyed.length > 0 && !mayLackKey(name)) {
    const message = `the statement ${name || text} names ${unkeyed.join(", ")} without the key of database/cluster/distribution.ts`;
    refused.push(message);
    throw new Error(message);
  }
}
