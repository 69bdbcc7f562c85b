// Deleting and changing channels while much waits for them and their deliveries are in flight: others are not
// held up, nothing dies of a deadlock, and what can't be saved is not forgotten.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../test/support/channel-world.ts";
import { openReceiver, type Receiver } from "../../test/support/receiver.ts";
import type { Channel } from "../domain/channel.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import { openDatabaseClock } from "./database-clock.ts";
import { runMaintenance } from "./maintenance.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  world = await openChannelWorld();
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  await world.close();
});

describe("deleting a channel with a backlog", () => {
  test("touches none of it, and it goes afterwards", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const queued = await world.queue(channel, 2_500);
    const pairs = queued.map(({ id }) => ({ channelId: channel.id, reviewId: id }));
    await world.database.insertChannelReviews(pairs);
    // Nobody who deletes waits for a delivery that somebody else has locked.
    const lock = await world.lockPendingOf(channel.id);
    expect(await world.database.deleteChannel(channel.id)).toBe(true);
    await lock.end();
    expect(await world.database.findDelivery({ id: queued[0]?.id ?? "", workspaceId: null })).toBe(
      null,
    );
    const queue = world.database.openDeliveryQueue();
    const { signal } = new AbortController();
    const deps = { clock: world.clock, log: silentLog, queue, signal };
    await runMaintenance(deps, { retentionDays: 30 });
    await queue.close();
    const [left] = await world.admin(
      `select (select count(*) from pending) + (select count(*) from deliveries)
         + (select count(*) from channel_reviews) + (select count(*) from deleted_channels) as count`,
    );
    expect(left).toEqual({ count: "0" });
  });

  test("holds up no outcome of another channel", async () => {
    const { channel: gone } = await world.addChannel({ url: receiver.url });
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(gone, 20);
    const engine = world.run();
    await engine.outcomes.waitFor(20);
    // As a deletion does that is not committed yet.
    const deleting = await world.lockQueueOf(gone.id);
    await world.queue(channel, 5);
    engine.wake();
    const saved = await engine.outcomes.waitFor(25);
    expect(saved.slice(20).every(({ channelId }) => channelId === channel.id)).toBe(true);
    await deleting.end();
  });
});

test("edits, redeliveries, deletions and outcomes at once die of no deadlock", async () => {
  const channels: Channel[] = [];
  for (let index = 0; index < 4; index += 1) {
    channels.push((await world.addChannel({ url: receiver.url })).channel);
  }
  const engines = [world.run(), world.run()];
  const now = world.clock.now();
  const change = async (round: number): Promise<void> => {
    for (const channel of channels) {
      const queued = await world.queue(channel, 20);
      for (const engine of engines) engine.wake();
      await Promise.all([
        world.database.cancelDeliveries({ channelId: channel.id, now }),
        world.database.redeliver({ id: queued[0]?.id ?? "", workspaceId: null, now }),
        world.database.redeliver({ expiredOfChannelId: channel.id, workspaceId: null, now }),
        world.rotate(channel),
        round === 5 ? world.database.deleteChannel(channel.id) : null,
      ]);
    }
  };
  for (let round = 0; round <= 5; round += 1) await change(round);
  const [{ deadlocks } = { deadlocks: "" }] = (await world.admin(
    "select deadlocks from pg_stat_database where datname = current_database()",
  )) as { deadlocks: string }[];
  expect(deadlocks).toBe("0");
});

test.each([
  ["a deadlock", "40P01", 0],
  ["something that never works", "22021", 1],
])("outcomes that met %s are saved all the same", async (_, code, errorCount) => {
  const { channel } = await world.addChannel({ url: receiver.url });
  await world.queue(channel, 10);
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  let failuresLeft = 1;
  let logged = 0;
  const engine = world.run({
    queue: {
      ...queue,
      async saveOutcomes(save) {
        if (failuresLeft > 0) {
          failuresLeft -= 1;
          throw Object.assign(new Error("on purpose"), { code });
        }
        return queue.saveOutcomes(save);
      },
    },
    log: {
      ...silentLog,
      error() {
        logged += 1;
      },
    },
  });
  await engine.outcomes.waitFor(10);
  await engine.close();
  expect(receiver.requests).toHaveLength(10);
  expect(logged).toBe(errorCount);
});

test("two processes whose clocks are 30 s apart send nothing twice", async () => {
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  const clockThatIsOff = async (offMs: number) => {
    const own = { now: () => new Date(systemClock.now().getTime() + offMs) };
    const readTime = () => queue.readDatabaseTime();
    const clock = await openDatabaseClock({ clock: own, log: silentLog, readTime });
    world.onClose(async () => clock.close());
    return clock;
  };
  const clocks = [await clockThatIsOff(0), await clockThatIsOff(30_000)];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.reply(async () => {
    await held;
    return { kind: "status", status: 200 };
  });
  const channels = [];
  for (let index = 0; index < 20; index += 1) {
    channels.push((await world.addChannel({ url: receiver.url })).channel);
  }
  for (const channel of channels) await world.queue(channel, 10);
  const engines = clocks.map((clock) => world.run({ clock }));
  await receiver.waitFor(80);
  for (const engine of engines) engine.wake();
  release();
  await receiver.waitFor(200);
  await Promise.all(engines.map((engine) => engine.close()));
  const ids = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
  expect(new Set(ids).size).toBe(200);
  expect(ids).toHaveLength(200);
});
