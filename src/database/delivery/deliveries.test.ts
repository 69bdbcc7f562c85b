// Queueing, repairing, sending again, cancelling and the log: on a real database.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { claim, finish } from "../../../test/support/claims.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";

let world: ChannelWorld;
beforeEach(async () => {
  world = await openChannelWorld();
});
afterEach(() => world.close());

const url = "https://hooks.example.com/in";
const find = (id = "") => world.database.findDelivery({ id, workspaceId: world.workspaceId });
const listOf = (channelId: string) =>
  world.database.listDeliveries({
    channelId,
    workspaceId: world.workspaceId,
    status: null,
    beforeId: null,
    limit: 1_000,
  });

describe("a channel that is gone", () => {
  test("takes its deliveries with it, and later outcomes of them are dropped quietly", async () => {
    const { channel } = await world.addChannel({ url });
    const queued = await world.queue(channel, 3);
    const claimed = await claim(world);
    const gone = { channelId: channel.id, auditId: randomUUID(), now: world.clock.now() };
    const drop = (from: string) =>
      world.database.transaction((tx) => tx.deleteGoneChannel({ ...gone, url: from }));
    expect(await drop("https://hooks.example.com/old")).toBe(false);
    expect(await drop(url)).toBe(true);
    expect(await finish(world, claimed, { kind: "delivered" })).toEqual([]);
    for (const { id } of queued) expect(await find(id)).toBeNull();
    expect(await listAuditEntries(world.database, channel.id)).toHaveLength(1);
  });

  test("spoils neither the queueing for others nor the memory of what was announced", async () => {
    const { channel: gone } = await world.addChannel({ url });
    const { channel } = await world.addChannel({ url });
    await world.database.deleteChannel(gone.id);
    const made = (await world.queue(channel, 1)).map((one) => ({ ...one, id: randomUUID() }));
    const deliveries = made.flatMap((one) => [
      one,
      { ...one, id: randomUUID(), channelId: gone.id },
    ]);
    const now = world.clock.now();
    expect(await world.database.enqueueDeliveries({ deliveries, now })).toBe(1);
    const reviewId = randomUUID();
    const pairs = [gone, channel].map(({ id }) => ({ channelId: id, reviewId }));
    const announcements = pairs.map((pair) => ({ ...pair, id: randomUUID() }));
    await world.database.announce({ announcements, now });
    const query = {
      listingId: randomUUID(),
      channelIds: [gone.id, channel.id],
      reviewIds: [reviewId],
    };
    expect(await world.database.listChannelReviews(query)).toEqual(pairs.slice(1));
  });
});

describe("more bodies than one statement takes", () => {
  test("are all queued, and their channels locked in one order, whatever the order of the reviews", async () => {
    const channels = [await world.addChannel({ url }), await world.addChannel({ url })];
    const [low = "", high = ""] = channels.map(({ channel }) => channel.id).sort();
    const { channel } = channels[0] ?? (await world.addChannel({ url }));
    const [sample] = await world.queue(channel, 1);
    if (!sample) throw new Error("nothing was queued");
    await world.queue(channels[1]?.channel ?? channel, 1);
    const body = Buffer.alloc(600_000, "x");
    const deliveries = Array.from({ length: 6 }, (_, index) => {
      return { ...sample, id: uuidV7(world.clock.now()), body, channelId: index % 2 ? low : high };
    });
    const client = new pg.Client(world.connectionString);
    await client.connect();
    const lockRow = "select from channel_queue where channel_id = $1 for update nowait";
    await client.query("begin");
    await client.query(lockRow, [low]);
    const queueing = world.database.transaction((tx) =>
      tx.enqueueDeliveries({ deliveries, now: world.clock.now() }),
    );
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`;
    await waitFor(async () => (await client.query(waiting)).rows.length > 0, {
      ...{ withinMs: 5_000, what: "the queueing to wait for the lower channel" },
    });
    await client.query(lockRow, [high]);
    await client.query("commit");
    await client.end();
    expect(await queueing).toBe(6);
    for (const id of [low, high]) {
      const made = deliveries.filter(({ channelId }) => channelId === id);
      const ids = (await listOf(id)).map((one) => one.id);
      expect(ids).toEqual(expect.arrayContaining(made.map((one) => one.id)));
    }
  });
});

describe("putting right", () => {
  test("a channel whose queue row is missing or late is found", async () => {
    const channels = [];
    for (let index = 0; index < 5; index += 1) {
      const { channel } = await world.addChannel({ url });
      await world.queue(channel, 3);
      channels.push(channel.id);
    }
    const client = new pg.Client(world.connectionString);
    await client.connect();
    const [missing, late] = channels;
    await client.query("delete from channel_queue where channel_id = $1", [missing]);
    await client.query("update channel_queue set next_due_at = 'infinity' where channel_id = $1", [
      late,
    ]);
    await client.end();
    const servedOf = async () => new Set((await claim(world)).map(({ channelId }) => channelId));
    expect(await servedOf()).toEqual(new Set(channels.slice(2)));
    expect(await world.database.repairQueue(world.clock.now())).toBe(2);
    expect(await servedOf()).toEqual(new Set(channels.slice(0, 2)));
    expect(await world.database.repairQueue(world.clock.now())).toBe(0);
  });

  test("expired deliveries of a channel go out again together, and only they", async () => {
    const { channel } = await world.addChannel({ url });
    await world.queue(channel, 3);
    const claimed = await claim(world);
    await finish(world, claimed.slice(0, 2), { kind: "expired" });
    await finish(world, claimed.slice(2), { kind: "delivered" });
    world.clock.advance(minuteMs);
    const now = world.clock.now();
    const foreign = { expiredOfChannelId: channel.id, workspaceId: randomUUID(), now };
    expect(await world.database.redeliver(foreign)).toBe(0);
    expect(await world.database.redeliver({ ...foreign, workspaceId: world.workspaceId })).toBe(2);
    const again = await claim(world);
    expect(again).toHaveLength(2);
    expect(again).toMatchObject([{ attemptCount: 1, retryCount: 0, queuedAt: now }, {}]);
  });

  test("events that a channel no longer wants are cancelled, tests and those that arrive are not", async () => {
    const { channel } = await world.addChannel({ url });
    const [arriving] = await world.queue(channel);
    const inFlight = await claim(world);
    const [waiting] = await world.queue(channel);
    const [tested] = await world.queue(channel, 1, { isTest: true });
    await world.database.updateChannel({ ...channel, events: ["review.updated"] });
    const now = world.clock.now();
    const cancel = { channelId: channel.id, now };
    expect(await world.database.cancelDeliveries(cancel)).toBe(2);
    await finish(world, inFlight, { kind: "delivered" });
    const statuses = new Map((await listOf(channel.id)).map(({ id, status }) => [id, status]));
    expect(statuses.get(waiting?.id ?? "")).toBe("cancelled");
    expect(statuses.get(arriving?.id ?? "")).toBe("delivered");
    expect(statuses.get(tested?.id ?? "")).toBe("pending");
  });

  test("finished deliveries go after their time, oldest first and in batches", async () => {
    const { channel } = await world.addChannel({ url });
    await world.queue(channel, 4);
    const claimed = await claim(world);
    await finish(world, claimed.slice(0, 3), { kind: "delivered" });
    const before = new Date(world.clock.now().getTime() + 1);
    expect(await world.database.deleteOldDeliveries({ before, limit: 2 })).toBe(2);
    expect(await world.database.deleteOldDeliveries({ before, limit: 2 })).toBe(1);
    expect(await world.database.deleteOldDeliveries({ before, limit: 2 })).toBe(0);
    expect((await listOf(channel.id)).map(({ status }) => status)).toEqual(["pending"]);
  });
});

test("the log of a channel is paged newest first, by status, for its own workspace only", async () => {
  const { channel } = await world.addChannel({ url });
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    world.clock.advance(1);
    ids.unshift(...(await world.queue(channel)).map(({ id }) => id));
  }
  const scope = { channelId: channel.id, workspaceId: world.workspaceId, status: null, limit: 2 };
  const first = await world.database.listDeliveries({ ...scope, beforeId: null });
  expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const second = await world.database.listDeliveries({ ...scope, beforeId: ids[1] ?? null });
  expect(second.map(({ id }) => id)).toEqual(ids.slice(2, 4));
  const all = { ...scope, beforeId: null };
  expect(await world.database.listDeliveries({ ...all, status: "expired" })).toEqual([]);
  expect(await world.database.listDeliveries({ ...all, workspaceId: randomUUID() })).toEqual([]);
  expect(
    await world.database.findDelivery({ id: ids[0] ?? "", workspaceId: randomUUID() }),
  ).toBeNull();
});
