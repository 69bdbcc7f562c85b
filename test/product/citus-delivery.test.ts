// The delivery engine on a database that is spread over servers: everything that it does with a channel.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runMaintenance } from "../../src/delivery/queue/maintenance.ts";
import { silentLog } from "../../src/lib/log.ts";
import { type ChannelWorld, openChannelWorld } from "../support/channel-world.ts";
import { citusUrl, noCitus, openSpreadDatabase } from "../support/citus.ts";
import { ok, openReceiver, type Receiver } from "../support/receiver.ts";

if (citusUrl === undefined)
  process.stderr.write(`test/product/citus-delivery.test.ts ${noCitus}\n`);

describe.skipIf(citusUrl === undefined)("on a Citus", () => {
  let world: ChannelWorld;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await openChannelWorld(await openSpreadDatabase());
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  test("every delivery of several channels arrives once", async () => {
    const added = await Promise.all(
      Array.from({ length: 8 }, () => world.addChannel({ url: receiver.url })),
    );
    const queued = await Promise.all(added.map(({ channel }) => world.queue(channel, 20)));
    const engine = world.run();
    await engine.outcomes.waitFor(160);
    await engine.close();
    const ids = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
    expect(ids.sort()).toEqual(
      queued
        .flat()
        .map(({ id }) => id)
        .sort(),
    );
    for (const { id } of queued.flatMap((one) => one.slice(0, 1))) {
      const found = await world.database.findDelivery({ id, workspaceId: null });
      expect(found).toMatchObject({ status: "delivered", attempts: [{ status: 200 }] });
    }
  });

  test("a channel that fails is noted, heals, and what it has is sent again", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const [delivery] = await world.queue(channel);
    const id = delivery?.id ?? "";
    const find = () => world.database.findChannel({ id: channel.id, workspaceId: null });
    receiver.reply({ kind: "status", status: 500 });
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    await engine.close();
    expect((await find())?.failingReason).toContain("500");
    receiver.reply(ok);
    const again = { workspaceId: null, now: world.clock.now() };
    expect(await world.database.redeliver({ id, ...again })).toBe(1);
    const next = world.run();
    await next.outcomes.waitFor(1);
    await next.close();
    expect((await find())?.failingReason).toBeNull();
    const found = await world.database.findDelivery({ id, workspaceId: null });
    expect(found?.status).toBe("delivered");
  });

  test("what a channel no longer wants is cancelled; what it leaves behind goes", async () => {
    const { database, clock } = world;
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel, 5);
    await database.updateChannel({ ...channel, events: ["review.updated"] });
    const now = clock.now();
    const cancel = { channelId: channel.id, now };
    expect(await database.transaction((tx) => tx.cancelDeliveries(cancel))).toBe(5);
    const query = { channelId: channel.id, workspaceId: null, beforeId: null, limit: 10 };
    const cancelled = await database.listDeliveries({ ...query, status: "cancelled" });
    expect(cancelled).toHaveLength(5);
    await database.deleteChannel(channel.id);
    const queue = database.openDeliveryQueue();
    const deps = {
      clock,
      log: silentLog,
      queue,
      signal: new AbortController().signal,
    };
    await runMaintenance(deps, { retentionDays: 30 });
    await queue.close();
    const { id } = cancelled[0] ?? { id: "" };
    expect(await database.findDelivery({ id, workspaceId: null })).toBeNull();
    expect(await database.findDeletedChannel()).toBeNull();
  });
});
