// The read API on a PostgreSQL of its own that is stopped and started under it.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manageDeps } from "../../test/support/api-test-context.ts";
import { aKey, anApp, aWorkspace, startTime } from "../../test/support/factories.ts";
import { MovableClock } from "../../test/support/movable-clock.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { openEmbeddedServer } from "../features/embedded-postgres/server.ts";
import { createRateLimits } from "../http/rate-limit.ts";
import { silentLog } from "../lib/log.ts";
import { type Api, openApi } from "./api.ts";

const endpoints = ["apps", "reviews", "ratings", "trends"];

let home: string;
let server: Awaited<ReturnType<typeof openEmbeddedServer>>;
let database: Database;
beforeAll(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-recovery-"));
  await fs.chmod(home, 0o755);
  server = await startServer();
  database = await openDatabase({ log: silentLog, connection: server.connection });
  await database.migrate();
});
afterAll(async () => {
  await database.close();
  await server.close();
  await fs.rm(home, { recursive: true });
});

function startServer(): ReturnType<typeof openEmbeddedServer> {
  const folders = { dataDir: path.join(home, "data"), sharedDir: path.join(home, "shared") };
  return openEmbeddedServer({ ...folders, log: silentLog });
}

function openOn(clock: MovableClock): Api {
  const settings = {
    corsOrigins: [],
    publicUrl: null,
    baseUrl: "",
    trustedProxies: [],
    version: "1.2.3",
  };
  const cursorKeys = [Buffer.alloc(32, 7)];
  const databaseNow = () => clock.now();
  const openRateLimit = createRateLimits({ clock, log: silentLog, database, databaseNow });
  const access = { cursorKeys, openRateLimit, manage: manageDeps() };
  return openApi({ clock, log: silentLog, database, ...access, settings });
}

test("503 while PostgreSQL is away, answers once it is back, without a restart", async () => {
  const clock = new MovableClock(startTime);
  const api = openOn(clock);
  const workspace = await aWorkspace(database);
  const app = await anApp(database, { workspaceId: workspace.id });
  const { key } = await aKey(database, workspace);
  const request = async (endpoint: string): Promise<Response> => {
    clock.advance(1_000);
    const query = endpoint === "apps" ? "" : `?app=${app.id}`;
    const headers = { authorization: `Bearer ${key}` };
    return api.request(`/api/v1/${endpoint}${query}`, { headers });
  };
  const requestAll = async (): Promise<number[]> => {
    const statuses: number[] = [];
    for (const endpoint of endpoints) statuses.push((await request(endpoint)).status);
    return statuses;
  };
  // Nothing was captured for the app: its ratings are a 404 that only the database can decide.
  expect(await requestAll()).toEqual([200, 200, 404, 200]);

  await server.close();
  expect(await requestAll()).toEqual([503, 503, 503, 503]);
  const refused = await request("apps");
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await refused.json()).toMatchObject({ code: "unavailable", retryAfter: 5 });

  server = await startServer();
  expect(await requestAll()).toEqual([200, 200, 404, 200]);
  await api.close();
});
