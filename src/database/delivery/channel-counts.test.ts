// The delivery counts on the page of a channel: what they are about, what became of them by day, and
// trying again what failed.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { retryNow } from "../../../test/support/acts.ts";
import { aWorkspace, saveChannel } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";

let context: TestContext;
let channel: Channel;
let workspaceId: string;
beforeAll(async () => {
  context = await openTestContext();
  workspaceId = (await aWorkspace(context.database)).id;
  channel = await saveChannel(context.database, { workspaceId });
});
afterAll(() => context.close());

async function queue(now: Date): Promise<string> {
  const delivery = toTestDelivery({ channel, now }, () => uuidV7(now));
  await context.database.enqueueDeliveries({ deliveries: [{ ...delivery, isTest: false }], now });
  return delivery.id;
}

test("deliveries are counted by the day on which they were queued, for their own workspace", async () => {
  const now = context.clock.now();
  const toDay = dayOf(now);
  await queue(now);
  await queue(now);
  const query = { channelId: channel.id, fromDay: addDays(toDay, -6), toDay, limit: 100 };
  const days = await context.database.countDeliveryDays({ ...query, workspaceId });
  expect(days.map(({ day }) => day)).toEqual(
    [-6, -5, -4, -3, -2, -1, 0].map((count) => addDays(toDay, count)),
  );
  expect(days.at(-1)).toEqual({ day: toDay, total: 2, pending: 2, expired: 0, cancelled: 0 });
  expect(days.at(-2)).toMatchObject({ total: 0, pending: 0 });
  const limited = await context.database.countDeliveryDays({ ...query, workspaceId, limit: 1 });
  expect(limited.at(-1)).toMatchObject({ total: 1, pending: 1 });
  const { id: foreign } = await aWorkspace(context.database);
  expect(await context.database.countDeliveryDays({ ...query, workspaceId: foreign })).toEqual([]);
});

test("what failed and waits is tried at once, what waits for its first attempt is left alone", async () => {
  const now = context.clock.now();
  const [failed, fresh] = [await queue(now), await queue(now)];
  const later = new Date(now.getTime() + 3_600_000);
  const client = new pg.Client({ connectionString: context.connectionString });
  await client.connect();
  await client.query(
    `update pending set is_retry = id = $1, due_at = $2 where channel_id = $3 and id = any($4)`,
    [failed, later, channel.id, [failed, fresh]],
  );
  await client.end();
  const query = { channelId: channel.id, workspaceId };
  const listed = await context.database.listDeliveries({
    ...query,
    status: "retrying",
    beforeId: null,
    limit: 10,
  });
  expect(listed.map(({ id }) => id)).toEqual([failed]);
  expect(await retryNow(context, query)).toEqual({ queued: 1 });
  const dueAt = async (id: string) =>
    (await context.database.findDelivery({ id, workspaceId }))?.dueAt;
  expect(await dueAt(failed)).toEqual(now);
  expect(await dueAt(fresh)).toEqual(later);
  expect(await retryNow(context, query)).toEqual({ queued: 0 });
});
