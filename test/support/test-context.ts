// The context of most tests that need PostgreSQL: a database of their own and a clock that they move.
import pg from "pg";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { silentLog } from "../../src/lib/log.ts";
import { cloneDatabase } from "./database.ts";
import { startTime } from "./factories.ts";
import { MovableClock } from "./movable-clock.ts";

export type TestContext = {
  database: Database;
  clock: MovableClock;
  connectionString: string;
  close(): Promise<void>;
};

export async function openTestContext(): Promise<TestContext> {
  const { connectionString, drop } = await cloneDatabase();
  const database = await openDatabase({ log: silentLog, connection: { connectionString } });
  return {
    database,
    connectionString,
    clock: new MovableClock(startTime),
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** Besides, one connection for what no statement of the service does: filling tables, settings, plans. */
export async function openTestContextWithClient(): Promise<TestContext & { client: pg.Client }> {
  const context = await openTestContext();
  const { connectionString } = context;
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    ...context,
    client,
    async close() {
      await client.end();
      await context.close();
    },
  };
}
