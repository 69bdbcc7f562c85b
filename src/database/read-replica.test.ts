// Reads from a standby: used while it is close behind, never older than allowed, and never in the way.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
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
}, 60_000);
afterAll(() => pair.close());

beforeEach(async () => {
  lines = [];
  const note = (_: object, message: string): void => void lines.push(message);
  database = await openDatabase({
    log: { ...silentLog, info: note, warn: note },
    connection: { connectionString: pair.primaryUrl },
    standby: { connection: { connectionString: pair.standbyUrl }, lagMaxMs },
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
