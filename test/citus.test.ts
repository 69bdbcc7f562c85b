// A database spread over servers: how it becomes one, and what every statement does on it.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { distribute } from "../src/database/cluster/distribute.ts";
import {
  coordinatorTables,
  keyOfTable,
  mayLackKey,
  referenceTables,
  statementsOfSeveralServers,
} from "../src/database/cluster/distribution.ts";
import { migrateDatabase } from "../src/database/migrate.ts";
import { bucketDigits } from "../src/domain/delivery.ts";
import { silentLog } from "../src/lib/log.ts";
import { citusUrl, noCitus, openCitusDatabase } from "./support/citus.ts";
import type { TestDatabase } from "./support/database.ts";
import { readStatements, replay } from "./support/replay-statements.ts";
import { openTestContext } from "./support/test-context.ts";

// A plan of several listings asks each of their servers.
const mayBeWide = ({ name, text }: { name: string; text: string }): boolean =>
  mayLackKey(name) ||
  name in statementsOfSeveralServers ||
  /^with \w+ as materialized \(select \* from \w+ where listing_id = any/.test(text);

const counts = { bucketCount: 4, shardCount: 4 };

test("a PostgreSQL without Citus is refused with what it lacks, and stays as it is", async () => {
  const context = await openTestContext();
  const { connectionString } = context;
  const target = { log: silentLog, connection: { connectionString }, ...counts, onStep: () => {} };
  await expect(distribute(target)).rejects.toThrow(/create extension citus/);
  await migrateDatabase(target);
  await context.close();
});

if (citusUrl === undefined) process.stderr.write(`test/citus.test.ts ${noCitus}\n`);

describe.skipIf(citusUrl === undefined)("on a Citus", () => {
  let testDatabase: TestDatabase;
  let client: pg.Client;
  const target = () => ({
    log: silentLog,
    connection: { connectionString: testDatabase.connectionString },
    ...counts,
  });
  const bucketed = [
    ["pending", "channel_id, id, due_at, queued_at", "now(), now()"],
    [
      "ended_deliveries",
      "channel_id, id, status, finished_at, attempt_count",
      "'expired', now(), 1",
    ],
    ["attempts", "delivery_id, number, started_at, duration_ms", "1, now(), 1"],
  ] as const;
  const channels = Array.from({ length: 8 }, () => randomUUID());
  beforeAll(async () => {
    testDatabase = await openCitusDatabase();
    await migrateDatabase(target());
    client = new pg.Client(testDatabase.connectionString);
    await client.connect();
    for (const [table, columns, values] of bucketed) {
      const ids = table === "attempts" ? "id" : "id, id";
      await client.query(
        `insert into ${table} (${columns}) select ${ids}, ${values} from unnest($1::uuid[]) id`,
        [channels],
      );
    }
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
    const interrupted = ["Rows of ended_deliveries", "listings", "review_versions", "pending: by"];
    for (const name of interrupted) {
      const onStep = (sentence: string): void => {
        if (sentence.startsWith(name)) throw new Error("power cut");
      };
      await expect(distribute({ ...target(), onStep })).rejects.toThrow("power cut");
      await expect(migrateDatabase(target())).rejects.toThrow("half distributed");
    }
    const other = distribute({ ...target(), bucketCount: 5, onStep: () => {} });
    await expect(other).rejects.toThrow("begun with 4 buckets");
    await distribute({ ...target(), onStep: () => {} });
    await migrateDatabase(target());
    const again = distribute({ ...target(), onStep: () => {} });
    await expect(again).rejects.toThrow("distributed already, with 4 buckets");
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
    const moved = Object.entries(keyOfTable).filter(
      ([table]) => !coordinatorTables.includes(table),
    );
    expect(keys).toEqual(Object.fromEntries(moved));
    const copies = whole.filter(({ type }) => type === "reference").map(({ name }) => name);
    expect(copies.sort()).toEqual([...referenceTables].sort());
  });

  test("every row is in the bucket where the code looks for it", async () => {
    for (const [table, columns] of bucketed) {
      const id = columns.split(",")[0];
      const { rows } = await client.query<{ id: string; bucket: number }>(
        `select ${id} as id, bucket from ${table}`,
      );
      expect(rows).toHaveLength(channels.length);
      for (const row of rows) {
        expect(row.bucket).toBe(Number.parseInt(row.id.slice(-bucketDigits), 16) % 4);
      }
    }
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
