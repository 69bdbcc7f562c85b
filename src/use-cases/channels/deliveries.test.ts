import { afterAll, beforeAll, expect, test } from "vitest";
import { redeliverExpired, redeliverOne } from "../../../test/support/acts.ts";
import { aWorkspace, saveChannel } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";
import { findDelivery, listDeliveries } from "./deliveries.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

async function addChannel(): Promise<Channel> {
  const { id: workspaceId } = await aWorkspace(context.database);
  return saveChannel(context.database, { workspaceId });
}

async function queue(channel: Channel): Promise<string> {
  const now = context.clock.now();
  const delivery = toTestDelivery({ channel, now }, () => uuidV7(now));
  await context.database.enqueueDeliveries({ deliveries: [{ ...delivery, isTest: false }], now });
  return delivery.id;
}

const any = { workspaceId: null };

test("the log shows a delivery's exact body, and only its own workspace sees it", async () => {
  const channel = await addChannel();
  const id = await queue(channel);
  const shown = await findDelivery(context.database, { id, ...any });
  expect(JSON.parse(shown.body)).toMatchObject({ event: "review.created", channelId: channel.id });
  expect(shown).toMatchObject({ status: "pending", attempts: [] });
  const foreign = { id, workspaceId: (await aWorkspace(context.database)).id };
  await expect(findDelivery(context.database, foreign)).rejects.toMatchObject({
    code: "not_found",
  });
});

test("deliveries are listed by their status, within a limit", async () => {
  const channel = await addChannel();
  const ids = [await queue(channel), await queue(channel)];
  const query = { channelId: channel.id, status: "pending", limit: 10, ...any };
  expect((await listDeliveries(context.database, query)).map(({ id }) => id).sort()).toEqual(
    ids.sort(),
  );
  expect(await listDeliveries(context.database, { ...query, status: "expired" })).toEqual([]);
  expect(await listDeliveries(context.database, { ...query, limit: 1 })).toHaveLength(1);
  for (const [field, value] of [
    ["status", "lost"],
    ["limit", 0],
    ["limit", Number.NaN],
  ] as const) {
    const refused = listDeliveries(context.database, { ...query, [field]: value });
    await expect(refused).rejects.toMatchObject({ fields: [{ field }] });
  }
});

test("a cancelled delivery is sent again with the same id and body", async () => {
  const channel = await addChannel();
  const id = await queue(channel);
  const { body } = await findDelivery(context.database, { id, ...any });
  await context.database.updateChannel({ ...channel, events: ["review.rating_drop"] });
  const now = context.clock.now();
  await context.database.cancelDeliveries({ channelId: channel.id, now });
  expect(await findDelivery(context.database, { id, ...any })).toMatchObject({
    status: "cancelled",
  });
  expect(await redeliverOne(context, { id, ...any })).toEqual({ queued: 1 });
  expect(await findDelivery(context.database, { id, ...any })).toMatchObject({
    status: "pending",
    body,
  });
});

test("only expired deliveries of the channel are sent again together", async () => {
  const channel = await addChannel();
  await queue(channel);
  expect(await redeliverExpired(context, { channelId: channel.id, ...any })).toEqual({ queued: 0 });
  const missing = redeliverExpired(context, { channelId: uuidV7(context.clock.now()), ...any });
  await expect(missing).rejects.toMatchObject({ code: "not_found" });
});
