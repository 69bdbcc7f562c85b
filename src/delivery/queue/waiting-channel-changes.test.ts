// Changes while claimed deliveries wait: each goes out as its channel is when its turn comes, and
// none is forgotten there.
import { verify } from "@octokit/webhooks-methods";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { ok, openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { deliveryDefaults } from "./settings.ts";

const { perChannelMax } = deliveryDefaults;

let world: ChannelWorld;
let receiver: Receiver;
let release: () => void;

beforeEach(async () => {
  world = await openChannelWorld();
  receiver = await openReceiver();
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.reply(() => released.then(() => ok));
});
afterEach(async () => {
  await receiver.close();
  await world.close();
});

/** Twice as many as the channel has places, of which the first half is on the wire. */
async function startSlowly() {
  const made = await world.addChannel({ url: receiver.url });
  await world.queue(made.channel, 2 * perChannelMax);
  const engine = world.run();
  await receiver.waitFor(perChannelMax);
  return { ...made, engine };
}

test("a rotated secret signs what was at hand before", async () => {
  const { channel, secret, engine } = await startSlowly();
  const rotated = await world.rotate(channel);
  await outlastTargets();
  release();
  await engine.outcomes.waitFor(2 * perChannelMax);
  const keys = receiver.requests.map((_, index) => (index < perChannelMax ? secret : rotated));
  for (const [index, { body, headers }] of receiver.requests.entries()) {
    const signature = headers["x-service-signature"] ?? "";
    expect(await verify(keys[index] ?? "", String(body), signature)).toBe(true);
  }
});

test("what was at hand goes to a new URL", async () => {
  const { channel, engine } = await startSlowly();
  const other = await openReceiver();
  await world.database.updateChannel({ ...channel, url: other.url });
  await outlastTargets();
  release();
  await engine.outcomes.waitFor(2 * perChannelMax);
  expect(receiver.requests).toHaveLength(perChannelMax);
  expect(other.requests).toHaveLength(perChannelMax);
  await other.close();
});

test("what was at hand is cancelled when the channel doesn't want it any more", async () => {
  const { channel, engine } = await startSlowly();
  await world.database.updateChannel({ ...channel, events: ["review.rating_drop"] });
  await outlastTargets();
  release();
  await engine.outcomes.waitFor(perChannelMax);
  const readStatuses = async () => {
    const deliveries = await world.database.listDeliveries({
      channelId: channel.id,
      workspaceId: null,
      status: null,
      beforeId: null,
      limit: 50,
    });
    return deliveries.map(({ status }) => status).sort();
  };
  // Cancelling is not the outcome of an attempt: it is seen in the log alone.
  const statuses = await waitFor(
    async () => {
      const found = await readStatuses();
      return found.includes("pending") ? null : found;
    },
    { withinMs: 10_000, what: "an end of every delivery" },
  );
  expect(receiver.requests).toHaveLength(perChannelMax);
  const half = (status: string): string[] => Array.from({ length: perChannelMax }, () => status);
  expect(statuses).toEqual([...half("cancelled"), ...half("delivered")]);
});

/** A target that was read ahead may be used for a moment, which is over now. */
function outlastTargets(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

test("a process that stood still until its answers were old goes on, also with its hands full", async () => {
  const { channel } = await world.addChannel({ url: receiver.url });
  release();
  await world.queue(channel, 4);
  let stallsLeft = 12;
  const clock = {
    now(): Date {
      if (stallsLeft > 0) standStill();
      stallsLeft -= 1;
      return world.clock.now();
    },
  };
  // Room for these four.
  const settings = { ...deliveryDefaults, inFlightMax: 2, aheadFactor: 1, pollMs: 100 };
  const engine = world.run({
    clock,
    settings: { ...settings, version: "9.9.9", allowHttp: true, allowedCidrs: ["127.0.0.1/32"] },
  });
  await engine.outcomes.waitFor(4);
  expect(stallsLeft).toBeLessThanOrEqual(0);
});

/** Longer than a target is good for. */
function standStill(): void {
  const startedMs = performance.now();
  while (performance.now() - startedMs < 40);
}
