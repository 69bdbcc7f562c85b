// Channels (200; ten thousand with CHAOS_SCALE=50) whose one host is dead: it hangs, or cuts every connection.
// Channels of other hosts are delivered as if it were not there; once it is back, it gets everything that waited.
import { afterEach, expect, test } from "vitest";
import { deliveryDefaults } from "../../../src/delivery/queue/settings.ts";
import { type ChannelWorld, openChannelWorld } from "../../support/channel-world.ts";
import { aDelivery } from "../../support/factories.ts";
import { ok, openReceiver, type Received, type Reply } from "../../support/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const channelCount = 200 * Number(process.env["CHAOS_SCALE"] ?? 1);
const waiting = { withinMs: 300_000, intervalMs: 50 };
const reset: Reply = { kind: "reset" };
let world: ChannelWorld;
afterEach(() => world.close());

test.each([
  { death: "hangs", isSilent: true },
  { death: "cuts every connection", isSilent: false },
])(
  "other hosts are not disturbed by one that $death, and it gets everything when it is back",
  async ({ death, isSilent }) => {
    world = await openChannelWorld();
    const dead = await openDeadHost(isSilent);
    const other = await openReceiver();
    world.onClose(() => other.close());
    await addChannels(dead.url);
    const { channel } = await world.addChannel({ url: other.url });
    // Longer than the test: no attempt ends by itself.
    const engine = world.run({ timeoutMs: 600_000 });
    await waitFor(() => dead.connectionCount() >= deliveryDefaults.perHostMax, {
      ...waiting,
      what: "the attempts at the dead host",
    });
    for (let round = 1; round <= 5; round += 1) {
      await world.queue(channel, 100);
      engine.wake();
      await other.waitFor(100 * round, waiting.withinMs);
    }
    // Nobody waited for the end of an attempt at the host that hangs, which has all that it may have.
    if (isSilent) expect(dead.connectionCount()).toBe(deliveryDefaults.perHostMax);

    dead.revive();
    await waitFor(
      () => {
        // Failed deliveries are due again.
        world.clock.advance(3_600_000);
        engine.wake();
        return dead.arrivedIds.size === channelCount;
      },
      {
        ...waiting,
        what: () => `all deliveries at the host that is back: ${dead.arrivedIds.size}`,
      },
    );
    await engine.close();
    const { size } = dead.arrivedIds;
    process.stdout.write(`chaos: ${channelCount} channels on a host that ${death}: ${size} came\n`);
  },
  waiting.withinMs * 2,
);

async function openDeadHost(isSilent: boolean) {
  let revive = (): void => {};
  const revival = new Promise<void>((resolve) => {
    revive = resolve;
  });
  let isDead = true;
  void revival.then(() => {
    isDead = false;
  });
  const arrivedIds = new Set<string>();
  const reply = async ({ headers }: Received): Promise<Reply> => {
    if (isDead) {
      // Hanging connections are cut when the host returns.
      if (isSilent) await revival;
      return reset;
    }
    arrivedIds.add(headers["x-service-delivery"] ?? "");
    return ok;
  };
  const { url, connectionCount, close } = await openReceiver({ reply });
  world.onClose(close);
  return { url, arrivedIds, connectionCount, revive: () => revive() };
}

/** Each with one delivery that is due. */
async function addChannels(url: string): Promise<void> {
  const now = world.clock.now();
  for (let done = 0; done < channelCount; done += 100) {
    const added = await Promise.all(Array.from({ length: 100 }, () => world.addChannel({ url })));
    const deliveries = added.map(({ channel }) => aDelivery(channel, { now }));
    await world.database.enqueueDeliveries({ deliveries, now });
  }
}
