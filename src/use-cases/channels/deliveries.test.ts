import { afterAll, beforeAll, expect, test } from "vitest";
import { aWorkspace, openWorld, type World } from "../../../test/support/world.ts";
import { type Channel, channelDefaults } from "../../domain/channel.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";
import { listDeliveries, redeliverExpired, redeliverOne, showDelivery } from "./deliveries.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function aChannel(): Promise<Channel> {
  const { id: workspaceId } = await aWorkspace(world.database);
  const channel: Channel = {
    ...channelDefaults,
    id: uuidV7(world.clock.now()),
    workspaceId,
    name: "Desk",
    url: "https://hooks.example.com/",
    createdAt: world.clock.now(),
    failingSince: null,
    failingReason: null,
  };
  await world.database.insertChannel({ ...channel, sealedSecret: Buffer.from("sealed") });
  return channel;
}

async function queue(channel: Channel): Promise<string> {
  const now = world.clock.now();
  const delivery = toTestDelivery({ channel, now }, () => uuidV7(now));
  await world.database.queueDeliveries({ deliveries: [{ ...delivery, isTest: false }], now });
  return delivery.id;
}

const any = { workspaceId: null };

test("the log shows a delivery's exact body, and only its own workspace sees it", async () => {
  const channel = await aChannel();
  const id = await queue(channel);
  const shown = await showDelivery(world.database, { id, ...any });
  expect(JSON.parse(shown.body)).toMatchObject({ event: "review.created", channelId: channel.id });
  expect(shown).toMatchObject({ status: "pending", attempts: [] });
  const foreign = { id, workspaceId: (await aWorkspace(world.database)).id };
  await expect(showDelivery(world.database, foreign)).rejects.toMatchObject({ code: "not_found" });
});

test("deliveries are listed by their status, within a limit", async () => {
  const channel = await aChannel();
  const ids = [await queue(channel), await queue(channel)];
  const wanted = { channelId: channel.id, status: "pending", limit: 10, ...any };
  expect((await listDeliveries(world.database, wanted)).map(({ id }) => id).sort()).toEqual(
    ids.sort(),
  );
  expect(await listDeliveries(world.database, { ...wanted, status: "expired" })).toEqual([]);
  expect(await listDeliveries(world.database, { ...wanted, limit: 1 })).toHaveLength(1);
  for (const [field, value] of [
    ["status", "lost"],
    ["limit", 0],
    ["limit", Number.NaN],
  ] as const) {
    const refused = listDeliveries(world.database, { ...wanted, [field]: value });
    await expect(refused).rejects.toMatchObject({ fields: [{ field }] });
  }
});

test("a cancelled delivery is sent again with the same id and body", async () => {
  const channel = await aChannel();
  const id = await queue(channel);
  const { body } = await showDelivery(world.database, { id, ...any });
  await world.database.updateChannel({ ...channel, events: ["review.rating_drop"] });
  const now = world.clock.now();
  await world.database.cancelDeliveries({ channelId: channel.id, now });
  expect(await showDelivery(world.database, { id, ...any })).toMatchObject({ status: "cancelled" });
  expect(await redeliverOne(world, { id, ...any })).toEqual({ queued: 1 });
  expect(await showDelivery(world.database, { id, ...any })).toMatchObject({
    status: "pending",
    body,
  });
});

test("only expired deliveries of the channel are sent again together", async () => {
  const channel = await aChannel();
  await queue(channel);
  expect(await redeliverExpired(world, { channelId: channel.id, ...any })).toEqual({ queued: 0 });
  const missing = redeliverExpired(world, { channelId: uuidV7(world.clock.now()), ...any });
  await expect(missing).rejects.toMatchObject({ code: "not_found" });
});
