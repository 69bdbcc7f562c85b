// The context of every part of the benchmark: a database of its own with fsync on, as in production, a
// receiver in another process, channels, and deliveries that wait. Everything in it is invented.
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../../src/database/database.ts";
import {
  DeliveryWorker,
  type DeliveryWorkerDeps,
} from "../../src/delivery/queue/delivery-worker.ts";
import type { DeliverySettings } from "../../src/delivery/queue/settings.ts";
import { type Channel, channelDefaults, webhookFields } from "../../src/domain/channel/channel.ts";
import type { FinishedAttempt, NewDelivery } from "../../src/domain/channel/delivery.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../src/lib/secret-box.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { composeBody } from "../../src/matching/body.ts";
import { toTestDelivery } from "../../src/matching/deliveries.ts";
import { sampleApp, sampleReview } from "../../src/matching/sample.ts";
import { openBenchDatabase } from "../database.ts";
import type { ReceiverReport } from "./receiver.ts";

export type Receiver = {
  pid: number;
  /** `host` is the last byte of a loopback address, from 1 to 6. */
  url(path: string, host?: number): string;
  /** Arrivals since the last report; `note` turns the noting of arrivals on or off. */
  report(wish?: { note?: boolean }): Promise<ReceiverReport>;
};

export type BenchWorld = {
  database: Database;
  /** For what no statement does: counting, filling by the million, looking at plans. */
  admin: pg.Client;
  receiver: Receiver;
  workspaceId: string;
  dataDir: string;
  encryptionKey: Buffer;
  addChannels(url: string, count: number): Promise<Channel[]>;
  /** A channel of Slack's kind: one message a second. */
  addSlackChannel(url: string): Promise<Channel>;
  queue(channels: readonly Channel[], count: number): Promise<NewDelivery[]>;
  /** Writes a large backlog straight into the tables; all bodies are equal. It is due at once by default. */
  fill(
    channels: readonly Channel[],
    count: number,
    due?: { dueAt?: Date; bodyBytes?: number },
  ): Promise<void>;
  /** A delivery worker as the service runs it; `onSaved` gets every outcome once it is saved. */
  startEngine(
    onSaved: (attempts: readonly FinishedAttempt[]) => void,
    settings?: Partial<DeliverySettings>,
  ): { close(): Promise<void> };
  /** Deletes all deliveries and channels. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

export async function openBenchWorld(): Promise<BenchWorld> {
  const resources = new ResourceStack();
  const { dataDir, database, admin } = await openBenchDatabase(resources);
  const receiver = await openReceiver(resources);
  const encryptionKey = randomBytes(32);
  const secrets = createSecretBox([encryptionKey]);
  const workspaceId = randomUUID();
  const now = systemClock.now();
  await database.insertWorkspace({
    id: workspaceId,
    name: "Bench",
    plan: "studio",
    createdAt: now,
  });
  async function insert(channel: Channel, secret: string): Promise<Channel> {
    await database.insertChannel({ ...channel, encryptedSecret: secrets.seal(secret, channel.id) });
    return channel;
  }
  return {
    database,
    admin,
    receiver,
    workspaceId,
    dataDir,
    encryptionKey,
    async addChannels(url, count) {
      const channels = Array.from({ length: count }, () => aChannel(workspaceId, url));
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      for (const channel of channels) await insert(channel, secret);
      return channels;
    },
    addSlackChannel: (url) => insert({ ...aChannel(workspaceId, url), type: "slack" }, url),
    queue: (channels, count) => queue(database, channels, count),
    async fill(channels, count, { dueAt = systemClock.now(), bodyBytes } = {}) {
      await fill(admin, { channels, count, dueAt, bodyBytes });
      await database.advanceQueue(channels.map(({ id }) => ({ channelId: id, dueAt })));
      await admin.query("vacuum analyze");
      // The time of writing it to disk is not measured.
      await delay(settleMs);
    },
    startEngine(onSaved, settings = {}) {
      const queue = database.openDeliveryQueue();
      const engine = new DeliveryWorker({
        clock: systemClock,
        log: silentLog,
        secrets,
        queue: watchSaved(queue, onSaved),
        settings: { ...engineSettings, ...settings },
      });
      engine.start();
      const stop = database.listen("deliveries", () => engine.wake());
      return {
        async close() {
          stop();
          await engine.close();
          await queue.close();
        },
      };
    },
    async clear() {
      await admin.query(
        "truncate deliveries, attempts, ended_deliveries, pending, channel_queue, channels, deleted_channels cascade",
      );
    },
    close: () => resources.closeAll(),
  };
}

const engineSettings = {
  version: "0.0.0",
  allowHttp: true,
  allowedCidrs: ["127.0.0.0/8"],
  moreHosts: ["127.0.0.1"],
};
const settleMs = 10_000;
const queuedAtOnce = 1_000;

async function queue(database: Database, channels: readonly Channel[], count: number) {
  const all: NewDelivery[] = [];
  while (all.length < count) {
    const now = systemClock.now();
    const size = Math.min(queuedAtOnce, count - all.length);
    const deliveries = Array.from({ length: size }, (_, index) => {
      const channel = channels[(all.length + index) % channels.length];
      if (!channel) throw new Error("there are no channels");
      return aDelivery(channel, all.length + index);
    });
    await database.enqueueDeliveries({ deliveries, now });
    all.push(...deliveries);
  }
  return all;
}

/** A message is made of an event, a webhook has its bytes. */
function bodyOf(channel: Channel): Buffer {
  if (channel.type === "webhook") return aDelivery(channel, 0).body;
  return toTestDelivery({ channel, now: systemClock.now() }, () => uuidV7(systemClock.now())).body;
}

async function fill(
  admin: pg.Client,
  fill: { channels: readonly Channel[]; count: number; dueAt: Date; bodyBytes: number | undefined },
): Promise<void> {
  const { channels, count, dueAt, bodyBytes } = fill;
  const [channel] = channels;
  if (!channel) throw new Error("there are no channels");
  const body = bodyBytes === undefined ? bodyOf(channel) : randomBytes(bodyBytes);
  await admin.query(
    `with made as (
       insert into deliveries (id, channel_id, workspace_id, event, body, is_test, created_at)
       select uuidv7(), ($1::uuid[])[1 + n % cardinality($1)], $2, 'review.created', $3, false, now()
       from generate_series(1, $4::int) n
       returning id, channel_id
     )
     insert into pending (channel_id, id, due_at, queued_at) select channel_id, id, $5, now() from made`,
    [channels.map(({ id }) => id), channel.workspaceId, body, count, dueAt],
  );
}

function aChannel(workspaceId: string, url: string): Channel {
  const createdAt = systemClock.now();
  const health = { failingSince: null, failingReason: null };
  const id = uuidV7(createdAt);
  const chosen = { ...channelDefaults, ...webhookFields, name: "Bench", url };
  return { ...chosen, id, workspaceId, createdAt, ...health };
}

/** A review of usual length, as matching composes it: about 700 bytes. */
export function aDelivery(channel: Channel, number: number): NewDelivery {
  const now = systemClock.now();
  const review = {
    ...sampleReview(now),
    text: `${number}: ${"Since the update it stops. ".repeat(12)}`,
  };
  return {
    id: uuidV7(now),
    channelId: channel.id,
    workspaceId: channel.workspaceId,
    appId: null,
    reviewId: null,
    event: "review.created",
    filterable: {
      rating: review.rating,
      topics: [],
      facts: { sentiment: null, language: null, hasReply: false },
    },
    body: composeBody({ event: "review.created", channel, app: sampleApp, review }),
    isTest: false,
  };
}

function watchSaved(
  queue: DeliveryWorkerDeps["queue"],
  onSaved: (attempts: readonly FinishedAttempt[]) => void,
): DeliveryWorkerDeps["queue"] {
  return {
    ...queue,
    async saveOutcomes(save) {
      const saved = await queue.saveOutcomes(save);
      onSaved(save.attempts.filter(({ channelId }) => saved.savedIds.includes(channelId)));
      return saved;
    },
  };
}

async function openReceiver(resources: ResourceStack): Promise<Receiver> {
  const child = fork(path.join(import.meta.dirname, "receiver.js"));
  resources.add(async () => {
    child.disconnect();
  });
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    pid: child.pid ?? 0,
    url: (at, host = 1) => `http://127.0.0.${host}:${port}${at}`,
    async report(wish = {}) {
      const answer = nextMessage<ReceiverReport>(child);
      child.send(wish);
      return answer;
    },
  };
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, "message");
  return message as T;
}
