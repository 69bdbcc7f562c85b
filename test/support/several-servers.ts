// Databases that are used like several servers: one that takes itself for a coordinator, which every run of the tests has,
// and a Citus.
import pg from "pg";
import { citusUrl, openSpreadDatabase } from "./citus.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";

/** A database that is open has read it before. */
export const beCoordinator = "update distribution set is_distributed = true";

/** For `describe.each`. */
export const severalServers = [
  { place: "one server that works like a coordinator", open: openCoordinator, isSkipped: false },
  { place: "a Citus", open: openSpreadDatabase, isSkipped: citusUrl === undefined },
];

async function openCoordinator(): Promise<TestDatabase> {
  const testDatabase = await cloneDatabase();
  const client = new pg.Client(testDatabase);
  await client.connect();
  await client.query(beCoordinator);
  await client.end();
  return testDatabase;
}
