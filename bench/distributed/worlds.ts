// Two databases with the same rows: one on the coordinator's server alone, without Citus in it, and one that is spread over
// the servers of the Citus. Only the distribution differs between the compared worlds.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { distribute } from "../../src/database/cluster/distribute.ts";
import { type Database, type DeliveryQueue, openDatabase } from "../../src/database/database.ts";
import type { Channel } from "../../src/domain/channel/channel.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { ResourceStack } from "../../src/lib/resource-stack.ts";
import { openCitusDatabase } from "../../test/support/citus.ts";
import { urlOf } from "../../test/support/database.ts";
import { saveChannel } from "../../test/support/factories.ts";
import { growTo } from "../scale/data.ts";

export type World = {
  name: string;
  database: Database;
  queue: DeliveryQueue;
  workerId: number;
  /** With 10,000 reviews each, and one that channels of its workspace get events of. */
  apps: readonly App[];
  channels: readonly Channel[];
  ingest: ReturnType<typeof createIngest>;
};

const counts = { shardCount: 8 };
const appCount = 4;
const channelCount = 16;

export async function openWorlds(
  resources: ResourceStack,
  coordinator: string,
): Promise<{ plain: World; spread: World }> {
  const name = `starpost_bench_${randomUUID().replaceAll("-", "")}`;
  await execute(coordinator, `create database ${name}`);
  resources.add(() => execute(coordinator, `drop database ${name} with (force)`));
  const plain = urlOf(coordinator, name);
  await fill(plain);
  const spread = await openCitusDatabase();
  resources.add(() => spread.drop());
  await fill(spread.connectionString);
  const connection = { connectionString: spread.connectionString };
  await distribute({ log: silentLog, connection, ...counts, onStep: () => {} });
  return {
    plain: await openWorld(resources, { name: "one server", connectionString: plain }),
    spread: await openWorld(resources, { name: "Citus", ...connection }),
  };
}

async function fill(connectionString: string): Promise<void> {
  const database = await openDatabase({ log: silentLog, connection: { connectionString } });
  const admin = new pg.Client(connectionString);
  await admin.connect();
  try {
    await database.migrate();
    await growTo({ database, writers: [admin] }, appCount);
  } finally {
    await admin.end();
    await database.close();
  }
}

async function openWorld(
  resources: ResourceStack,
  { name, connectionString }: { name: string; connectionString: string },
): Promise<World> {
  await execute(connectionString, "vacuum analyze");
  const database = await openDatabase({ log: silentLog, connection: { connectionString } });
  resources.add(() => database.close());
  const queue = database.openDeliveryQueue();
  resources.add(() => queue.close());
  const workerId = await queue.addWorker({ leaseMs: 3_600_000 });
  const apps = await database.listApps({ workspaceId: null });
  const [first] = apps;
  if (!first) throw new Error("nothing was filled in");
  const channels: Channel[] = [];
  for (let number = 0; number < channelCount; number += 1) {
    // Reviews of this app alone are announced.
    const ofFirst = { workspaceId: first.workspaceId, apps: [first.id] };
    channels.push(await saveChannel(database, ofFirst));
  }
  const ingest = createIngest({ clock: systemClock, database });
  return { name, database, queue, workerId, apps, channels, ingest };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
