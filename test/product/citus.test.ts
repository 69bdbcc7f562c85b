// A database spread over servers: how it becomes one, and what every statement does on it.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { distribute } from "../../src/database/cluster/distribute.ts";
import {
  coordinatorTables,
  listingTables,
  mayLackKey,
  referenceTables,
  statementsOfSeveralServers,
} from "../../src/database/cluster/distribution.ts";
import { migrateDatabase } from "../../src/database/migrate.ts";
import { silentLog } from "../../src/lib/log.ts";
import { citusUrl, noCitus, openCitusDatabase } from "../support/citus.ts";
import type { TestDatabase } from "../support/database.ts";
import { readStatements, replay } from "../support/replay-statements.ts";
import { openTestContext } from "../support/test-context.ts";

// A plan of several listings asks each of their servers.
const mayBeWide = ({ name, text }: { name: string; text: string }): boolean =>
  mayLackKey(name) ||
  name in statementsOfSeveralServers ||
  /^with \w+ as materialized \(select \* from \w+ where listing_id = any/.test(text);

const counts = { shardCount: 4 };

test("a PostgreSQL without Citus is refused with what it lacks, and stays as it is", async () => {
  const context = await openTestContext();
  const { connectionString } = context;
  const target = { log: silentLog, connection: { connectionString }, ...counts, onStep: () => {} };
  await expect(distribute(target)).rejects.toThrow(/create extension citus/);
  await migrateDatabase(target);
  await context.close();
});

if (citusUrl === undefined) process.stderr.write(`test/product/citus.test.ts ${noCitus}\n`);

describe.skipIf(citusUrl === undefined)("on a Citus", () => {
  let testDatabase: TestDatabase;
  let client: pg.Client;
  const target = () => ({
    log: silentLog,
    connection: { connectionString: testDatabase.connectionString },
    ...counts,
  });
  beforeAll(async () => {
    testDatabase = await openCitusDatabase();
    await migrateDatabase(target());
    client = new pg.Client(testDatabase.connectionString);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await testDatabase.drop();
  });

  test("it is refused while a process of the service is connected", async () => {
    const service = new pg.Client({
      connectionString: testDatabase.connectionString,
      application_name: "starpost",
    });
    await service.connect();
    await expect(distribute({ ...target(), onStep: () => {} })).rejects.toThrow(
      "in use (starpost): stop every process",
    );
    await service.end();
  });

  test("interrupted at any step, no service starts, and it goes on where it was", async () => {
    const interrupted = ["workspaces", "listings", "review_versions", "translation_waits"];
    for (const name of interrupted) {
      const onStep = (sentence: string): void => {
        if (sentence.startsWith(name)) throw new Error("power cut");
      };
      await expect(distribute({ ...target(), onStep })).rejects.toThrow("power cut");
      await expect(migrateDatabase(target())).rejects.toThrow("half distributed");
    }
    await distribute({ ...target(), onStep: () => {} });
    await migrateDatabase(target());
    const again = distribute({ ...target(), onStep: () => {} });
    await expect(again).rejects.toThrow("distributed already");
  });

  test("each table is where distribution.ts says", async () => {
    const { rows } = await client.query<{ name: string; type: string; key: string }>(
      `select table_name::text as name, citus_table_type as type, distribution_column as key from citus_tables
       where citus_table_type in ('reference', 'distributed')`,
    );
    const whole = rows.filter(({ name }) => !/_(\d{8}|first|rest)$/.test(name));
    const ofType = (type: string) => whole.filter((row) => row.type === type);
    const namesOf = (type: string) => ofType(type).map(({ name }) => name);
    expect(namesOf("distributed").sort()).toEqual([...listingTables].sort());
    expect(new Set(ofType("distributed").map(({ key }) => key))).toEqual(new Set(["listing_id"]));
    expect(namesOf("reference").sort()).toEqual([...referenceTables].sort());
    const local = await client.query(
      "select logicalrelid from pg_dist_partition where logicalrelid::text = any($1)",
      [coordinatorTables],
    );
    expect(local.rows).toEqual([]);
  });

  test("foreign keys are those of a database on one server, but for what stays on the coordinator", async () => {
    const text = `select conrelid::regclass || ' ' || pg_get_constraintdef(oid) as key from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace
        and conrelid::regclass::text !~ '_[0-9]+$' and conrelid::regclass::text <> all($1) order by 1`;
    const plain = await openTestContext();
    const other = new pg.Client(plain.connectionString);
    await other.connect();
    const here = await client.query(text, [coordinatorTables]);
    expect(here.rows).toEqual((await other.query(text, [coordinatorTables])).rows);
    await other.end();
    await plain.close();
  });

  const recorded = process.env["REPLAY_STATEMENTS"];
  test.skipIf(recorded === undefined)(
    "of the recorded statements none is refused, and each with its key asks one server",
    async () => {
      const refused: string[] = [];
      const wide: string[] = [];
      for (const statement of readStatements(recorded ?? "")) {
        const { name, text } = statement;
        const replayed = await replay(client, statement);
        if (replayed === null) continue;
        const what = `${name || text}: ${replayed.refusal ?? replayed.taskCounts.join(", ")}`;
        if (replayed.refusal !== null) refused.push(what);
        else if (replayed.taskCounts.some((count) => count > 1) && !mayBeWide(statement))
          wide.push(what);
      }
      expect({ refused, wide }).toEqual({ refused: [], wide: [] });
    },
  );
});
