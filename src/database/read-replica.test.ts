// Reads from a standby: used while it is close behind, never older than allowed, and never in the way.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabaseProxy } from "../../test/support/database-proxy.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { openServerPair, type ServerPair } from "../../test/support/standby.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { silentLog } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type Database, openDatabase } from "./database.ts";

const lagMaxMs = secondMs;
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

async function untilReadFrom(server: "standby" | "primary", by = database): Promise<void> {
  by.openReader();
  await waitFor(() => lines.at(-1)?.startsWith(`pages are read from the ${server}`) ?? false, {
    what: `reading from the ${server}`,
    withinMs,
  });
}

test("pages come from the standby until they would be older than allowed", async () => {
  await untilReadFrom("standby");
  await pair.onStandby("select pg_wal_replay_pause()");
  await anApp(database, { workspaceId });
  expect(await countApps()).toBe(0);
  await untilReadFrom("primary");
  expect(await countApps()).toBe(1);
  await pair.onStandby("select pg_wal_replay_resume()");
  await untilReadFrom("standby");
  expect(await countApps()).toBe(1);
});

test("a request that began on the primary reads nothing older from the standby", async () => {
  const first = database.openReader();
  await untilReadFrom("standby");
  await pair.onStandby("select pg_wal_replay_pause()");
  await anApp(database, { workspaceId });
  const later = database.openReader();
  expect([await countApps(first), await countApps(later)]).toEqual([1, 0]);
  await pair.onStandby("select pg_wal_replay_resume()");
});

test("of several servers the first standby that can be used is read, and after it the next", async () => {
  const [first, next] = [
    await openDatabaseProxy(pair.standbyUrl),
    await openDatabaseProxy(pair.standbyUrl),
  ];
  next.cut();
  const urls = [pair.primaryUrl, first.urlOf(pair.standbyUrl), next.urlOf(pair.standbyUrl)];
  const connections = urls.map((connectionString) => ({ connectionString }));
  const several = await openDatabase({
    log: { ...silentLog, info: note, warn: note },
    connection: { connectionString: pair.primaryUrl },
    standby: { connections, lagMaxMs: 60 * secondMs },
  });
  await untilReadFrom("standby", several);
  await pair.onStandby("select pg_wal_replay_pause()");
  await anApp(database, { workspaceId });
  expect(await countApps(several.openReader())).toBe(0);
  next.pass();
  first.cut();
  // The read that fails is answered by the primary.
  expect(await countApps(several.openReader())).toBe(1);
  await waitFor(async () => (await countApps(several.openReader())) === 0, {
    what: "reading from the next standby",
    withinMs,
  });
  await pair.onStandby("select pg_wal_replay_resume()");
  await several.close();
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
