// What comes along with a lease goes out without a look of its own, and nothing of it goes out twice.
import { beforeEach, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../test/support/channel-world.ts";
import { createGate } from "../../test/support/gate.ts";
import { ok, type Receiver } from "../../test/support/receiver.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

const idsAt = (): (string | undefined)[] =>
  receiver.requests.map(({ headers }) => headers["x-service-delivery"]);

test("a single event needs one question to the queue", async () => {
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  const { channel } = await world.addChannel({ url: receiver.url });
  const [queued] = await world.queue(channel);
  const engine = world.run({
    queue: {
      ...queue,
      async readDueDeliveries(read) {
        await receiver.waitFor(1);
        return queue.readDueDeliveries(read);
      },
    },
  });
  await engine.outcomes.waitFor(1);
  await engine.close();
  expect(idsAt()).toEqual([queued?.id]);
});

test("what ended while the answer to a lease waited is not sent again", async () => {
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  const isLeased = createGate();
  receiver.reply(async () => {
    await isLeased.opened;
    return ok;
  });
  const { channel } = await world.addChannel({ url: receiver.url });
  const [first] = await world.queue(channel);
  const engine = world.run({
    queue: {
      ...queue,
      async leaseChannels(lease) {
        const leases = await queue.leaseChannels(lease);
        if (leases.some(({ firstDeliveries }) => firstDeliveries.length === 2)) {
          isLeased.open();
          await engine.outcomes.waitFor(1);
        }
        return leases;
      },
    },
  });
  await receiver.waitFor(1);
  const [second] = await world.queue(channel);
  engine.wake();
  await engine.outcomes.waitFor(2);
  await engine.close();
  expect(idsAt()).toEqual([first?.id, second?.id]);
});
