// Reads from a standby: used while it is close behind, never older than allowed, and never in the way.
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabaseProxy } from "../../test/support/database-proxy.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { patience } from "../../test/support/patience.ts";
import { openServerPair, type ServerPair } from "../../test/support/standby.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { silentLog } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type Database, openDatabase } from "./database.ts";
import { createPool } from "./pool.ts";
import { openReadReplica } from "./read-replica.ts";

// Long enough for the statements between two observations on a busy machine.
const lagMaxMs = patience(2 * secondMs);
const withinMs = 20 * secondMs;

let pair: ServerPair;
let database: Database;
let workspaceId: string;
let lines: string[];

beforeAll(async () => {
  pair = await openServerPair();
});
afterAll(() => pair.close());

const note = (_: object, message: string): void => void lines.push(message);

beforeEach(async () => {
  lines = [];
  database = await openDatabase({
    log: { ...silentLog, info: note, warn: note },
    connection: { connectionString: pair.primaryUrl },
    standby: { connections: [{ connectionString: pair.standbyUrl }], lagMaxMs },
  });
  await database.migrate();
  ({ id: workspaceId } = await aWorkspace(database));
});
afterEach(() => database.close());

type Reader = Pick<Database, "listFollowedApps">;

const countApps = async (reader: Reader = database.openReader()): Promise<number> =>
  (await reader.listFollowedApps({ workspaceId, ids: null })).length;

async function untilReadFrom(server: "standby" | "primary"): Promise<void> {
  database.openReader();
  await waitFor(() => lines.at(-1)?.startsWith(`pages are read from the ${server}`) ?? false, {
    what: `reading from the ${server}`,
    withinMs,
  });
}

/** Runs while the standby replays nothing, and lets it go on also after a failure. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await pair.onStandby("select pg_wal_replay_pause()");
  try {
    await work();
  } finally {
    await pair.onStandby("select pg_wal_replay_resume()");
  }
}

test("pages come from the standby until they would be older than allowed", async () => {
  await untilReadFrom("standby");
  await whilePaused(async () => {
    await anApp(database, { workspaceId });
    expect(await countApps()).toBe(0);
    await untilReadFrom("primary");
    expect(await countApps()).toBe(1);
  });
  await untilReadFrom("standby");
  expect(await countApps()).toBe(1);
});

test("a request that began on the primary reads nothing older from the standby", async () => {
  await untilReadFrom("standby");
  let first: Reader = database;
  await whilePaused(async () => {
    await anApp(database, { workspaceId });
    await untilReadFrom("primary");
    first = database.openReader();
  });
  await untilReadFrom("standby");
  await whilePaused(async () => {
    await anApp(database, { workspaceId });
    const later = database.openReader();
    expect([await countApps(first), await countApps(later)]).toEqual([2, 1]);
  });
});

test("of several servers the first standby that can be used is read, and after it the next", async () => {
  const readFrom: string[] = [];
  const open = (name: string, connectionString: string): pg.Pool => {
    const pool = createPool({ log: silentLog, connection: { connectionString }, name });
    const query = pool.query.bind(pool);
    pool.query = (async (...statement: unknown[]) => {
      const answer: unknown = await Reflect.apply(query, pool, statement);
      if (statement[0] === probeText) readFrom.push(name);
      return answer;
    }) as typeof pool.query;
    return pool;
  };
  const probeText = "select 1";
  const [first, next] = [
    await openDatabaseProxy(pair.standbyUrl),
    await openDatabaseProxy(pair.standbyUrl),
  ];
  const primary = open("primary", pair.primaryUrl);
  const standbys = [
    open("first", first.urlOf(pair.standbyUrl)),
    open("next", next.urlOf(pair.standbyUrl)),
  ];
  const replica = openReadReplica({
    log: silentLog,
    primary,
    standbys,
    lagMaxMs: 60 * secondMs,
  });
  const untilReadFromPool = (name: string) =>
    waitFor(
      async () => {
        await (replica.openReader() ?? primary).query(probeText);
        return readFrom.at(-1) === name;
      },
      { what: () => `a read from ${name}: ${readFrom.at(-1)} answered last`, withinMs },
    );
  await untilReadFromPool("first");
  first.cut();
  // The read that fails is answered by the primary.
  await replica.openReader()?.query(probeText);
  expect(readFrom.at(-1)).toBe("primary");
  await untilReadFromPool("next");
  first.pass();
  await untilReadFromPool("first");
  await replica.close();
  await primary.end();
  await Promise.all([first.close(), next.close()]);
});

test("a standby that goes away or takes over costs no request", async () => {
  await anApp(database, { workspaceId });
  await untilReadFrom("standby");
  const during = database.openReader();
  await pair.onStandby("select pg_promote()");
  expect(await countApps(during)).toBe(1);
  await untilReadFrom("primary");
  expect(lines.at(-1)).toBe("pages are read from the primary: the standby can't be used");
  const before = database.openReader();
  await pair.stopStandby();
  expect([await countApps(before), await countApps()]).toEqual([1, 1]);
});
