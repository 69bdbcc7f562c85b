// Statements that wait for a lock hold no connection meanwhile, in any pool: one workspace must not stop the others by its locks.
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aKey, anOwner, aWorkspace } from "../../test/support/factories.ts";
import { createGate } from "../../test/support/gate.ts";
import { openTestContextWithClient, type TestContext } from "../../test/support/test-context.ts";
import { createApiKeyUsage } from "../api/api-key-usage.ts";
import { monotonicMs } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import type { Database } from "./database.ts";
import { lockMsMax } from "./pool.ts";

let context: TestContext & { client: pg.Client };
let workspaceId: string;
let otherId: string;
beforeAll(async () => {
  context = await openTestContextWithClient();
  workspaceId = (await aWorkspace(context.database)).id;
  otherId = (await aWorkspace(context.database)).id;
});
afterAll(() => context.close());

const lock = (database: Database, id: string): Promise<boolean> =>
  database.transaction((tx) => tx.lockWorkspace(id));

/** Holds the row of the workspace until `end`. */
async function hold(): Promise<() => Promise<unknown>> {
  await context.client.query("begin");
  await context.client.query("select from workspaces where id = $1 for update", [workspaceId]);
  return () => context.client.query("rollback");
}

test("a change on the connections of keys and limits is refused soon", async () => {
  const end = await hold();
  const control = context.database.control();
  const waiting = Array.from({ length: 9 }, () =>
    expect(lock(control, workspaceId)).rejects.toMatchObject({
      ...{ code: "rate_limited", retryAfterSeconds: 1 },
    }),
  );
  await Promise.all(waiting);
  expect(await lock(control, otherId)).toBe(true);
  await end();
  expect(await lock(control, workspaceId)).toBe(true);
});

test.each(["requests", "work"] as const)(
  "thirty changes that wait let others pass on the connections of %s, and are made in the end",
  async (kind) => {
    const { database } = context;
    const own = (id: string) => (kind === "work" ? database : database.forWorkspace(id));
    const end = await hold();
    const waiting = Array.from({ length: 30 }, () => lock(own(workspaceId), workspaceId));
    // Longer than a statement waits, so that all connections were taken once.
    await new Promise((resolve) => setTimeout(resolve, 2 * lockMsMax));
    for (let count = 0; count < 5; count += 1) expect(await lock(own(otherId), otherId)).toBe(true);
    await end();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
  },
);

test("a change of a workspace that gets no lock for five seconds is refused", async () => {
  const end = await hold();
  const startedMs = monotonicMs();
  await expect(lock(context.database.forWorkspace(workspaceId), workspaceId)).rejects.toMatchObject(
    { code: "rate_limited", retryAfterSeconds: 1 },
  );
  expect(monotonicMs() - startedMs).toBeGreaterThan(4_900);
  await end();
});

test("fifty workspaces of one owner take half of the connections, from the first moment on", async () => {
  const { database } = context;
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => (await aWorkspace(database)).id),
  );
  const [first = ""] = ids;
  const userId = await anOwner(database, first);
  const member = { userId, role: "owner" as const, joinedAt: context.clock.now() };
  for (const id of ids.slice(1)) await database.insertMember({ ...member, workspaceId: id });
  const gate = createGate();
  let heldCount = 0;
  const all = ids.map((id) =>
    database.forWorkspace(id).transaction(async () => {
      heldCount += 1;
      await gate.opened;
    }),
  );
  while (heldCount < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let count = 0; count < 5; count += 1) {
    expect(await lock(database.forWorkspace(otherId), otherId)).toBe(true);
  }
  expect(heldCount).toBe(5);
  gate.open();
  await Promise.all(all);
});

test("the use of keys is counted beside one that is being changed, and for it later", async () => {
  const { database, client } = context;
  const keys = await Promise.all([workspaceId, otherId].map((id) => aKey(database, { id })));
  const [held = "", other = ""] = keys.map(({ id }) => id);
  const usage = createApiKeyUsage({ ...context, log: silentLog, database: database.control() });
  await client.query("begin");
  await client.query("select from api_keys where id = $1 for update", [held]);
  for (const keyId of [held, other, held]) usage.record({ keyId, address: "192.0.2.1" });
  await usage.flush();
  const counts = async () => {
    const of = async (id: string) =>
      (await database.listApiKeyUsage({ workspaceId: id, from: "2026-01-01" }))[0]?.requestCount;
    return [await of(workspaceId), await of(otherId)];
  };
  expect(await counts()).toEqual([undefined, 1]);
  await client.query("rollback");
  await usage.flush();
  expect(await counts()).toEqual([2, 1]);
});
