// Changes that end what waits for a channel, and its failure.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChannel, updateChannel } from "../../../test/support/acts.ts";
import { aWorkspace } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { type ChannelInput, channelDefaults } from "../../domain/channel/channel.ts";
import { createSecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

const secretBox = createSecretBox([randomBytes(32)]);
const deps = () => ({
  ...context,
  secretBox,
  actor: "cli",
  checkUrl: async () => ({ ok: true }) as const,
});

async function create(input: Partial<ChannelInput> = {}) {
  const { id: workspaceId } = await aWorkspace(context.database);
  const url = "https://hooks.example.com/starpost";
  return createChannel(deps(), { ...channelDefaults, name: "Desk", url, ...input, workspaceId });
}

test("a channel that changes to digests cancels the single events that wait", async () => {
  const url = "https://hooks.slack.com/services/T0/B0/x";
  const { channel } = await create({ type: "slack", url });
  const now = context.clock.now();
  const delivery = toTestDelivery({ channel, now }, () => uuidV7(now));
  const deliveries = [{ ...delivery, event: "review.created" as const, isTest: false }];
  await context.database.enqueueDeliveries({ deliveries, now });
  const change = { digest: "daily" } as const;
  const done = await updateChannel(deps(), { id: channel.id, workspaceId: null, change });
  expect(done.cancelledCount).toBe(1);
});

test("a failing channel does not fail while it is paused", async () => {
  const { channel } = await create();
  const { database, clock } = context;
  const client = new pg.Client(context.connectionString);
  await client.connect();
  await client.query(
    `insert into channel_health (channel_id, failing_since, timeout_count) values ($1, $2, 0)`,
    [channel.id, clock.now()],
  );
  await client.end();
  const read = async () => [
    (await database.findChannel({ id: channel.id, workspaceId: null }))?.failingSince,
    (await database.listFailingChannels(10)).map(({ id }) => id).includes(channel.id),
    (await database.readServiceMetrics({ now: clock.now(), pendingCountMax: 9 }))
      .failingChannelCount,
  ];
  expect(await read()).toEqual([clock.now(), true, 1]);
  const pause = (isPaused: boolean) =>
    updateChannel(deps(), { id: channel.id, workspaceId: null, change: { isPaused } });
  await pause(true);
  expect(await read()).toEqual([null, false, 0]);
  await pause(false);
  expect(await read()).toEqual([clock.now(), true, 1]);
});
