// Who delivers for a channel and until when, what is read of it, and what becomes of it: on a real database.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { claim, finish } from "../../../test/support/claims.ts";
import type { DeliveryQueue } from "../database.ts";

let world: ChannelWorld;
let queue: DeliveryQueue;
beforeEach(async () => {
  world = await openChannelWorld();
  queue = world.database.openDeliveryQueue();
});
afterEach(async () => {
  await queue.close();
  await world.close();
});

const url = "https://hooks.example.com/in";
const find = (id = "") => world.database.findDelivery({ id, workspaceId: world.workspaceId });
const limits = { answeringMax: 64, failingMax: 32, fullHosts: [], firstMax: 0 };
const lease = (workerId: number, more: Partial<typeof limits> = {}) =>
  queue.leaseChannels({ workerId, now: world.clock.now(), ...limits, ...more });

async function openWorker(leaseMs = 60_000) {
  const session = await queue.openSession({ leaseMs });
  world.onClose(() => session.close());
  return session;
}

describe("a lease", () => {
  test("of a channel is held by one worker at a time, until it is given back", async () => {
    const [one, other] = [await openWorker(), await openWorker()];
    const { channel } = await world.addChannel({ url });
    await world.queue(channel, 2);
    expect(await lease(one.workerId)).toMatchObject([{ channelId: channel.id, version: 1, url }]);
    expect(await lease(other.workerId)).toEqual([]);
    await world.queue(channel);
    expect(await lease(other.workerId)).toEqual([]);
    // The holder hears of what is new.
    expect(await lease(one.workerId)).toHaveLength(1);
    const back = { workerId: one.workerId, channelIds: [channel.id] };
    expect(await queue.releaseChannels(back)).toEqual([channel.id]);
    expect(await lease(other.workerId)).toHaveLength(1);
  });

  test("ends with the session of its worker: whoever is seen without one can be removed", async () => {
    const alive = await openWorker();
    await world.admin(
      "insert into delivery_workers (leased_until) values (now() + interval '1 hour')",
    );
    const killed = alive.workerId + 1;
    const { channel } = await world.addChannel({ url });
    await world.queue(channel);
    await lease(killed);
    expect(await queue.listSilentWorkers()).toEqual([{ id: killed, isOver: false }]);
    expect(await queue.removeSilentWorkers({ ids: [alive.workerId, killed] })).toBe(1);
    expect(await queue.freeAbandonedChannels(world.clock.now())).toBe(1);
    expect(await lease(alive.workerId)).toHaveLength(1);
    expect(await queue.renewWorker({ workerId: alive.workerId, leaseMs: 1_000 })).toBe(true);
  });

  test("ends with the clock of the database for a worker that stands still", async () => {
    const frozen = await openWorker(-1);
    const { channel } = await world.addChannel({ url });
    const queued = await world.queue(channel);
    await lease(frozen.workerId);
    expect(await queue.listSilentWorkers()).toEqual([{ id: frozen.workerId, isOver: true }]);
    expect(await queue.removeSilentWorkers({ ids: [frozen.workerId] })).toBe(1);
    expect(await queue.freeAbandonedChannels(world.clock.now())).toBe(1);
    expect(await queue.renewWorker({ workerId: frozen.workerId, leaseMs: 1_000 })).toBe(false);
    const claimed = await claim(world);
    expect(claimed.map(({ id }) => id)).toEqual(queued.map(({ id }) => id));
    // What the frozen one still says counts no more.
    const late = { workerId: frozen.workerId };
    expect(await finish(world, claimed, { kind: "delivered" }, late)).toEqual([]);
    expect(await find(queued[0]?.id)).toMatchObject({ status: "pending", attempts: [] });
    expect(await finish(world, claimed, { kind: "delivered" })).toEqual([queued[0]?.id]);
  });

  test("is taken of those that have waited longest, and of failing ones no more than their lane", async () => {
    const worker = await openWorker();
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      const { channel } = await world.addChannel({ url });
      await world.queue(channel, 5);
      world.clock.advance(1_000);
      ids.push(channel.id);
    }
    const turns = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const [taken] = await lease(worker.workerId, { answeringMax: 1, failingMax: 0 });
      turns.push(taken?.channelId);
    }
    expect(turns).toEqual(ids);
    expect(await lease(worker.workerId, { failingMax: 0 })).toEqual([]);
  });

  test("whose answer was lost is taken again by its holder", async () => {
    const { workerId } = await openWorker();
    const [known, unknown] = [await world.addChannel({ url }), await world.addChannel({ url })];
    await world.queue(known.channel);
    await world.queue(unknown.channel);
    expect(await lease(workerId)).toHaveLength(2);
    expect(await lease(workerId)).toEqual([]);
    const held = { workerId, knownIds: [known.channel.id], now: world.clock.now() };
    expect(await queue.signalUnknownChannels(held)).toBe(1);
    expect(await lease(workerId)).toMatchObject([{ channelId: unknown.channel.id }]);
  });

  test("leaves out hosts that nothing can be sent to", async () => {
    const worker = await openWorker();
    const { channel } = await world.addChannel({ url });
    await world.queue(channel);
    expect(await lease(worker.workerId, { fullHosts: ["hooks.example.com"] as never })).toEqual([]);
    expect(await lease(worker.workerId)).toHaveLength(1);
  });

  test("knows of every edit, rotation, redelivery and cancellation, and of a deletion", async () => {
    const worker = await openWorker();
    const { channel } = await world.addChannel({ url });
    const [queued] = await world.queue(channel);
    const { workerId } = worker;
    const now = world.clock.now();
    await lease(workerId);
    let version = 1;
    const changes = [
      () => world.database.updateChannel({ ...channel, url: `${url}/new` }),
      () => world.rotate(channel),
      () => world.database.cancelDeliveries({ channelId: channel.id, now }),
      () => world.database.redeliver({ id: queued?.id ?? "", workspaceId: null, now }),
      () => world.database.endOldSecret({ id: channel.id, now }),
    ];
    for (const change of changes) {
      await change();
      const known = [{ channelId: channel.id, version }];
      const [check] = await queue.checkLeases({ workerId, now, channels: known });
      expect(check?.version).toBeGreaterThan(version);
      expect(check?.url).toBe(`${url}/new`);
      version = check?.version ?? 0;
      const same = [{ channelId: channel.id, version }];
      expect(await queue.checkLeases({ workerId, now, channels: same })).toMatchObject([
        { version, url: null, encryptedSecret: null },
      ]);
    }
    await world.database.deleteChannel(channel.id);
    const channels = [{ channelId: channel.id, version }];
    expect(await queue.checkLeases({ workerId, now, channels })).toEqual([]);
  });
});

describe("what is read", () => {
  test("sees what is queued while it is read sooner or later, and loses nothing", async () => {
    const { channel } = await world.addChannel({ url });
    let isDone = false;
    const queueing = (async () => {
      for (let index = 0; index < 60; index += 1) await world.queue(channel, 1);
      isDone = true;
    })();
    const got = new Set<string>();
    while (!isDone || got.size < 60) {
      const claimed = await claim(world);
      if (isDone && claimed.length === 0) break;
      for (const { id } of claimed) got.add(id);
      await finish(world, claimed, { kind: "delivered" });
    }
    await queueing;
    expect(got.size).toBe(60);
    expect(await world.database.repairQueue(world.clock.now())).toBe(0);
  });

  test("goes on behind what was read, in the order in which it came due", async () => {
    const { channel } = await world.addChannel({ url });
    const queued = await world.queue(channel, 10);
    const retries = { dueAt: new Date(0), id: "00000000-0000-0000-0000-000000000000" };
    let fresh = retries;
    const ids: string[] = [];
    for (let look = 0; look < 4; look += 1) {
      const looks = [{ channelId: channel.id, fresh, retries, countMax: 3 }];
      const [found] = await queue.readDueDeliveries({ looks, now: world.clock.now() });
      fresh = found?.deliveries.at(-1) ?? fresh;
      ids.push(...(found?.deliveries.map(({ id }) => id) ?? []));
    }
    expect(ids).toEqual(queued.map(({ id }) => id));
  });
});

describe("an outcome", () => {
  test("of a retry is due again at that moment, with its attempt in the log", async () => {
    const { channel } = await world.addChannel({ url });
    const [queued] = await world.queue(channel);
    const dueAt = new Date(world.clock.now().getTime() + 2_000);
    await finish(world, await claim(world), { kind: "retry", dueAt });
    expect(await find(queued?.id)).toMatchObject({
      status: "pending",
      dueAt,
      attemptCount: 1,
      lastStatus: 500,
      attempts: [{ number: 1, status: 500, reason: "HTTP 500", durationMs: 12 }],
    });
    world.clock.advance(1_999);
    expect(await claim(world)).toEqual([]);
    world.clock.advance(1);
    expect(await claim(world)).toMatchObject([{ attemptCount: 1, retryCount: 1, isRetry: true }]);
  });

  test("without an answer worth keeping stands in the log like any other", async () => {
    const { channel } = await world.addChannel({ url });
    const queued = await world.queue(channel, 3);
    const startedAt = world.clock.now();
    const plain = { answer: null, startedAt };
    expect(await finish(world, await claim(world), { kind: "delivered" }, plain)).toHaveLength(3);
    for (const { id } of queued) {
      expect(await find(id)).toMatchObject({
        status: "delivered",
        attemptCount: 1,
        lastStatus: 200,
        lastReason: null,
        finishedAt: new Date(startedAt.getTime() + 12),
        attempts: [
          { number: 1, status: 200, reason: null, durationMs: 12, startedAt, answer: null },
        ],
      });
    }
    // Sent again, it remembers the attempt.
    const again = { id: queued[1]?.id ?? "", workspaceId: null, now: world.clock.now() };
    await world.database.redeliver(again);
    const dueAt = new Date(world.clock.now().getTime() + 2_000);
    await finish(world, await claimAgain(again.id), { kind: "retry", dueAt });
    expect(await find(again.id)).toMatchObject({
      status: "pending",
      attempts: [
        { number: 1, status: 200 },
        { number: 2, status: 500 },
      ],
    });
  });

  test("of a channel that is locked waits, and holds up nobody else's", async () => {
    const { channel: busy } = await world.addChannel({ url });
    const { channel: free } = await world.addChannel({ url });
    await world.queue(busy, 2);
    const [other] = await world.queue(free);
    const claimed = await claim(world);
    const isLocked = await world.lockQueueOf(busy.id);
    const saved = await finish(world, claimed, { kind: "delivered" });
    expect(saved).toEqual([other?.id]);
    await isLocked.end();
    const left = claimed.filter(({ channelId }) => channelId === busy.id);
    expect(await finish(world, left, { kind: "delivered" })).toHaveLength(2);
  });

  /** What was taken by hand before is taken by another. */
  async function claimAgain(id: string) {
    const head = { dueAt: new Date(0), id: "00000000-0000-0000-0000-000000000000" };
    const { channelId } = (await find(id)) ?? { channelId: "" };
    const looks = [{ channelId, fresh: head, retries: head, countMax: 10 }];
    const found = await queue.readDueDeliveries({ looks, now: world.clock.now() });
    return found.flatMap(({ deliveries }) => deliveries);
  }
});
