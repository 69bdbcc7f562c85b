// A database spread over servers: how it becomes one, and what every statement does on it.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { distribute } from "../src/database/distribute.ts";
import { keyOfTable, referenceTables } from "../src/database/distribution.ts";
import { migrateDatabase } from "../src/database/migrate.ts";
import { silentLog } from "../src/lib/log.ts";
import { citusUrl, noCitus, openCitusDatabase } from "./support/citus.ts";
import type { TestDatabase } from "./support/database.ts";

if (citusUrl === undefined) process.stderr.write(`test/citus.test.ts ${noCitus}\n`);

describe.skipIf(citusUrl === undefined)("on a Citus", () => {
  let testDatabase: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    testDatabase = await openCitusDatabase();
    const { connectionString } = testDatabase;
    const target = { log: silentLog, connection: { connectionString } };
    await migrateDatabase(target);
    client = new pg.Client(connectionString);
    await client.connect();
    const steps: string[] = [];
    await distribute({ ...target, bucketCount: 4, shardCount: 4, onStep: (s) => steps.push(s) }).catch((e) => { console.error(steps.at(-1), e); throw e; });
  });
  afterAll(async () => {
    await client.end();
    await testDatabase.drop();
  });

  test("each table is where distribution.ts says", async () => {
    const { rows } = await client.query<{ name: string; type: string; key: string }>(
      `select table_name::text as name, citus_table_type as type, distribution_column as key from citus_tables
       where citus_table_type in ('reference', 'distributed')`,
    );
    const whole = rows.filter(({ name }) => !/_(\d{8}|first|rest)$/.test(name));
    const keys = Object.fromEntries(
      whole.filter(({ type }) => type === "distributed").map(({ name, key }) => [name, key]),
    );
    expect(keys).toEqual(keyOfTable);
    const copies = whole.filter(({ type }) => type === "reference").map(({ name }) => name);
    expect(copies.sort()).toEqual([...referenceTables].sort());
  });
});
