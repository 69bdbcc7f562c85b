// A database with channels and deliveries in it, and engines over it whose saved outcomes a test can
// wait for. Everything in it is invented.
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../src/database/database.ts";
import {
  DeliveryWorker,
  type DeliveryWorkerDeps,
} from "../../src/delivery/queue/delivery-worker.ts";
import type { Channel } from "../../src/domain/channel/channel.ts";
import type { FinishedAttempt, NewDelivery } from "../../src/domain/channel/delivery.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createSecretBox } from "../../src/lib/secret-box.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { createEventCollector, type EventCollector } from "./event-collector.ts";
import { aChannel, aDelivery } from "./factories.ts";
import { MovableClock } from "./movable-clock.ts";
import { patience } from "./patience.ts";
import { openReceiver } from "./receiver.ts";

export type ChannelWorld = Awaited<ReturnType<typeof openChannelWorld>>;

/** @param existing a database that is migrated and empty; a clone of the run's by default */
export async function openChannelWorld(existing?: TestDatabase) {
  const testDatabase = existing ?? (await cloneDatabase());
  const database = await openDatabase({ log: silentLog, connection: testDatabase });
  const clock = new MovableClock(new Date("2026-03-02T12:00:00Z"));
  const secrets = createSecretBox([randomBytes(32)]);
  const workspaceId = randomUUID();
  const now = clock.now();
  await database.insertWorkspace({
    id: workspaceId,
    name: "Invented",
    plan: "studio",
    createdAt: now,
  });
  // An error in a worker's log is a bug: close() throws then.
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (...facts: unknown[]) => errors.push(facts) };
  const engines: { close(): Promise<void> }[] = [];
  const closers: (() => Promise<void>)[] = [];

  return {
    /** For what no statement does: breaking things on purpose. */
    connectionString: testDatabase.connectionString,
    database,
    clock,
    secrets,
    workspaceId,
    /** The secret of a chat service is its URL or token. */
    async addChannel({
      secret = newSecret(),
      ...overrides
    }: Partial<Channel> & { url: string; secret?: string }) {
      const channel = aChannel({ workspaceId, createdAt: clock.now(), ...overrides });
      await database.insertChannel({
        ...channel,
        encryptedSecret: secrets.seal(secret, channel.id),
      });
      return { channel, secret };
    },
    /** Gives a channel another secret, and returns it. */
    async rotate(channel: Channel, oldEndsAt: Date | null = null) {
      const secret = newSecret();
      await database.setChannelSecret({
        id: channel.id,
        encryptedSecret: secrets.seal(secret, channel.id),
        oldEndsAt,
      });
      return secret;
    },
    async queue(channel: Channel, count = 1, overrides: Partial<NewDelivery> = {}) {
      const deliveries = Array.from({ length: count }, () =>
        aDelivery(channel, { now: clock.now(), ...overrides }),
      );
      await database.enqueueDeliveries({ deliveries, now: clock.now() });
      return deliveries;
    },
    /** An engine that runs until the world closes. */
    run(more: Partial<DeliveryWorkerDeps> & { timeoutMs?: number } = {}) {
      const { timeoutMs = patience(5_000), settings, ...parts } = more;
      const connections = database.openDeliveryQueue();
      const watched = watchOutcomes(parts.queue ?? connections);
      const worker = new DeliveryWorker({
        clock,
        secrets,
        log,
        settings: {
          version: "9.9.9",
          allowHttp: true,
          allowedCidrs: ["127.0.0.1/32"],
          moreHosts: ["127.0.0.1"],
          timeoutMs,
          ...settings,
        },
        ...parts,
        queue: watched.queue,
      });
      let closing: Promise<void> | null = null;
      const engine = {
        ...watched,
        connections,
        wake: () => worker.wake(),
        close() {
          closing ??= worker.close().then(() => connections.close());
          return closing;
        },
      };
      engines.push(engine);
      worker.start();
      return engine;
    },
    admin: (statement: string) => runStatement(testDatabase, statement),
    /** Another transaction changes the channel's row of the queue, until it ends. */
    lockQueueOf: (channelId: string) =>
      lockRows(testDatabase, { table: "channel_queue", channelId }),
    /** Another transaction has locked the pending rows of the channel, or one of them, until it ends. */
    lockPendingOf: (channelId: string, id?: string) =>
      lockRows(testDatabase, { table: "pending", channelId, ...(id ? { id } : {}) }),
    onClose(close: () => Promise<void>) {
      closers.push(close);
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()));
      for (const close of closers) await close();
      await database.close();
      await testDatabase.drop();
      if (errors.length > 0)
        throw new Error(`a delivery worker logged errors: ${JSON.stringify(errors)}`);
    },
  };
}

async function lockRows(
  connection: pg.ClientConfig,
  rows: { table: "channel_queue" | "pending"; channelId: string; id?: string },
): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("begin");
  const { table, channelId, id } = rows;
  const where = `channel_id = $1${id ? " and id = $2" : ""}`;
  const values = [channelId, ...(id ? [id] : [])];
  await client.query(`select from ${table} where ${where} for update`, values);
  return client;
}

async function runStatement(connection: pg.ClientConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Tells of every outcome that was saved, and of every channel that was dropped. */
function watchOutcomes(queue: DeliveryWorkerDeps["queue"]) {
  const outcomes: EventCollector<FinishedAttempt> = createEventCollector("outcomes");
  const drops: EventCollector<string> = createEventCollector("drops");
  const watched: DeliveryWorkerDeps["queue"] = {
    ...queue,
    async saveOutcomes(save) {
      const saved = await queue.saveOutcomes(save);
      for (const attempt of save.attempts) {
        if (saved.savedIds.includes(attempt.channelId)) outcomes.add(attempt);
      }
      return saved;
    },
    async transaction(work) {
      const dropped: string[] = [];
      const result = await queue.transaction((tx) =>
        work({
          ...tx,
          async deleteGoneChannel(gone) {
            const isDropped = await tx.deleteGoneChannel(gone);
            if (isDropped) dropped.push(gone.channelId);
            return isDropped;
          },
        }),
      );
      for (const channelId of dropped) drops.add(channelId);
      return result;
    },
  };
  return { queue: watched, outcomes, drops };
}

/** With a receiver for what it sends. */
export async function openChannelWorldWithReceiver() {
  const world = await openChannelWorld();
  const receiver = await openReceiver();
  const close = async (): Promise<void> => {
    await receiver.close();
    await world.close();
  };
  return { world, receiver, close };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
