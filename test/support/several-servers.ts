// Databases that are put as several servers need it: on one server, which every run of the tests has, and on a Citus.
import pg from "pg";
import { setBucketCount } from "./buckets.ts";
import { citusUrl, openSpreadDatabase } from "./citus.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";

/** For `describe.each`. */
export const severalServers = [
  { place: "four buckets of one server", open: openBuckets, isSkipped: false },
  { place: "a Citus", open: openSpreadDatabase, isSkipped: citusUrl === undefined },
];

async function openBuckets(): Promise<TestDatabase> {
  const testDatabase = await cloneDatabase();
  const client = new pg.Client(testDatabase);
  await client.connect();
  await setBucketCount(client, 4);
  await client.end();
  return testDatabase;
}
