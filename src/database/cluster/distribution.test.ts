// The schema and the list of exceptions keep what distribution.ts promises.

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { listSourceFiles } from "../../../test/support/source-tree.ts";
import {
  coordinatorTables,
  listingTables,
  referenceTables,
  statementsWithoutKey,
} from "./distribution.ts";

let testDatabase: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

async function list(text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text, [listingTables]);
  return rows.map(({ name }) => name).sort();
}

test("every table with a listing has its place, and those that are placed by it have it in every row", async () => {
  const withListing = (condition: string) =>
    list(
      `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
       where c.relkind in ('r', 'p') and a.attname = 'listing_id' and $1::text[] is not null ${condition}`,
    );
  const placed: readonly string[] = [...listingTables, ...coordinatorTables, ...referenceTables];
  expect((await withListing("")).filter((name) => !placed.includes(name))).toEqual([]);
  const keyed = await withListing("and a.attnotnull and c.relname = any($1)");
  expect(keyed).toEqual([...listingTables].sort());
});

test("each table is listed once, and is in the schema", async () => {
  const placed = [...listingTables, ...coordinatorTables, ...referenceTables];
  expect(new Set(placed).size).toBe(placed.length);
  const all = await list(
    "select relname::text as name from pg_class where relkind in ('r', 'p') and $1::text[] is not null",
  );
  expect(placed.filter((table) => !all.includes(table))).toEqual([]);
});

test("every unique key of these tables contains the column", async () => {
  const found = await list(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relname = any($1) and i.indisunique and not exists (
       select from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)
         and a.attname = 'listing_id'
     )`,
  );
  expect(found).toEqual([]);
});

test("nothing has a trigger of its own", async () => {
  expect(
    await list(
      "select tgname::text as name from pg_trigger where not tgisinternal and $1::text[] is not null",
    ),
  ).toEqual([]);
});

test("foreign keys to these tables come from tables with the same key, and carry it", async () => {
  const found = await list(
    `select k.conname::text as name from pg_constraint k
     join pg_class target on target.oid = k.confrelid
     where k.contype = 'f' and target.relname = any($1) and not exists (
       select from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey)
         and a.attname = 'listing_id'
     )`,
  );
  expect(found).toEqual([]);
});

test("every exception is a statement, and has its reason", () => {
  const source = listSourceFiles(["src/database"])
    .map(({ text }) => text)
    .join("\n");
  const gone = Object.keys(statementsWithoutKey).filter(
    (name) => !source.includes(`${name.replace(/\W*$/, "")}`),
  );
  expect(gone).toEqual([]);
  expect(Object.values(statementsWithoutKey).filter((reason) => reason.length < 20)).toEqual([]);
});
