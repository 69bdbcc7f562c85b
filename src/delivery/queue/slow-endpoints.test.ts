// Endpoints that answer 200, but slowly: they have a share of the slots, and others find slots at once.
import { beforeEach, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import { createGate } from "../../../test/support/gate.ts";
import { ok, type Receiver } from "../../../test/support/receiver.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { Slots } from "./slots.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

const at = (path: string): string => receiver.url.replace("/hook", path);

test("slow endpoints that answer 200 leave slots for a healthy channel", async () => {
  const answering = createGate();
  receiver.reply(async ({ path }) => {
    if (path === "/slow") await answering.opened;
    return ok;
  });
  for (let index = 0; index < 15; index += 1) {
    const { channel } = await world.addChannel({ url: at("/slow") });
    await world.queue(channel, 8);
  }
  const settings = { version: "9.9.9", inFlightMax: 40, slowMs: 1_000, troubledMax: 20 };
  const engine = world.run({ settings, timeoutMs: 25_000 });
  await receiver.waitFor(20);
  const { channel } = await world.addChannel({ url: at("/quick") });
  await world.queue(channel, 30);
  engine.wake();
  const saved = await engine.outcomes.waitFor(30);
  expect(saved.every(({ channelId }) => channelId === channel.id)).toBe(true);
  answering.open();
  await engine.outcomes.waitFor(150);
});

test("an attempt becomes a slow one while it is in flight", async () => {
  const limits = { inFlightMax: 10, perHostMax: 10, slowMs: 5, troubledMax: 1 };
  const slots = new Slots(limits);
  const owner = { host: "h", isFailing: false, answersInMs: null };
  const slow = { ...owner, answersInMs: 5 };
  const slot = slots.take(owner);
  if (!slot) throw new Error("all slots are free");
  const end = slots.begin(slot);
  expect(slots.freeFor(slow)).toBe(1);
  await waitFor(async () => slots.freeFor(slow) === 0, { withinMs: 5_000, what: "a slow attempt" });
  expect(slots.freeFor(owner)).toBe(9);
  end();
  slots.release(slot);
  expect(slots.freeFor(slow)).toBe(1);
});
