// The primary loses its power in the middle of deliveries, and its synchronous standby takes over, behind the address
// that the service knows, as a proxy or a virtual address does it. Acknowledged events are delivered: nothing is lost.
// CHAOS_SCALE says how much: 12,000 deliveries at 10, a hundred in each transaction.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/database/database.ts";
import type { Channel } from "../../../src/domain/channel/channel.ts";
import type { NewDelivery } from "../../../src/domain/channel/delivery.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";
import { ensureBuilt, startServe } from "../../support/built-cli.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { createEventCollector } from "../../support/event-collector.ts";
import { aChannel, aDelivery, aWorkspace } from "../../support/factories.ts";
import { reportLosses, waitUntilDelivered } from "../../support/loss-report.ts";
import { ok, openReceiver, type Received } from "../../support/receiver.ts";
import { openServerPair } from "../../support/standby.ts";
import { waitFor } from "../../support/wait-for.ts";

// Two clusters of their own are too much for every run of the suite.
const scale = Number(process.env["CHAOS_SCALE"] ?? 0);
const batchCount = 12 * scale;
const limitMs = 300_000;
const encryptionKey = Buffer.alloc(32, 4);
const resources = new ResourceStack();
afterAll(() => resources.closeAll());

const canRun = scale > 0;
if (!canRun) {
  process.stdout.write("chaos: no standby is promoted: that needs CHAOS_SCALE\n");
}

test.skipIf(!canRun)(
  "a standby that is promoted while deliveries run loses none of them",
  async () => {
    ensureBuilt();
    const cwd = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-promotion-"));
    resources.add(() => fs.rm(cwd, { recursive: true, maxRetries: 5 }));
    const postgres = await openServerPair({ isSynchronous: true });
    resources.add(() => postgres.close());
    const proxy = await openDatabaseProxy(postgres.primaryUrl);
    resources.add(() => proxy.close());
    const connectionString = proxy.urlOf(postgres.primaryUrl);
    const database = await openDatabase({ log: silentLog, connection: { connectionString } });
    resources.add(() => database.close());
    await database.migrate();
    const receiver = await openReceiver();
    resources.add(() => receiver.close());
    const accepted = createEventCollector<Received>("accepted");
    receiver.reply((request) => {
      accepted.add(request);
      return ok;
    });
    const channels = await addChannels(database, receiver.url);
    const service = await startServe({
      cwd,
      env: {
        DATABASE_URL: connectionString,
        ENCRYPTION_KEY: encryptionKey.toString("base64"),
        PORT: "0",
        ROLES: "deliver",
        WEBHOOK_ALLOW_HTTP: "true",
        WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
        WEBHOOK_CYCLE_SECONDS: "1",
      },
    });

    const failOver = async (): Promise<void> => {
      await accepted.waitFor(batchCount * 20, limitMs);
      await postgres.killPrimary();
      proxy.cut();
      await postgres.onStandby("select pg_promote(true, 60)");
      proxy.pass(postgres.standbyUrl);
    };
    const [queued] = await Promise.all([queueBatches(database, channels), failOver()]);
    await waitUntilDelivered(database, { queued, limitMs });
    expect(await service.stop()).toBe(0);
    const toll = reportLosses("standby promoted", { queued, accepted: accepted.items });
    expect(toll.lostCount).toBe(0);
  },
  limitMs * 3,
);

async function addChannels(database: Database, url: string): Promise<Channel[]> {
  const { id: workspaceId } = await aWorkspace(database);
  const box = createSecretBox([encryptionKey]);
  const channels = Array.from({ length: 20 }, () =>
    aChannel({ workspaceId, createdAt: systemClock.now(), url }),
  );
  for (const channel of channels) {
    const encryptedSecret = box.seal("whsec_aW52ZW50ZWQ=", channel.id);
    await database.insertChannel({ ...channel, encryptedSecret });
  }
  return channels;
}

/** A hundred at a time. Returns those that were saved, whether or not the answer to that came. */
async function queueBatches(database: Database, channels: Channel[]): Promise<NewDelivery[]> {
  const queued: NewDelivery[] = [];
  for (let batch = 0; batch < batchCount; batch += 1) {
    const now = systemClock.now();
    const deliveries = channels.flatMap((channel) =>
      Array.from({ length: 5 }, () => aDelivery(channel, { now })),
    );
    try {
      await database.enqueueDeliveries({ deliveries, now });
    } catch {
      if (!(await wasSaved(database, deliveries))) continue;
    }
    queued.push(...deliveries);
    await database.notify("deliveries").catch(() => {});
  }
  return queued;
}

/** One transaction: all of them, or none. */
async function wasSaved(database: Database, deliveries: NewDelivery[]): Promise<boolean> {
  const query = { id: deliveries[0]?.id ?? "", workspaceId: null };
  const unknown = "unknown" as const;
  const found = await waitFor(
    async () => {
      const answer = await database.findDelivery(query).catch(() => unknown);
      return answer === unknown ? null : { isSaved: answer !== null };
    },
    { withinMs: limitMs, what: "the database" },
  );
  return found.isSaved;
}
