// Long reviews and slow endpoints of some customers: what is in memory has a bound, and others get their events.
import { beforeEach, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import { createGate } from "../../../test/support/gate.ts";
import { ok, type Receiver } from "../../../test/support/receiver.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

const at = (path: string): string => receiver.url.replace("/hook", path);
const largeBody = Buffer.alloc(300_000, "x");

/** A queue that counts the bytes of bodies in the largest claim. */
function countBytes() {
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  let bytesMax = 0;
  const counting = {
    ...queue,
    async claimDeliveries(request: Parameters<typeof queue.claimDeliveries>[0]) {
      const claimed = await queue.claimDeliveries(request);
      const bodies = claimed.flatMap(({ deliveries }) => deliveries.map(({ body }) => body));
      bytesMax = Math.max(bytesMax, Buffer.concat(bodies).length);
      return claimed;
    },
  };
  return { queue: counting, readBytesMax: () => bytesMax };
}

test("eight channels of large bodies at slow endpoints fill no memory and delay no other event", async () => {
  const answering = createGate();
  receiver.reply(async ({ path }) => {
    if (path === "/slow") await answering.opened;
    return ok;
  });
  for (let index = 0; index < 8; index += 1) {
    const { channel } = await world.addChannel({ url: at("/slow") });
    await world.queue(channel, 20, { body: largeBody });
  }
  const { queue, readBytesMax } = countBytes();
  const engine = world.run({ queue });
  await receiver.waitFor(24);
  const { channel } = await world.addChannel({ url: at("/quick") });
  await world.queue(channel, 5);
  engine.wake();
  const saved = await engine.outcomes.waitFor(5);
  expect(saved.every(({ channelId }) => channelId === channel.id)).toBe(true);
  expect(receiver.requests.filter(({ path }) => path === "/slow").length).toBeLessThanOrEqual(32);
  expect(readBytesMax()).toBeLessThanOrEqual(2 * 1_048_576);
  answering.open();
  await engine.outcomes.waitFor(165);
});

test("bodies that fill a claim are sent all the same, and a small one is not held up", async () => {
  for (let index = 0; index < 4; index += 1) {
    const { channel } = await world.addChannel({ url: at("/large") });
    await world.queue(channel, 6, { body: Buffer.concat(Array(3).fill(largeBody)) });
  }
  const { channel } = await world.addChannel({ url: at("/small") });
  await world.queue(channel, 3);
  const engine = world.run();
  await engine.outcomes.waitFor(27);
  await engine.close();
  const paths = receiver.requests.map(({ path }) => path);
  expect(paths).toHaveLength(27);
  expect(paths.lastIndexOf("/small")).toBeLessThan(20);
});
