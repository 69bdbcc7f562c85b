// Deliveries that arrive twice when a process is killed: what it had sent and not saved. Quick endpoints get no more
// than a few of that; slow ones, and locked channels, take nothing from others.
import { beforeEach, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import { createGate } from "../../../test/support/gate.ts";
import { ok, type Receiver } from "../../../test/support/receiver.ts";
import { waitFor } from "../../../test/support/wait-for.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

test("never is more sent and not saved than may come twice", async () => {
  const resendMax = 24;
  for (let index = 0; index < 10; index += 1) {
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel, 20);
  }
  let [savedCount, unsavedMax, lookCount] = [0, 0, 0];
  receiver.reply(() => {
    unsavedMax = Math.max(unsavedMax, receiver.requests.length - savedCount);
    return ok;
  });
  const saving = createGate();
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  const engine = world.run({
    settings: { version: "9.9.9", resendMax, quickMs: 60_000, slowSaveMs: 60_000, pollMs: 20 },
    queue: {
      ...queue,
      claimDeliveries(request) {
        lookCount += 1;
        return queue.claimDeliveries(request);
      },
      async saveOutcomes(save) {
        await saving.opened;
        const saved = await queue.saveOutcomes(save);
        savedCount += save.attempts.length;
        return saved;
      },
    },
  });
  await receiver.waitFor(resendMax);
  // While nothing can be saved the engine goes on for a while, as it would for ever.
  const enough = lookCount + 10;
  await waitFor(async () => lookCount >= enough, { withinMs: 10_000, what: "looks" });
  saving.open();
  await engine.outcomes.waitFor(200);
  expect(unsavedMax).toBe(resendMax);
});

test("what takes long to save is not waited for", async () => {
  const { channel } = await world.addChannel({ url: receiver.url });
  await world.queue(channel, 30);
  const saving = createGate();
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  const engine = world.run({
    settings: { version: "9.9.9", resendMax: 4, slowSaveMs: 20 },
    queue: {
      ...queue,
      async saveOutcomes(save) {
        await saving.opened;
        return queue.saveOutcomes(save);
      },
    },
  });
  await receiver.waitFor(30);
  expect(engine.outcomes.items).toEqual([]);
  saving.open();
  await engine.outcomes.waitFor(30);
  expect(receiver.requests).toHaveLength(30);
});

test("endpoints that are slow take no places of quick ones", async () => {
  const answering = createGate();
  receiver.reply(async ({ path }) => {
    if (path === "/slow") await answering.opened;
    return ok;
  });
  for (let index = 0; index < 5; index += 1) {
    const { channel } = await world.addChannel({ url: receiver.url.replace("/hook", "/slow") });
    await world.queue(channel, 4);
  }
  const { channel } = await world.addChannel({ url: receiver.url });
  const engine = world.run({ settings: { version: "9.9.9", resendMax: 4, quickMs: 5 } });
  await receiver.waitFor(20);
  await world.queue(channel, 30);
  engine.wake();
  const saved = await engine.outcomes.waitFor(30);
  expect(saved.every(({ channelId }) => channelId === channel.id)).toBe(true);
  answering.open();
});

test("outcomes of a locked channel take no slots of others", async () => {
  const answering = createGate();
  receiver.reply(async () => {
    await answering.opened;
    return ok;
  });
  const { channel: locked } = await world.addChannel({ url: receiver.url });
  await world.queue(locked, 30);
  const { channel } = await world.addChannel({ url: receiver.url });
  const engine = world.run({ settings: { version: "9.9.9", resendMax: 8 } });
  await receiver.waitFor(4);
  const lock = await world.lockQueueOf(locked.id);
  answering.open();
  await receiver.waitFor(30);
  await world.queue(channel, 10);
  engine.wake();
  const saved = await engine.outcomes.waitFor(10);
  expect(saved.every(({ channelId }) => channelId === channel.id)).toBe(true);
  await lock.end();
  await engine.outcomes.waitFor(40);
});
