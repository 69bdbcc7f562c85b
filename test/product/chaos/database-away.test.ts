// PostgreSQL goes away from under a service that delivers and answers, and comes back: requests get a Retry-After, no
// process ends, and everything continues by itself. CHAOS_SCALE above 1 keeps it away for a minute, and also as a link
// that died in silence.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/database/database.ts";
import type { NewDelivery } from "../../../src/domain/channel/delivery.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";
import { ensureBuilt, startServe } from "../../support/built-cli.ts";
import { cloneDatabase } from "../../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { createEventCollector } from "../../support/event-collector.ts";
import { aChannel, aDelivery, aKey, aWorkspace } from "../../support/factories.ts";
import { reportLosses, waitUntilDelivered } from "../../support/loss-report.ts";
import { ok, openReceiver, type Received } from "../../support/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const isLong = Number(process.env["CHAOS_SCALE"] ?? 1) > 1;
const awayMs = isLong ? 60_000 : 0;
const limitMs = 180_000;
const encryptionKey = Buffer.alloc(32, 5);
const resources = new ResourceStack();
let cwd: string;
let database: Database;
let proxy: DatabaseProxy;
let connectionString: string;

beforeAll(async () => {
  ensureBuilt();
  cwd = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-away-"));
  resources.add(() => fs.rm(cwd, { recursive: true, maxRetries: 5 }));
  const testDatabase = await cloneDatabase();
  resources.add(() => testDatabase.drop());
  connectionString = testDatabase.connectionString;
  database = await openDatabase({ log: silentLog, connection: { connectionString } });
  resources.add(() => database.close());
  proxy = await openDatabaseProxy(connectionString);
  resources.add(() => proxy.close());
});
afterAll(() => resources.closeAll());

test.each(isLong ? (["cut", "swallow"] as const) : (["cut"] as const))(
  "a database that is away (%s) loses nothing, and the service is there all the time",
  async (how) => {
    const receiver = await openReceiver();
    resources.add(() => receiver.close());
    const accepted = createEventCollector<Received>("accepted");
    // It takes a while, so that much is in flight when the database goes.
    receiver.reply(async (request) => {
      await delay(20);
      accepted.add(request);
      return ok;
    });
    const { key, queue } = await openWorld(receiver.url);
    const queued = await queue(300);
    const service = await startServe({
      cwd,
      env: {
        DATABASE_URL: proxy.urlOf(connectionString),
        ENCRYPTION_KEY: encryptionKey.toString("base64"),
        PORT: "0",
        ROLES: "api,deliver",
        WEBHOOK_ALLOW_HTTP: "true",
        WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
      },
    });
    const get = async (route: string): Promise<Response> => {
      const headers = { authorization: `Bearer ${key}` };
      return fetch(`${service.url}${route}`, { headers, signal: AbortSignal.timeout(90_000) });
    };
    await accepted.waitFor(50, limitMs);
    proxy[how]();
    const refused = await get("/api/v1/reviews");
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await get("/readyz")).status).toBe(503);
    expect((await get("/healthz")).status).toBe(200);
    // Writes of others while this service can't see them.
    queued.push(...(await queue(100)));
    await delay(awayMs);
    expect((await get("/healthz")).status).toBe(200);
    proxy.pass();
    await waitFor(async () => (await get("/readyz")).status === 200, {
      withinMs: limitMs,
      what: "the database",
    });
    expect((await get("/api/v1/reviews")).status).toBe(200);
    await waitUntilDelivered(database, { queued, limitMs });
    expect(await service.stop()).toBe(0);
    const toll = reportLosses(`database away: ${how}`, { queued, accepted: accepted.items });
    expect(toll.lostCount).toBe(0);
  },
  limitMs * 3,
);

/** A workspace with a key, and ten channels that deliveries can be queued for. */
async function openWorld(url: string) {
  const workspace = await aWorkspace(database);
  const box = createSecretBox([encryptionKey]);
  const { key } = await aKey(database, workspace);
  const channels = Array.from({ length: 10 }, () =>
    aChannel({ workspaceId: workspace.id, createdAt: systemClock.now(), url }),
  );
  for (const channel of channels) {
    const encryptedSecret = box.seal("whsec_aW52ZW50ZWQ=", channel.id);
    await database.insertChannel({ ...channel, encryptedSecret });
  }
  const queue = async (count: number): Promise<NewDelivery[]> => {
    const now = systemClock.now();
    const deliveries = channels.flatMap((channel) =>
      Array.from({ length: count / channels.length }, () => aDelivery(channel, { now })),
    );
    await database.enqueueDeliveries({ deliveries, now });
    return deliveries;
  };
  return { key, queue };
}
