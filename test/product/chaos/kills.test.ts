// Real SIGKILLs of the built service and of PostgreSQL while deliveries are on the wire, cut connections
// and endpoints that fail in every way. CHAOS_SCALE=20 makes it twenty times as much, and runs all of it.
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/database/database.ts";
import type { NewDelivery } from "../../../src/domain/channel/delivery.ts";
import { openEmbeddedServer } from "../../../src/features/embedded-postgres/server.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";
import { uuidV7 } from "../../../src/lib/uuid.ts";
import { ensureBuilt, type RunningService, startServe } from "../../support/built-cli.ts";
import { createEventCollector, type EventCollector } from "../../support/event-collector.ts";
import { aChannel, aDelivery, aKey, aWorkspace } from "../../support/factories.ts";
import { reportLosses, waitUntilDelivered } from "../../support/loss-report.ts";
import { type Connection, queryRows, readPostmasterPid } from "../../support/process-sandbox.ts";
import {
  ok,
  openReceiver,
  type Received,
  type Receiver,
  type Reply,
} from "../../support/receiver.ts";

const scale = Number(process.env["CHAOS_SCALE"] ?? 1);
const limitMs = 150_000 * scale;
const key = randomBytes(32);
const resources = new ResourceStack();
let cwd: string;
let dataDir: string;
let databaseUrl: string;
let connection: Connection;
let database: Database;
let receiver: Receiver;
let accepted: EventCollector<Received>;

beforeAll(async () => {
  ensureBuilt();
  cwd = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-chaos-"));
  resources.add(() => fs.rm(cwd, { recursive: true, maxRetries: 5 }));
  // The account that root lets PostgreSQL run as must get through.
  await fs.chmod(cwd, 0o755);
  dataDir = path.join(cwd, "data");
  const sharedDir = path.join(cwd, "shared");
  // fsync is on, as in production, and a server that was killed is started again.
  const server = await openEmbeddedServer({ dataDir, sharedDir, log: silentLog });
  resources.add(() => server.close());
  connection = server.connection;
  const { user, password, host, port, database: name } = connection;
  const url = new URL(`postgresql://${user}:${password}@localhost:${port}/${name}`);
  url.searchParams.set("host", String(host));
  databaseUrl = url.href;
  database = await openDatabase({ log: silentLog, connection: server.connection });
  resources.add(() => database.close());
  await database.migrate();
  receiver = await openReceiver();
  resources.add(() => receiver.close());
});
afterAll(() => resources.closeAll());

beforeEach(() => {
  accepted = createEventCollector("accepted");
  receiver.reply((request) => {
    accepted.add(request);
    return ok;
  });
});

function start(roles = "deliver"): Promise<RunningService> {
  const env = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: key.toString("base64"),
    PORT: "0",
    ROLES: roles,
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
    // Leases follow it: what a killed process held is free again after a few seconds.
    WEBHOOK_TIMEOUT_MS: "1000",
    WEBHOOK_CYCLE_SECONDS: "1",
  };
  return startServe({ cwd, env });
}

async function queue(channelCount: number, perChannel: number): Promise<NewDelivery[]> {
  const now = systemClock.now();
  const workspaceId = uuidV7(now);
  await database.insertWorkspace({
    id: workspaceId,
    name: "Chaos",
    plan: "studio",
    createdAt: now,
  });
  const box = createSecretBox([key]);
  const all: NewDelivery[] = [];
  for (let index = 0; index < channelCount; index += 1) {
    const channel = aChannel({ workspaceId, createdAt: now, url: receiver.url });
    const encryptedSecret = box.seal("whsec_aW52ZW50ZWQ=", channel.id);
    await database.insertChannel({ ...channel, encryptedSecret });
    const deliveries = Array.from({ length: perChannel }, () =>
      aDelivery(channel, { now: systemClock.now() }),
    );
    await database.enqueueDeliveries({ deliveries, now });
    all.push(...deliveries);
  }
  return all;
}

test(
  "of two services on one database one after the other is killed, and nothing is lost",
  async () => {
    const queued = await queue(10, 60 * scale);
    let services = await Promise.all([start(), start()]);
    for (let kill = 1; kill <= 2 * scale; kill += 1) {
      await accepted.waitFor((kill * queued.length) / (3 * scale), limitMs);
      const [victim, ...others] = services;
      await victim?.stop("SIGKILL");
      services = [...others, await start()];
    }
    await waitUntilDelivered(database, { queued, limitMs });
    for (const service of services) expect(await service.stop()).toBe(0);
    const toll = reportLosses("services killed", { queued, accepted: accepted.items });
    expect(toll.lostCount).toBe(0);
  },
  limitMs,
);

// The rest takes too long for every run of the suite.
test.skipIf(scale === 1)(
  "of two of each role one is killed: nothing is lost, and requests are counted on",
  async () => {
    const pages = await Promise.all([start("api,dashboard"), start("api,dashboard")]);
    const workers = await Promise.all([start("collect,deliver"), start("collect,deliver")]);
    const { key: apiKey } = await aKey(database, await aWorkspace(database));
    const readApps40 = async ({ url }: RunningService): Promise<number[]> => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const get = async () => (await fetch(`${url}/api/v1/apps`, { headers })).status;
      return Promise.all(Array.from({ length: 40 }, get));
    };
    const [page, otherPage] = pages;
    const [worker, otherWorker] = workers;
    if (!page || !otherPage || !worker || !otherWorker) throw new Error("two of each are started");
    const queued = await queue(10, 60 * scale);
    await accepted.waitFor(queued.length / 3, limitMs);
    await worker.stop("SIGKILL");
    const statuses = await readApps40(page);
    await page.stop("SIGKILL");
    statuses.push(...(await readApps40(otherPage)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    await waitUntilDelivered(database, { queued, limitMs });
    for (const service of [otherPage, otherWorker]) expect(await service.stop()).toBe(0);
    const toll = reportLosses("one of each role killed", { queued, accepted: accepted.items });
    expect(toll.lostCount).toBe(0);
  },
  limitMs,
);

test(
  "a PostgreSQL killed under the service loses nothing",
  async () => {
    const queued = await queue(10, 40 * scale);
    const service = await start();
    await accepted.waitFor(queued.length / 4, limitMs);
    const pid = await readPostmasterPid(dataDir);
    expect(pid).not.toBeNull();
    process.kill(pid ?? 0, "SIGKILL");
    await waitUntilDelivered(database, { queued, limitMs });
    expect(await service.stop()).toBe(0);
    const toll = reportLosses("PostgreSQL killed", { queued, accepted: accepted.items });
    expect(toll.lostCount).toBe(0);
  },
  limitMs,
);

test.skipIf(scale === 1)(
  "connections of the database that are cut again and again lose nothing",
  async () => {
    const queued = await queue(10, 40 * scale);
    const service = await start();
    for (let cut = 1; cut <= 5 * scale; cut += 1) {
      await accepted.waitFor((cut * queued.length) / (6 * scale), limitMs);
      await queryRows(
        connection,
        `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = current_user and pid <> pg_backend_pid()`,
      );
    }
    await waitUntilDelivered(database, { queued, limitMs });
    expect(await service.stop()).toBe(0);
    const toll = reportLosses("connections cut", { queued, accepted: accepted.items });
    expect(toll.lostCount).toBe(0);
  },
  limitMs,
);

test.skipIf(scale === 1)(
  "endpoints that fail in every way, and the storm of retries after it, lose nothing",
  async () => {
    const queued = await queue(10, 12 * scale);
    const failures: Reply[] = [
      { kind: "status", status: 500 },
      { kind: "reset" },
      { kind: "status", status: 301, headers: { location: "/elsewhere" } },
      { kind: "garbage" },
      { kind: "status", status: 429, headers: { "retry-after": "1" } },
      { kind: "hang" },
    ];
    let failureCount = 0;
    receiver.reply((request) => {
      const failure = failures[failureCount % failures.length];
      if (failureCount < queued.length && failure) {
        failureCount += 1;
        return failure;
      }
      accepted.add(request);
      // Delivered, whatever becomes of the body.
      return accepted.items.length % 10 === 0 ? { kind: "reset", afterStatus: 200 } : ok;
    });
    const service = await start();
    await waitUntilDelivered(database, { queued, limitMs });
    expect(await service.stop()).toBe(0);
    const toll = reportLosses("endpoints failed", { queued, accepted: accepted.items });
    expect(toll).toMatchObject({ lostCount: 0, duplicateCount: 0 });
  },
  limitMs,
);
