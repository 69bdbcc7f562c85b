// Channels whose service allows a message now and then: what they wait for, and whom they don't keep waiting.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aReviewEvent } from "../../../test/support/channel-events.ts";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { type ChatDouble, openChatDouble } from "../../../test/support/chat-doubles.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import { monotonicMs } from "../../lib/clock.ts";

let world: ChannelWorld;
let slack: ChatDouble;
let receiver: Receiver;
const body = Buffer.from(JSON.stringify(aReviewEvent()));

beforeEach(async () => {
  world = await openChannelWorld();
  slack = await openChatDouble("slack");
  receiver = await openReceiver();
});
afterEach(async () => {
  await world.close();
  await slack.close();
  await receiver.close();
});

const addSlackChannel = () =>
  world.addChannel({ type: "slack", url: "http://127.0.0.1/…", secret: slack.url });

describe("the pace of a destination", () => {
  test("messages go out one after the other, channels with the same URL in turn, webhooks at once", async () => {
    const first = await addSlackChannel();
    const second = await addSlackChannel();
    const webhook = await world.addChannel({ url: receiver.url });
    await world.queue(first.channel, 500, { body });
    await world.queue(second.channel, 1, { body });
    await world.queue(webhook.channel, 200);
    const startedMs = monotonicMs();
    const engine = world.run();
    await receiver.waitFor(200);
    // All webhooks were there before the second message could go.
    expect(slack.requests.length).toBeLessThanOrEqual(1 + (monotonicMs() - startedMs) / 1_000);
    await slack.waitFor(3);
    // A timer may fire a millisecond early by the clock that is looked at.
    expect(monotonicMs() - startedMs).toBeGreaterThanOrEqual(1_990);
    await engine.outcomes.waitFor(203);
    await engine.close();
    const channels = new Set(engine.outcomes.items.map(({ channelId }) => channelId));
    expect(channels).toEqual(new Set([first, second, webhook].map(({ channel }) => channel.id)));
  });

  test("429 holds the whole destination off, and the delivery goes out as soon as it may", async () => {
    const { channel } = await addSlackChannel();
    await world.queue(channel, 3, { body });
    slack.reply(slack.service.throttled(3_600));
    const engine = world.run();
    const [attempt] = await engine.outcomes.waitFor(1);
    expect(attempt?.outcome).toEqual({
      kind: "retry",
      dueAt: new Date(world.clock.now().getTime() + 3_600_000),
    });
    await engine.close();
    expect(slack.requests).toHaveLength(1);
  });
});

test("a message that was the last of the service's limit holds the destination off, and no other", async () => {
  const limited = await addSlackChannel();
  const other = await openChatDouble("slack");
  world.onClose(() => other.close());
  const free = await world.addChannel({
    type: "slack",
    url: "http://127.0.0.1/…",
    secret: other.url,
  });
  slack.reply({
    kind: "status",
    status: 200,
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "3600" },
  });
  await world.queue(limited.channel, 2, { body });
  const engine = world.run();
  await slack.waitFor(1);
  await world.queue(free.channel, 3, { body });
  engine.wake();
  // Two seconds, in which the other would have been sent.
  await other.waitFor(3);
  await engine.close();
  expect(slack.requests).toHaveLength(1);
});

describe("a place that is no more", () => {
  test("ends deliveries without a retry, keeps them and the channel, and says why", async () => {
    const { channel } = await addSlackChannel();
    const [queued] = await world.queue(channel, 1, { body });
    // An answer that deletes a webhook's channel deletes no other.
    slack.reply({ kind: "status", status: 410, body: "channel_is_archived" });
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    await engine.close();
    const found = await world.database.findDelivery({ id: queued?.id ?? "", workspaceId: null });
    expect(found).toMatchObject({
      status: "expired",
      lastReason: "Slack says the channel is archived (channel_is_archived)",
    });
    const kept = await world.database.findChannel({ id: channel.id, workspaceId: null });
    expect(kept).toMatchObject({ failingReason: found?.lastReason });
    const now = world.clock.now();
    const workspaceId = world.workspaceId;
    await world.database.redeliver({ expiredOfChannelId: channel.id, workspaceId, now });
    slack.reply("as documented");
    const again = world.run();
    const [attempt] = await again.outcomes.waitFor(1);
    await again.close();
    expect(attempt?.outcome).toEqual({ kind: "delivered" });
  });

  test("a slow service is a failure at the deadline", async () => {
    const { channel } = await addSlackChannel();
    await world.queue(channel, 1, { body });
    slack.reply({ kind: "hang" });
    const engine = world.run({ timeoutMs: 200 });
    const [attempt] = await engine.outcomes.waitFor(1);
    await engine.close();
    expect(attempt).toMatchObject({ reason: "no answer within 0.2 s", isTimeout: true });
  });
});
