// What most tests that need PostgreSQL run in: a database of their own and a clock that they move.
import { type Database, openDatabase } from "../../src/database/database.ts";
import { MovableClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { cloneDatabase } from "./database.ts";
import { startTime } from "./factories.ts";

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
