// The guard as the engine uses it: whatever way a URL came into the database, no connection is made.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";

let world: ChannelWorld;
let forbidden: Receiver;

beforeAll(async () => {
  world = await openChannelWorld();
  forbidden = await openReceiver({ host: "127.0.0.2" });
});
afterAll(async () => {
  await world.close();
  await forbidden.close();
});

test.each([
  ["a channel that was stored before the guard", false],
  ["a test event", true],
])(
  "%s reaches no private address, and its attempt says which setting would allow it",
  async (_, isTest) => {
    const before = forbidden.connectionCount();
    const { channel } = await world.addChannel({ url: forbidden.url });
    const [queued] = await world.queue(channel, 1, { isTest });
    const engine = world.run();
    const [attempt] = await engine.outcomes.waitFor(1);
    await engine.close();
    expect(attempt).toMatchObject({
      deliveryId: queued?.id,
      status: null,
      outcome: { kind: "retry" },
      reason: expect.stringContaining("WEBHOOK_ALLOWED_CIDRS"),
    });
    expect(forbidden.connectionCount()).toBe(before);
    await world.database.deleteChannel(channel.id);
  },
);

test("a connection from before a change of policy is not used after it", async () => {
  const { channel } = await world.addChannel({ url: forbidden.url });
  const policy = { version: "9.9.9", allowHttp: true, allowedCidrs: ["127.0.0.2/32"] };
  await world.queue(channel);
  const allowing = world.run({ settings: policy });
  await allowing.outcomes.waitFor(1);
  await allowing.close();
  const [connectionCount, requestCount] = [forbidden.connectionCount(), forbidden.requests.length];
  await world.queue(channel);
  const refusing = world.run({ settings: { ...policy, allowedCidrs: [] } });
  const [attempt] = await refusing.outcomes.waitFor(1);
  await refusing.close();
  expect(attempt?.reason).toContain("WEBHOOK_ALLOWED_CIDRS");
  expect([forbidden.connectionCount(), forbidden.requests.length]).toEqual([
    connectionCount,
    requestCount,
  ]);
});
