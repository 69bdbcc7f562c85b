// Deleting and changing channels while much waits for them and their deliveries are in flight: others are not
// held up, nothing dies of a deadlock, and what can't be saved is not forgotten.
import { beforeEach, describe, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import { createGate, type Gate } from "../../../test/support/gate.ts";
import { ok, type Receiver } from "../../../test/support/receiver.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import { silentLog } from "../../lib/log.ts";
import { createSteadyClock } from "../../lib/steady-clock.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { runMaintenance } from "./maintenance.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

async function isAnybodyWaiting(): Promise<boolean> {
  const waiting = await world.admin(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'relation'`,
  );
  return waiting.length > 0;
}

describe("deleting a channel with a backlog", () => {
  test("touches none of it, and it goes afterwards", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const queued = await world.queue(channel, 2_500);
    const announcements = queued.map((one) => ({ ...one, reviewId: one.id }));
    await world.database.announce({ announcements, now: world.clock.now() });
    // Deletions don't wait for deliveries that another transaction has locked.
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

  test("holds up no outcome of another channel, however long it takes", async () => {
    const { channel: gone } = await world.addChannel({ url: receiver.url });
    const { channel } = await world.addChannel({ url: receiver.url });
    const [deleting, committing] = [createGate(), createGate()];
    // Outcomes of both come in one batch, while the deletion is under way.
    receiver.reply(async () => {
      await deleting.opened;
      return ok;
    });
    await world.queue(gone, 4);
    await world.queue(channel, 4);
    const engine = world.run();
    await receiver.waitFor(8);
    const deleted = world.database.transaction(async (tx) => {
      await tx.deleteChannel(gone.id);
      deleting.open();
      await committing.opened;
    });
    const saved = await engine.outcomes.waitFor(4);
    expect(saved.every(({ channelId }) => channelId === channel.id)).toBe(true);
    committing.open();
    await deleted;
  });

  test("that crosses the outcomes of its deliveries forgets none of another channel", async () => {
    const { channel: gone } = await world.addChannel({ url: receiver.url });
    const { channel } = await world.addChannel({ url: receiver.url });
    const gates = new Map<string, Gate>();
    receiver.reply(async ({ headers }) => {
      await gates.get(headers["x-service-delivery"] ?? "")?.opened;
      return ok;
    });
    const queued = [];
    for (const owner of [gone, gone, gone, channel]) {
      queued.push(...(await world.queue(owner)));
      // Ids of later milliseconds are greater, so every order that a plan may choose is this one.
      world.clock.advance(1);
    }
    for (const { id } of queued) gates.set(id, createGate());
    const engine = world.run();
    await receiver.waitFor(4);
    const [first, middle, last, other] = queued.map(({ id }) => id);
    const lock = await world.lockPendingOf(gone.id, middle);
    const deleted = world.database.deleteChannel(gone.id);
    // If it takes the first delivery, it now waits for the second, and will want the last.
    await Promise.race([deleted, waitFor(isAnybodyWaiting, { withinMs: 10_000, what: "a lock" })]);
    for (const id of [last, first, other]) gates.get(id ?? "")?.open();
    await waitFor(async () => engine.outcomes.items.length > 0 || (await isAnybodyWaiting()), {
      withinMs: 10_000,
      what: "outcomes",
    });
    await lock.end();
    expect(await deleted).toBe(true);
    await engine.outcomes.waitFor(1);
    expect(engine.outcomes.items.map(({ deliveryId }) => deliveryId)).toContain(other);
    gates.get(middle ?? "")?.open();
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
  const clockThatSees = async (offMs: number) => {
    const time = await world.database.readTime();
    const clock = createSteadyClock(time);
    clock.observe(new Date(time.getTime() + offMs));
    return clock;
  };
  const clocks = [await clockThatSees(0), await clockThatSees(30 * secondMs)];
  const held = createGate();
  receiver.reply(async () => {
    await held.opened;
    return ok;
  });
  const channels = [];
  for (let index = 0; index < 20; index += 1) {
    channels.push((await world.addChannel({ url: receiver.url })).channel);
  }
  for (const channel of channels) await world.queue(channel, 10);
  const engines = clocks.map((clock) => world.run({ clock }));
  await receiver.waitFor(80);
  for (const engine of engines) engine.wake();
  held.open();
  await receiver.waitFor(200);
  await Promise.all(engines.map((engine) => engine.close()));
  const ids = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
  expect(new Set(ids).size).toBe(200);
  expect(ids).toHaveLength(200);
});
