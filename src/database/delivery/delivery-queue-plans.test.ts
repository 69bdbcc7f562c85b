// The delivery queue is empty one moment and long the next: plans that were made for an empty one must read no more
// than what they are asked about when it is long, because they are kept, and so must those of a long one.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { noLimits } from "../../../test/support/claims.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { queuePlans } from "../database.ts";
import type { Db } from "../query.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { releaseChannels } from "./leases.ts";
import { saveOutcomes } from "./outcomes.ts";
import { deleteRemains } from "./retention.ts";

const workerId = 1;
const statements = {
  claiming: (db: Db) =>
    claimDeliveries(db, {
      ...noLimits,
      workerId,
      now: now(),
      held: [{ channelId, countMax: 4, busyIds: [deliveryId] }],
      answeringMax: 0,
      failingMax: 0,
    }),
  saving: (db: Db) =>
    saveOutcomes(db, { workerId, attempts: [attempt()], healths: [], now: now() }),
  "giving back": (db: Db) => releaseChannels(db, { workerId, channelIds: [channelId] }),
  taking: (db: Db) =>
    claimDeliveries(db, {
      ...noLimits,
      workerId,
      now: now(),
      answeringMax: 1,
      failingMax: 1,
      perChannelMax: 2,
    }),
  // The last, because it takes the channel out of the queue.
  "deleting what a deleted channel left": (db: Db) =>
    deleteRemains(onlyNamed(db, "deleteRemains"), { channelId, limit: 5 }),
};

/** Leaves out what follows the statement that is looked at. */
function onlyNamed(db: Db, name: string): Db {
  const query = (statement: { name: string }) =>
    statement.name === name ? Reflect.apply(db.query, db, [statement]) : { rows: [] };
  // Implements the one form of query that statements use.
  return { query } as unknown as Db;
}

let world: ChannelWorld;
let client: pg.Client;
let reader: ReturnType<typeof openPlanReader>;
let channelId = lowestUuid;
let deliveryId = lowestUuid;

beforeAll(async () => {
  world = await openChannelWorld();
  client = new pg.Client(world.connectionString);
  await client.connect();
  await client.query(queuePlans);
  reader = openPlanReader(client, { keepsPlans: true });
  for (const run of Object.values(statements)) await run(reader.db);
  for (let index = 0; index < 40; index += 1) {
    const { channel } = await world.addChannel({ url: "https://hooks.example.com/in" });
    const [first] = await world.queue(channel, 50);
    channelId = channel.id;
    deliveryId = first?.id ?? "";
  }
  await world.admin(`update channel_queue set lease_owner = ${workerId}`);
});
afterAll(async () => {
  await client.end();
  await world.close();
});

const now = (): Date => world.clock.now();
const attempt = () => ({
  deliveryId,
  channelId,
  event: "review.created" as const,
  number: 1,
  startedAt: now(),
  durationMs: 5,
  status: 200,
  reason: null,
  answer: null,
  isTimeout: false,
  outcome: { kind: "delivered" as const },
});

const names = Object.keys(statements) as (keyof typeof statements)[];

// Each statement changes the queue that the next one reads.
describe("a queue, one statement after the other", { shuffle: false }, () => {
  test.each(names)("%s reads what it is asked about, by a plan of an empty queue", async (what) => {
    await statements[what](reader.db);
    expect(reader.readCount()).toBeGreaterThan(0);
    expect(reader.readCount()).toBeLessThan(50);
  });

  test("taking and claiming read what they are asked about, by plans of many channels that did well", async () => {
    await client.query("update channel_queue set lease_owner = $1", [workerId]);
    await client.query(
      `with made as (
       insert into channels
       select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
       from channels c cross join generate_series(1, 250)
       returning id, host
     )
     insert into channel_queue (channel_id, next_due_at, is_failing, host)
     select id, $1, false, host from made`,
      [new Date(now().getTime() + 60_000)],
    );
    await client.query("analyze channel_queue, channel_health, channel_old_secrets");
    for (const what of ["taking", "claiming"] as const) await statements[what](reader.db);
    await client.query(`insert into channel_health (channel_id, failing_since, timeout_count)
    select channel_id, now(), 1 from channel_queue`);
    await client.query(`insert into channel_old_secrets (id, encrypted_secret, key_id, ends_at)
    select id, encrypted_secret, key_id, 'infinity' from channels`);
    for (const what of ["taking", "claiming"] as const) {
      await statements[what](reader.db);
      expect(reader.readCount()).toBeGreaterThan(0);
      expect(reader.readCount()).toBeLessThan(50);
    }
  });

  describe("by a plan of a long queue, most of it of one channel", () => {
    // So little memory makes of 20,000 rows what a million are for a usual server.
    beforeAll(async () => {
      await client.query("set work_mem = '64kB'");
      await client.query(
        `insert into pending (channel_id, id, due_at, queued_at)
       select $1, gen_random_uuid(), $2, $2 from generate_series(1, 20000)`,
        [channelId, now()],
      );
      await client.query("analyze pending");
    });

    test.each(names)("%s reads what it is asked about", async (what) => {
      await statements[what](reader.db);
      expect(reader.readCount()).toBeLessThan(50);
    });
  });
});
