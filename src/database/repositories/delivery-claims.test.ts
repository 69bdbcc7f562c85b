// Who gets what and until when, and what becomes of it: on a real database.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { claim, finish } from "../../../test/support/claims.ts";

let world: ChannelWorld;
beforeEach(async () => {
  world = await openChannelWorld();
});
afterEach(() => world.close());

const url = "https://hooks.example.com/in";
const find = (id = "") => world.database.findDelivery({ id, workspaceId: world.workspaceId });

describe("a claim", () => {
  test("takes a few of each channel, however long the backlog of one is", async () => {
    const { channel: busy } = await world.addChannel({ url });
    await world.queue(busy, 3_000);
    world.clock.advance(1_000);
    const quiet = await Promise.all(Array.from({ length: 20 }, () => world.addChannel({ url })));
    for (const { channel } of quiet) await world.queue(channel, 2);
    const claimed = [...(await claim(world)), ...(await claim(world))];
    const ofBusy = claimed.filter(({ channelId }) => channelId === busy.id);
    expect(ofBusy.length).toBeGreaterThan(0);
    expect(ofBusy.length).toBeLessThanOrEqual(8);
    expect(new Set(claimed.map(({ channelId }) => channelId)).size).toBe(21);
  });

  test("serves the channels in turn when there is room for one only", async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      const { channel } = await world.addChannel({ url });
      await world.queue(channel, 5);
      world.clock.advance(1_000);
      ids.push(channel.id);
    }
    const turns = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const [claimed] = await claim(world, { room: 1, failingRoom: 0 });
      turns.push(claimed?.channelId);
      world.clock.advance(10);
    }
    expect(turns).toEqual([...ids, ...ids]);
  });

  test("is exclusive until its lease ends, and counts every attempt", async () => {
    const { channel } = await world.addChannel({ url });
    const [queued] = await world.queue(channel);
    const [first] = await claim(world);
    expect(first).toMatchObject({ id: queued?.id, attemptCount: 0, body: queued?.body });
    expect(await claim(world)).toEqual([]);
    world.clock.advance(24_999);
    expect(await claim(world)).toEqual([]);
    world.clock.advance(1);
    const [second] = await claim(world);
    expect(second).toMatchObject({ id: queued?.id, attemptCount: 1, retryCount: 1 });
    expect(
      await finish(
        world,
        [first].flatMap((one) => one ?? []),
        { kind: "delivered" },
      ),
    ).toEqual([]);
    expect(await find(queued?.id)).toMatchObject({ status: "pending", attempts: [] });
    expect(
      await finish(
        world,
        [second].flatMap((one) => one ?? []),
        { kind: "delivered" },
      ),
    ).toEqual([queued?.id]);
  });

  test("never gives the same delivery to two who ask at once", async () => {
    for (let index = 0; index < 10; index += 1) {
      const { channel } = await world.addChannel({ url });
      await world.queue(channel, 4);
    }
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(world, { room: 10 })));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(10);
  });

  test("leaves out full channels and respects what is in flight already", async () => {
    const { channel: full } = await world.addChannel({ url });
    const { channel: partly } = await world.addChannel({ url });
    await world.queue(full, 5);
    await world.queue(partly, 5);
    const claimed = await claim(world, {
      fullChannelIds: [full.id],
      taken: [{ channelId: partly.id, freshCount: 2, retryCount: 1 }],
    });
    expect(claimed.map(({ channelId }) => channelId)).toEqual([partly.id]);
  });

  test("gives failing channels no more than their lane, and one attempt while they are probed", async () => {
    const { channel } = await world.addChannel({ url });
    await world.queue(channel, 10);
    const dueAt = world.clock.now();
    await finish(world, await claim(world), { kind: "retry", dueAt }, { isTimeout: true });
    expect(await claim(world, { failingRoom: 0 })).toEqual([]);
    const probed = await claim(world);
    expect(probed).toMatchObject([{ isFailing: true, isProbe: true }]);
    await finish(world, probed, { kind: "delivered" });
    expect(await claim(world)).toHaveLength(4);
  });

  test("sees what is queued while it runs sooner or later, and loses nothing", async () => {
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
    expect(await claim(world)).toHaveLength(1);
  });

  test("of a failure names since when and why the channel fails, until one is delivered", async () => {
    const { channel } = await world.addChannel({ url });
    await world.queue(channel, 2);
    const since = world.clock.now();
    const look = () => world.database.findChannel({ id: channel.id, workspaceId: null });
    const claimed = await claim(world);
    await finish(world, claimed.slice(0, 1), { kind: "retry", dueAt: since });
    world.clock.advance(1_000);
    await finish(world, claimed.slice(1), { kind: "retry", dueAt: since }, { reason: "HTTP 502" });
    expect(await look()).toMatchObject({ failingSince: since, failingReason: "HTTP 502" });
    await finish(world, (await claim(world)).slice(0, 1), { kind: "delivered" });
    expect(await look()).toMatchObject({ failingSince: null, failingReason: null });
  });
});
