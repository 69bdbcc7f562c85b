// The service with a standby to read from: pages may be a moment old, keys never are.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { PrimaryServers } from "../../src/lib/postgres/primary-client.ts";
import { readServerUrls } from "../../src/lib/postgres/server-urls.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { ensurePrivateListing } from "../../src/use-cases/apps/private-listing.ts";
import { createKey, createWorkspace, revokeKey } from "../support/acts.ts";
import { anApp, aReview, saveReviews } from "../support/factories.ts";
import { openServerPair, type ServerPair } from "../support/standby.ts";
import { waitFor } from "../support/wait-for.ts";

const withinMs = 20_000;

let pair: ServerPair;
const resources = new ResourceStack();
beforeAll(async () => {
  pair = await openServerPair();
  resources.add(() => pair.close());
});
afterAll(() => resources.closeAll());

test("pages come from the standby, and a revoked key stays revoked however far that is behind", async () => {
  const lines: string[] = [];
  const note = (_: object, message: string): void => void lines.push(message);
  const config = readConfig({
    envFile: "none",
    env: {
      DATABASE_URL: pair.primaryUrl,
      DATABASE_READ_URL: pair.standbyUrl,
      DATABASE_READ_LAG_SECONDS: "300",
      DATA_DIR: "/nowhere",
      ENCRYPTION_KEY: "00".repeat(32),
      PORT: "0",
      ROLES: "api",
    },
  });
  const service = await startService({ config, log: { ...silentLog, info: note, warn: note } });
  resources.add(() => service.close());
  const deps = { ...service.deps, actor: "test" };
  const { database } = service.deps;
  const { id: workspaceId } = await createWorkspace(deps, { name: "Reef", plan: "studio" });
  const { id: keyId, key } = await createKey(deps, { workspaceId, name: "test" });
  const app = await anApp(database, { workspaceId });
  await saveReviews(database, app, [aReview()]);
  const get = async (query: string) => {
    const response = await fetch(`${service.url}/api/v1/reviews?app=${app.id}${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: response.status, body: (await response.json()) as { reviews?: unknown[] } };
  };
  const countReviews = async (query = ""): Promise<number | undefined> =>
    (await get(query)).body.reviews?.length;

  expect(await countReviews()).toBe(1);
  await waitFor(() => lines.includes("pages are read from the standby"), {
    what: "the standby",
    withinMs,
  });
  await pair.onStandby("select pg_wal_replay_pause()");
  await saveReviews(database, app, [aReview()]);
  expect(await countReviews()).toBe(1);
  // Clients that keep a copy read from the primary.
  expect(await countReviews("&updatedSince=2020-01-01T00:00:00Z")).toBe(2);
  await revokeKey(deps, { id: keyId, workspaceId });
  await waitFor(async () => (await get("")).status === 401, { what: "a revoked key", withinMs });
  expect((await get("")).status).toBe(401);
  await pair.onStandby("select pg_wal_replay_resume()");
});

test("a copy by updatedSince gets an import that moved the app, and no storefront of others, from a standby behind", async () => {
  const config = readConfig({
    envFile: "none",
    env: {
      DATABASE_URL: pair.primaryUrl,
      DATABASE_READ_URL: pair.standbyUrl,
      DATABASE_READ_LAG_SECONDS: "300",
      DATA_DIR: "/nowhere",
      ENCRYPTION_KEY: "00".repeat(32),
      PORT: "0",
      ROLES: "api",
    },
  });
  const lines: string[] = [];
  const note = (_: object, message: string): void => void lines.push(message);
  const service = await startService({ config, log: { ...silentLog, info: note, warn: note } });
  resources.add(() => service.close());
  const own = { ...service.deps, actor: "test" };
  const { clock, database } = service.deps;
  const { id: workspaceId } = await createWorkspace(own, { name: "Reef", plan: "studio" });
  const { key } = await createKey(own, { workspaceId, name: "test" });
  const { id: otherId } = await createWorkspace(own, { name: "Tide", plan: "studio" });
  const externalAppId = "77123";
  const app = await anApp(database, { workspaceId, externalAppId, countries: ["us"] });
  const other = await anApp(database, { workspaceId: otherId, externalAppId, countries: ["us"] });
  await saveReviews(database, app, [aReview({ country: "us", text: "From us" })]);
  const read = async (query = "&updatedSince=2020-01-01T00:00:00Z"): Promise<string[]> => {
    const path = `/api/v1/reviews?app=${app.id}${query}`;
    const response = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { reviews } = (await response.json()) as { reviews: { text: string }[] };
    return reviews.map(({ text }) => text).sort();
  };
  const isOnStandby = async (): Promise<boolean> =>
    (await read("")).length === 1 && lines.includes("pages are read from the standby");
  await waitFor(isOnStandby, { what: "the standby", withinMs });
  expect(await read()).toEqual(["From us"]);
  await pair.onStandby("select pg_wal_replay_pause()");
  // The other workspace begins to follow a storefront; the standby still has the listing with one.
  const countries = ["us", "jp"];
  await database.updateApp({
    ...{ id: other.id, workspaceId: otherId, name: undefined, countries, languages: ["en"] },
  });
  await saveReviews(database, app, [aReview({ country: "jp", text: "From jp" })]);
  expect(await read()).toEqual(["From us"]);
  // The first import gives the workspace a listing of its own, of which the standby knows nothing.
  const { id: listingId } = await ensurePrivateListing({ clock, database }, app.id);
  await saveReviews(database, { ...app, listingId }, [aReview({ text: "Imported" })]);
  expect(await read()).toEqual(["From us", "Imported"]);
  expect(await read("")).not.toContain("Imported");
  await pair.onStandby("select pg_wal_replay_resume()");
});

test("a standby as DATABASE_URL is refused for work that writes, and is not ready", async () => {
  const [connection = {}] = readServerUrls(pair.standbyUrl).servers;
  const database = await openDatabase({ log: silentLog, connection });
  resources.add(() => database.close());
  await database.requireMigrated();
  // One after the other: a check that is refused while another is awaited has no handler yet.
  for (const check of [database.requireUsable, database.requireWritable])
    await expect(check()).rejects.toThrow("this server is a standby");
});

test("of several servers the one that can be written to is used, also after another was promoted", async () => {
  const urls = [pair.standbyUrl, pair.primaryUrl];
  const servers = new PrimaryServers(urls.flatMap((url) => readServerUrls(url).servers));
  const connection = { connectionString: pair.standbyUrl, servers };
  const database = await openDatabase({ log: silentLog, connection });
  resources.add(() => database.close());
  const heard: string[] = [];
  database.listen("feeds", (payload) => void heard.push(payload));
  const { id } = await createWorkspace({ ...deps(database) }, { name: "One", plan: "starter" });
  await waitFor(() => heard.includes(""), { what: "the connection for notifications", withinMs });

  const old = new pg.Client(pair.primaryUrl);
  await old.connect();
  const { rows } = await old.query(
    "select pg_current_wal_lsn() as position, current_database() as name",
  );
  const [{ position, name }] = rows;
  await pair.onStandby(
    `do $$ begin while pg_last_wal_replay_lsn() < '${position}' loop perform pg_sleep(0.01); end loop; end $$`,
  );
  await pair.onStandby("select pg_promote()");
  // A former primary that came back as a standby: it refuses writes, and its connections are gone.
  await old.query(`alter database "${name}" set default_transaction_read_only = on`);
  await old.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = $1",
    [name],
  );
  await old.end();

  const write = () =>
    createWorkspace({ ...deps(database) }, { name: "Two", plan: "starter" }).catch((error) => {
      expect(error).toMatchObject({ code: "unavailable" });
      return null;
    });
  const second = await waitFor(write, { what: "the new primary", withinMs });
  const promoted = new pg.Client(pair.standbyUrl);
  await promoted.connect();
  const found = await promoted.query("select id from workspaces where id = any($1)", [
    [id, second.id],
  ]);
  expect(found.rows).toHaveLength(2);
  await promoted.end();
  await waitFor(() => database.notify("feeds", "news").then(() => heard.includes("news")), {
    what: "notifications of the new primary",
    withinMs,
  });
});

const deps = (database: Database) => ({ database, clock: systemClock, actor: "test" });
