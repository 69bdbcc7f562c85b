// Where the rounds of faults happen: the built service on a PostgreSQL that can be killed, a store that is simulated,
// and an endpoint whose ledger says what came. The test itself goes on working while parts of it are gone.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { openSimulator } from "../../../simulator/simulator.ts";
import { StoreState } from "../../../simulator/store-state.ts";
import { openDatabase } from "../../../src/database/database.ts";
import type { Channel } from "../../../src/domain/channel/channel.ts";
import { AppError } from "../../../src/domain/error.ts";
import { openEmbeddedServer } from "../../../src/features/embedded-postgres/server.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { classifySqlError } from "../../../src/lib/postgres/sql-errors.ts";
import type { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";
import { ensureBuilt, type RunningService, startServe } from "../../support/built-cli.ts";
import { aChannel, aWorkspace } from "../../support/factories.ts";
import { ok, openReceiver } from "../../support/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";
import { createLedger } from "./rounds-ledger.ts";

export type World = Awaited<ReturnType<typeof openWorld>>;

export const patienceMs = 120_000;
const encryptionKey = Buffer.alloc(32, 9);

export async function openWorld(resources: ResourceStack) {
  ensureBuilt();
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-rounds-"));
  resources.add(() => fs.rm(home, { recursive: true, maxRetries: 5 }));
  await fs.chmod(home, 0o755);
  const dataDir = path.join(home, "data");
  const server = await openEmbeddedServer({
    ...{ dataDir, sharedDir: path.join(home, "shared"), log: silentLog },
  });
  resources.add(() => server.close());
  const database = await openDatabase({ log: silentLog, connection: server.connection });
  resources.add(() => database.close());
  await database.migrate();
  const storeState = new StoreState(systemClock);
  const simulator = await openSimulator({ clock: systemClock, storeState });
  resources.add(() => simulator.close());
  const ledger = createLedger();
  const receiver = await openReceiver();
  resources.add(() => receiver.close());
  receiver.reply(({ path: hook, headers, body }) => {
    const { review } = JSON.parse(body.toString());
    ledger.note(hook, review?.id ?? headers["x-service-delivery"]);
    return ok;
  });

  const { user, password, host, port, database: name } = server.connection;
  const urlOf = (databaseName: string): string => {
    const url = new URL(`postgresql://${user}:${password}@localhost:${port}/${databaseName}`);
    url.searchParams.set("host", String(host));
    return url.href;
  };
  const env = {
    DATABASE_URL: urlOf(String(name)),
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    PORT: "0",
    ROLES: "collect,deliver",
    COLLECT_REQUESTS_PER_SECOND: "1000",
    ITUNES_BASE_URL: simulator.url,
    APPLE_APPS_BASE_URL: simulator.url,
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
    WEBHOOK_TIMEOUT_MS: "1000",
    WEBHOOK_CYCLE_SECONDS: "1",
  };
  // The database may be on its way up again.
  const start = (): Promise<RunningService> =>
    waitFor(() => startServe({ cwd: home, env }).catch(() => null), {
      withinMs: patienceMs,
      what: "the start of the service",
    });
  const world = {
    ...{ home, dataDir, database, storeState, simulator, ledger, urlOf },
    run: { cwd: home, env },
    service: await start(),
    async restart(): Promise<void> {
      // Expires the leases of a killed process, as half a minute would.
      await world.query("update feeds set leased_until = now() where lease_token is not null");
      world.service = await start();
    },
    /** Again and again while the database is away: only for what may be done twice. */
    persist: <T>(work: () => Promise<T>): Promise<T> => persist(work),
    query: (statement: string, values: unknown[] = [], databaseName = String(name)) =>
      persist(() => queryOnce(urlOf(databaseName), statement, values)),
    async addWorkspace(hook: string): Promise<{ workspaceId: string; channel: Channel }> {
      const { id: workspaceId } = await aWorkspace(database);
      const url = `http://127.0.0.1:${receiver.port}${hook}`;
      const channel = aChannel({ workspaceId, createdAt: systemClock.now(), url });
      const encryptedSecret = createSecretBox([encryptionKey]).seal("whsec_aW4=", channel.id);
      await database.insertChannel({ ...channel, encryptedSecret });
      return { workspaceId, channel };
    },
  };
  resources.add(async () => {
    await world.service.stop("SIGKILL");
  });
  return world;
}

async function persist<T>(work: () => Promise<T>): Promise<T> {
  const found = await waitFor(
    async () => {
      try {
        return { value: await work() };
      } catch (error) {
        if (isAway(error)) return null;
        throw error;
      }
    },
    { withinMs: patienceMs, what: "the database" },
  );
  return found.value;
}

function isAway(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "unavailable";
  return classifySqlError(error) === "unavailable";
}

async function queryOnce(url: string, statement: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that is killed is reported by the query, too.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
