// Deliveries that arrive twice when a process is killed: those that it had sent and not saved. They are few, and neither
// slow endpoints nor locked channels take anything from others.
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

test("while nothing can be saved, no more is sent than may come twice", async () => {
  for (let index = 0; index < 10; index += 1) {
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel, 100);
  }
  const [saving, trying] = [createGate(), createGate()];
  let claimCount = 0;
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  const engine = world.run({
    settings: { version: "9.9.9", pollMs: 20 },
    queue: {
      ...queue,
      claimDeliveries(request) {
        claimCount += 1;
        return queue.claimDeliveries(request);
      },
      async saveOutcomes(save) {
        trying.open();
        await saving.opened;
        return queue.saveOutcomes(save);
      },
    },
  });
  await trying.opened;
  await receiver.waitFor(128);
  // The claims that were under way send the rest of their turns.
  let before = -1;
  await waitFor(
    async () => {
      const isQuiet = receiver.requests.length === before;
      before = receiver.requests.length;
      return isQuiet;
    },
    { withinMs: 10_000, what: "an engine that sends nothing more" },
  );
  const sentCount = receiver.requests.length;
  expect(sentCount).toBeLessThan(600);
  expect(claimCount).toBeLessThan(50);
  saving.open();
  await engine.outcomes.waitFor(1_000);
  expect(receiver.requests).toHaveLength(1_000);
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
  const engine = world.run();
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
  const engine = world.run();
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
