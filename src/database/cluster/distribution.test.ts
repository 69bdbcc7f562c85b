// The schema and the list of exceptions keep what distribution.ts promises.

import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { startTime } from "../../../test/support/factories.ts";
import { listSourceFiles } from "../../../test/support/source-tree.ts";
import { bucketDigits, toDeliveryId } from "../../domain/delivery.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { createBuckets } from "../cluster/buckets.ts";
import { keyOfTable, statementsWithoutKey } from "./distribution.ts";

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

const tables = Object.keys(keyOfTable);

async function list(text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text, [tables]);
  return rows.map(({ name }) => name).sort();
}

test("every table with a key column is placed by it, and only those are", async () => {
  const found = await list(
    `select c.relname::text || '.' || a.attname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relname = any($1) and a.attname in ('listing_id', 'bucket') and a.attnotnull`,
  );
  const placed = Object.entries(keyOfTable).map(([table, key]) => `${table}.${key}`);
  expect(found).toEqual(placed.sort());
});

test("every unique key of these tables contains the column", async () => {
  const found = await list(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relname = any($1) and i.indisunique and not exists (
       select from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)
         and a.attname in ('listing_id', 'bucket')
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
         and a.attname in ('listing_id', 'bucket')
     )`,
  );
  expect(found).toEqual([]);
});

test("the id of a delivery says in which bucket its channel is", () => {
  const channelId = randomUUID();
  const id = toDeliveryId(uuidV7(startTime), channelId);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  const buckets = createBuckets({ bucketCount: 32 });
  expect(buckets.of(id)).toBe(buckets.of(channelId));
  expect(id.slice(-bucketDigits)).toBe(channelId.slice(-bucketDigits));
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
