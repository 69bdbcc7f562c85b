// Pairs of features that have no test of their own: a restore that is cut off, a change of the plan beside links and
// keys, and filters that a newer process has saved.
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../src/config/config.ts";
import { openChannelFilter } from "../src/domain/channel/channel.ts";
import { runBackup, runRestore } from "../src/features/backup/run-backup.ts";
import { openSharedLink } from "../src/features/sharing/open-link.ts";
import { linkKinds } from "../src/features/sharing/shared-link.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { setWorkspacePlan } from "./support/acts.ts";
import { type ApiTestContext, openApiTestContext } from "./support/api-test-context.ts";
import { cloneDatabase, type TestDatabase } from "./support/database.ts";
import { anApp, anOwner, aReview, saveReviews, startTime } from "./support/factories.ts";
import { createSharedLink } from "./support/link-acts.ts";

let context: ApiTestContext;
let folder: string;
let target: TestDatabase;
beforeAll(async () => {
  context = await openApiTestContext();
  target = await cloneDatabase();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-pairs-"));
});
afterAll(async () => {
  await fs.rm(folder, { recursive: true });
  await target.drop();
  await context.close();
});

test("a restore whose connection is cut leaves an empty database, and the next one does all of it", async () => {
  const app = await anApp(context.database, { workspaceId: context.workspace.id });
  await saveReviews(context.database, app, [aReview(), aReview()]);
  const client = new pg.Client(target.connectionString);
  await client.connect();
  await client.query("drop schema public cascade; create schema public");
  const depsOf = (databaseUrl: string, note: () => void = () => {}) => ({
    config: {
      ...readConfig({ envFile: "none", env: {} }),
      ...{ dataDir: path.join(folder, "none"), databaseUrl },
    },
    ...{ clock: systemClock, log: silentLog, note },
  });
  const file = path.join(folder, "backup.tar.gz");
  await runBackup(depsOf(context.connectionString), { file, withKey: false });
  let cutCount = 0;
  // From the first table on: each further one gives it time to arrive.
  const cut = () => {
    cutCount += 1;
    void client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'starpost-restore'`);
  };
  await expect(runRestore(depsOf(target.connectionString, cut), { file })).rejects.toThrow();
  expect(cutCount).toBeGreaterThan(0);
  const tables = "select from pg_class where relnamespace = 'public'::regnamespace";
  expect((await client.query(tables)).rows).toEqual([]);
  await runRestore(depsOf(target.connectionString), { file });
  expect((await client.query("select from reviews")).rows).toHaveLength(2);
  await client.end();
});

test("a smaller plan closes the read API, keeps links and feeds, and a larger one opens it again", async () => {
  const { workspace, key } = await context.addWorkspace();
  const { id } = workspace;
  const link = { workspaceId: id, viewId: null, name: "Week", query: "", frozen: null, days: 7 };
  const deps = { ...context, actor: await anOwner(context.database, id) };
  const tokens: string[] = [];
  const view = { id: randomUUID(), workspaceId: id, name: "Bad", query: "rating=1", countMax: 9 };
  await context.database.saveView({ ...view, createdAt: startTime });
  const feed = { ...link, kind: "feed", viewId: view.id, days: null } as const;
  for (const made of [feed, { ...link, kind: "overview" } as const])
    tokens.push((await createSharedLink(deps, made)).token);
  const readStatus = async () => (await context.request("/api/v1/apps", { key })).status;
  const countOpen = async () => {
    const opened = tokens.map((token) => openSharedLink(context, { token, kinds: linkKinds }));
    return (await Promise.all(opened)).filter((one) => one !== null).length;
  };
  expect([await readStatus(), await countOpen()]).toEqual([200, 2]);
  for (const [plan, status] of [
    ["starter", 403],
    ["studio", 200],
  ] as const) {
    await setWorkspacePlan(context, { id, plan });
    // Keys are cached for seconds; the notification of another process is not needed in one.
    context.clock.advance(60_000);
    expect([await readStatus(), await countOpen()]).toEqual([status, 2]);
  }
});

test("a filter that a newer version has saved matches nothing, where it is not understood", () => {
  const filter = openChannelFilter({ apps: null, stars: null, topics: null, query: "later=1" });
  expect(filter.takesApp({ id: "x", store: "appstore" })).toBe(false);
});
