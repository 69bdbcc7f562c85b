// Leases of channels, the deliveries that claims return, and their outcomes: on a real database.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { claim, finish, manualWorkerOf, noLimits } from "../../../test/support/claims.ts";
import type { ClaimedChannel, ClaimRequest } from "../../domain/channel/delivery.ts";
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
const limits = { ...noLimits, perChannelMax: 0 };
const lease = (workerId: number, more: Partial<ClaimRequest> = {}) =>
  queue.claimDeliveries({ workerId, now: world.clock.now(), ...limits, ...more });

async function openWorker(leaseMs = 60_000) {
  return { workerId: await queue.addWorker({ leaseMs }) };
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
    // The holder is notified of new deliveries.
    expect(await lease(one.workerId)).toHaveLength(1);
    const back = { workerId: one.workerId, channelIds: [channel.id] };
    expect(await queue.releaseChannels(back)).toEqual([channel.id]);
    expect(await lease(other.workerId)).toHaveLength(1);
  });

  test("ends with the clock of the database for a worker that stands still", async () => {
    const frozen = await openWorker(-1);
    const { channel } = await world.addChannel({ url });
    const queued = await world.queue(channel);
    await lease(frozen.workerId);
    const alive = await openWorker();
    expect(await queue.freeAbandonedChannels(world.clock.now())).toBe(1);
    expect(await queue.renewWorker({ workerId: frozen.workerId, leaseMs: 1_000 })).toBe(false);
    expect(await queue.renewWorker({ workerId: alive.workerId, leaseMs: 1_000 })).toBe(true);
    const claimed = await claim(world);
    expect(claimed.map(({ id }) => id)).toEqual(queued.map(({ id }) => id));
    // Outcomes of the frozen worker are in the log alone: its request was sent.
    const late = { workerId: frozen.workerId };
    expect(await finish(world, claimed, { kind: "delivered" }, late)).toEqual([]);
    expect(await find(queued[0]?.id)).toMatchObject({
      status: "pending",
      attempts: [{ number: 1, status: 200 }],
    });
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
    const held = await queue.listHeldChannels(workerId);
    expect(held.sort()).toEqual([known.channel.id, unknown.channel.id].sort());
    const channelIds = [unknown.channel.id];
    expect(await queue.releaseChannels({ workerId, channelIds })).toEqual(channelIds);
    expect(await lease(workerId)).toMatchObject([{ channelId: unknown.channel.id }]);
  });

  test("leaves out hosts that nothing can be sent to", async () => {
    const worker = await openWorker();
    const { channel } = await world.addChannel({ url });
    await world.queue(channel);
    expect(await lease(worker.workerId, { fullHosts: ["hooks.example.com"] })).toEqual([]);
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
    const held = [{ channelId: channel.id, countMax: 1, busyIds: [] }];
    for (const change of changes) {
      await change();
      const [claimed] = await lease(workerId, { held });
      expect(claimed?.version).toBeGreaterThan(version);
      expect(claimed?.url).toBe(`${url}/new`);
      version = claimed?.version ?? 0;
    }
    await world.database.deleteChannel(channel.id);
    expect(await lease(workerId, { held })).toEqual([]);
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

  test("goes on behind what is busy, in the order in which it came due", async () => {
    const { workerId } = await openWorker();
    const { channel } = await world.addChannel({ url });
    const queued = await world.queue(channel, 10);
    await lease(workerId);
    const busyIds: string[] = [];
    const counts: boolean[] = [];
    for (let round = 0; round < 4; round += 1) {
      const held = [{ channelId: channel.id, countMax: 3, busyIds }];
      const [found] = await lease(workerId, { held });
      busyIds.push(...(found?.deliveries.map(({ id }) => id) ?? []));
      counts.push(found?.hasMore ?? false);
    }
    expect(busyIds).toEqual(queued.map(({ id }) => id));
    expect(counts).toEqual([true, true, true, false]);
  });

  test("says when the next delivery comes due that is not due now", async () => {
    const { workerId } = await openWorker();
    const { channel } = await world.addChannel({ url });
    const heldUntil = new Date(world.clock.now().getTime() + 5_000);
    await world.queue(channel, 1, { heldUntil });
    expect(await lease(workerId)).toMatchObject([{ deliveries: [], nextDueAt: heldUntil }]);
  });
});

describe("a claim of large bodies", () => {
  const body = Buffer.alloc(1_000, "x");

  test("takes what fits, small ones first, and at least one delivery", async () => {
    const { workerId } = await openWorker();
    const channels = [];
    for (let index = 0; index < 3; index += 1) {
      channels.push((await world.addChannel({ url })).channel);
    }
    const [large, other, small] = channels;
    if (!large || !other || !small) throw new Error("three channels were made");
    for (const channel of [large, other]) await world.queue(channel, 3, { body });
    await world.queue(small, 1, { body: Buffer.from("{}") });
    const of = (found: ClaimedChannel[], { id }: { id: string }) =>
      found.find(({ channelId }) => channelId === id);
    const found = await lease(workerId, { perChannelMax: 10, bytesMax: 2_100 });
    expect(of(found, small)?.deliveries).toHaveLength(1);
    expect(found.flatMap(({ deliveries }) => deliveries)).toHaveLength(3);
    expect(of(found, large)?.hasMore).toBe(true);
    const held = [{ channelId: large.id, countMax: 10, busyIds: [] }];
    const [alone] = await lease(workerId, { held, bytesMax: 10 });
    expect(alone?.deliveries).toHaveLength(1);
    expect(alone?.hasMore).toBe(true);
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

  test("without an answer worth keeping is logged like any other", async () => {
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

  test("of a channel that is locked waits, and delays no other outcome", async () => {
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

  /** Deliveries that were taken by hand before are taken by another worker. */
  async function claimAgain(id: string) {
    const { channelId } = (await find(id)) ?? { channelId: "" };
    const { workerId } = await manualWorkerOf(world);
    const held = [{ channelId, countMax: 10, busyIds: [] }];
    const found = await lease(workerId, { held });
    return found.flatMap(({ deliveries }) => deliveries);
  }
});
