// Deliveries that a lease brings are sent without another question, and none of them twice.
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

const idsAt = (): (string | undefined)[] =>
  receiver.requests.map(({ headers }) => headers["x-service-delivery"]);

test("a delivery that ended while the answer to a claim waited is not sent again", async () => {
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  const isLeased = createGate();
  let isSecondQueued = false;
  receiver.reply(async () => {
    await isLeased.opened;
    return ok;
  });
  const { channel } = await world.addChannel({ url: receiver.url });
  const [first] = await world.queue(channel);
  const engine = world.run({
    queue: {
      ...queue,
      async claimDeliveries(request) {
        const claimed = await queue.claimDeliveries(request);
        if (isSecondQueued && claimed.length > 0) {
          isLeased.open();
          await engine.outcomes.waitFor(1);
        }
        return claimed;
      },
    },
  });
  await receiver.waitFor(1);
  const [second] = await world.queue(channel);
  isSecondQueued = true;
  engine.wake();
  await engine.outcomes.waitFor(2);
  await engine.close();
  expect(idsAt()).toEqual([first?.id, second?.id]);
});
