// Claims that are too old, of another destination, of a channel that can't be read, or of a worker that lost its lease.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asAnother } from "../../../test/support/as-another.ts";
import { aReviewEvent } from "../../../test/support/channel-events.ts";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { openChatDouble } from "../../../test/support/chat-doubles.ts";
import { noLimits } from "../../../test/support/claims.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import type { VersionedHealth } from "../../domain/channel/delivery.ts";
import { monotonicMs, systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { hourMs } from "../../lib/timestamp.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  world = await openChannelWorld();
  receiver = await openReceiver();
});
afterEach(async () => {
  vi.useRealTimers();
  await receiver.close();
  await world.close();
});

test("a claim from before the machine was suspended is not used", async () => {
  const { channel, secret } = await world.addChannel({ url: receiver.url });
  await world.queue(channel);
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  let rotated = "";
  const engine = world.run({
    queue: {
      ...queue,
      async claimDeliveries(request) {
        const claimed = await queue.claimDeliveries(request);
        if (rotated === "" && claimed.some(({ deliveries }) => deliveries.length > 0)) {
          rotated = await world.rotate(channel);
          // While a machine is suspended the monotonic clock stands still, and this one goes on.
          const beforeMs = monotonicMs();
          vi.useFakeTimers({ toFake: ["Date"], now: systemClock.now().getTime() + hourMs });
          expect(monotonicMs() - beforeMs).toBeLessThan(hourMs);
        }
        return claimed;
      },
    },
  });
  await engine.outcomes.waitFor(1);
  await engine.close();
  expect(receiver.requests).toHaveLength(1);
  const { verify } = await import("@octokit/webhooks-methods");
  const [request] = receiver.requests;
  const signature = request?.headers["x-service-signature"] ?? "";
  expect(await verify(rotated, String(request?.body), signature)).toBe(true);
  expect(await verify(secret, String(request?.body), signature)).toBe(false);
});

test("a throttled channel with a new destination sends at once", async () => {
  const slack = await openChatDouble("slack");
  const other = await openChatDouble("slack");
  world.onClose(() => slack.close());
  world.onClose(() => other.close());
  slack.reply(slack.service.throttled(3_600));
  const url = "http://127.0.0.1/…";
  const { channel } = await world.addChannel({ type: "slack", url, secret: slack.url });
  const body = Buffer.from(JSON.stringify(aReviewEvent()));
  await world.queue(channel, 3, { body });
  const engine = world.run();
  const [throttled] = await engine.outcomes.waitFor(1);
  expect(throttled?.outcome.kind).toBe("retry");
  await world.database.setChannelSecret({
    id: channel.id,
    encryptedSecret: world.secrets.seal(other.url, channel.id),
  });
  await other.waitFor(2);
  expect(slack.requests).toHaveLength(1);
});

describe("the health of a channel", () => {
  test("is saved by its holder alone", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel);
    const queue = world.database.openDeliveryQueue();
    world.onClose(() => queue.close());
    const now = world.clock.now();
    const [claimed] = await queue.claimDeliveries({ ...noLimits, workerId: 7, now });
    const health = {
      version: claimed?.version ?? 0,
      channelId: channel.id,
      failingSince: now,
      failingReason: "no answer within 3 s",
      timeoutCount: 1,
    };
    const save = (workerId: number, one: VersionedHealth) =>
      queue.saveOutcomes({ workerId, attempts: [], healths: [one], now });
    expect((await save(8, health)).savedIds).toEqual([]);
    const find = () => world.database.findChannel({ id: channel.id, workspaceId: null });
    expect((await find())?.failingSince).toBeNull();
    expect((await save(7, health)).savedIds).toEqual([channel.id]);
    expect((await find())?.failingReason).toBe("no answer within 3 s");
    const healed = { ...health, failingSince: null, failingReason: null, timeoutCount: 0 };
    expect((await save(7, healed)).savedIds).toEqual([channel.id]);
    expect((await find())?.failingSince).toBeNull();
  });
});

test("a channel that can't be read fails with a reason, and the others go on", async () => {
  const broken = await world.addChannel({ url: receiver.url.replace("/hook", "/broken") });
  const [queued] = await world.queue(broken.channel);
  const { channel } = await world.addChannel({ url: receiver.url });
  await world.queue(channel, 10);
  const logged: object[] = [];
  const secrets = {
    open(box: Buffer, id: string): string {
      if (id === broken.channel.id) throw new TypeError("on purpose");
      return world.secrets.open(box, id);
    },
  };
  const log = { ...silentLog, error: (facts: object) => logged.push(facts) };
  const engine = world.run({ log, secrets });
  await engine.outcomes.waitFor(11);
  await engine.close();
  expect(receiver.requests).toHaveLength(10);
  expect(receiver.requests.every(({ path }) => path === "/hook")).toBe(true);
  expect(logged).toMatchObject([{ channelId: broken.channel.id }]);
  expect(engine.outcomes.items.filter(({ outcome }) => outcome.kind === "retry")).toMatchObject([
    { deliveryId: queued?.id, reason: "Starpost can't read this channel; its log has the error" },
  ]);
  const [failing] = await world.database.listFailingChannels(10);
  expect(failing).toMatchObject({ id: broken.channel.id });
  expect(failing?.reason).toContain("can't read this channel");
});

test("dropping an old day gives up at once behind a reader of the log", async () => {
  const { channel } = await world.addChannel({ url: receiver.url });
  await world.queue(channel);
  await world.admin("delete from pending");
  const gone = randomUUID();
  const inAYear = new Date(systemClock.now().getTime() + 365 * 24 * hourMs);
  await world.database.transaction(async (reading) => {
    await reading.findDelivery({ id: gone, workspaceId: null });
    const dropping = asAnother(() => world.database.transaction((tx) => tx.dropOldestDay(inAYear)));
    await expect(dropping).rejects.toThrow("a day of the delivery log is being read");
  });
  expect(await world.database.transaction((tx) => tx.dropOldestDay(inAYear))).not.toEqual([]);
});
