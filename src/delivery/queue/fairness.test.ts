// Many channels and several engines at once: no channel is crowded out, and nothing is sent twice.
import { beforeEach, describe, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import { createGate } from "../../../test/support/gate.ts";
import { patience } from "../../../test/support/patience.ts";
import { ok, openReceiver, type Receiver } from "../../../test/support/receiver.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

const paths = (): string[] => receiver.requests.map(({ path }) => path);
const countOf = (path: string): number => paths().filter((one) => one === path).length;
const at = (path: string): string => receiver.url.replace("/hook", path);

describe("a hanging endpoint", () => {
  test("with a long backlog takes its few slots and no others", async () => {
    const answering = createGate();
    receiver.reply(async ({ path }) => {
      if (path === "/slow") await answering.opened;
      return ok;
    });
    const slow = await world.addChannel({ url: at("/slow") });
    await world.queue(slow.channel, 500);
    const quick = await world.addChannel({ url: at("/quick") });
    await world.queue(quick.channel, 50);
    // Longer than a busy machine takes.
    const engine = world.run({ timeoutMs: 25_000 });
    await engine.outcomes.waitFor(50);
    expect(countOf("/quick")).toBe(50);
    expect(countOf("/slow")).toBe(4);
    answering.open();
    await engine.close();
  });

  test("is probed one at a time after several timeouts, until it answers", async () => {
    let isUp = false;
    receiver.reply(() => (isUp ? ok : { kind: "hang" }));
    const { channel } = await world.addChannel({ url: at("/probed") });
    await world.queue(channel, 12);
    // A busy machine needs longer for an answer that comes at once.
    const engine = world.run({ timeoutMs: patience(200) });
    const failed = await engine.outcomes.waitFor(5);
    expect(failed.every(({ isTimeout }) => isTimeout)).toBe(true);
    // Four at once, then one after the other.
    expect(receiver.requests.length).toBeLessThanOrEqual(6);
    isUp = true;
    world.clock.advance(86_400_000);
    engine.wake();
    const all = await engine.outcomes.waitFor(12 + failed.length);
    await engine.close();
    expect(all.filter(({ outcome }) => outcome.kind === "delivered")).not.toHaveLength(0);
    const healed = await world.database.findChannel({ id: channel.id, workspaceId: null });
    expect(healed?.failingSince).toBeNull();
  });
});

test("retries of failing channels leave room for those that answer", async () => {
  receiver.reply({ kind: "status", status: 500 });
  const failing = await Promise.all(
    Array.from({ length: 6 }, () => world.addChannel({ url: at("/failing") })),
  );
  for (const { channel } of failing) await world.queue(channel, 5);
  const settings = { version: "9", inFlightMax: 8, troubledMax: 4 };
  const warmUp = world.run({ settings });
  await warmUp.outcomes.waitFor(30);
  await warmUp.close();
  // Now all of them hang, and all of their retries are due.
  receiver.reply(({ path }) => (path === "/failing" ? { kind: "hang" } : ok));
  world.clock.advance(86_400_000);
  const before = countOf("/failing");
  const fresh = await world.addChannel({ url: at("/fresh") });
  await world.queue(fresh.channel, 20);
  const engine = world.run({ timeoutMs: patience(2_000), settings });
  await engine.outcomes.waitFor(20);
  expect(countOf("/fresh")).toBe(20);
  expect(countOf("/failing") - before).toBeLessThanOrEqual(4);
  await engine.close();
});

test("a fresh event of a channel does not wait behind its 200 due retries", async () => {
  receiver.reply({ kind: "status", status: 500 });
  const { channel } = await world.addChannel({ url: at("/back") });
  await world.queue(channel, 200);
  const warmUp = world.run();
  await warmUp.outcomes.waitFor(200);
  await warmUp.close();
  receiver.reply(ok);
  world.clock.advance(86_400_000);
  const [fresh] = await world.queue(channel);
  const engine = world.run();
  await engine.outcomes.waitFor(201);
  await engine.close();
  const ids = receiver.requests.slice(200).map(({ headers }) => headers["x-service-delivery"]);
  expect(ids).toHaveLength(201);
  expect(ids.indexOf(fresh?.id)).toBeLessThan(10);
});

test("nor do the retries of a channel wait behind its fresh events", async () => {
  receiver.reply({ kind: "status", status: 500 });
  const { channel } = await world.addChannel({ url: at("/back") });
  const [retried] = await world.queue(channel);
  const warmUp = world.run();
  await warmUp.outcomes.waitFor(1);
  await warmUp.close();
  receiver.reply(ok);
  world.clock.advance(86_400_000);
  await world.queue(channel, 100);
  const engine = world.run();
  await engine.outcomes.waitFor(101);
  await engine.close();
  const ids = receiver.requests.slice(1).map(({ headers }) => headers["x-service-delivery"]);
  expect(ids.indexOf(retried?.id)).toBeLessThan(10);
});

test("channels that share a host share its places, and another host is not held up", async () => {
  const other = await openReceiver();
  receiver.reply({ kind: "hang" });
  for (let index = 0; index < 10; index += 1) {
    const { channel } = await world.addChannel({ url: at(`/hang-${index}`) });
    await world.queue(channel, 4);
  }
  const elsewhere = await world.addChannel({ url: other.url });
  await world.queue(elsewhere.channel, 30);
  const settings = { version: "9", perHostMax: 6, inFlightMax: 10 };
  const engine = world.run({ timeoutMs: patience(2_000), settings });
  await other.waitFor(30);
  expect(receiver.requests.length).toBeLessThanOrEqual(6);
  await engine.close();
  await other.close();
});

test("channels that wait for one host have turns: a backlog does not hold its places until it is done", async () => {
  for (const path of ["/one", "/two", "/three"]) {
    const { channel } = await world.addChannel({ url: at(path) });
    await world.queue(channel, 60);
  }
  const engine = world.run({ settings: { version: "9", perHostMax: 4 } });
  await engine.outcomes.waitFor(180);
  await engine.close();
  // A turn has up to 16 deliveries for each of its slots: every channel has had one by then.
  const early = paths().slice(0, 120);
  for (const path of ["/one", "/two", "/three"]) {
    expect(early.filter((one) => one === path).length).toBeGreaterThanOrEqual(8);
  }
});

test("what waits at hand behind a failure is given back, and its attempt is not counted", async () => {
  let isFirst = true;
  receiver.reply(() => {
    const reply = isFirst ? ({ kind: "status", status: 500 } as const) : ok;
    isFirst = false;
    return reply;
  });
  const { channel } = await world.addChannel({ url: at("/once") });
  const queued = await world.queue(channel, 20);
  const engine = world.run();
  await engine.outcomes.waitFor(20);
  await engine.close();
  const found = await Promise.all(
    queued.map(({ id }) => world.database.findDelivery({ id, workspaceId: null })),
  );
  expect(found.map((delivery) => delivery?.attemptCount)).toEqual(Array(20).fill(1));
  expect(found.filter((delivery) => delivery?.status === "delivered")).toHaveLength(19);
});

test("two engines on one database deliver everything once", async () => {
  const channels = [];
  for (let index = 0; index < 20; index += 1)
    channels.push((await world.addChannel({ url: at("/shared") })).channel);
  const queued = (await Promise.all(channels.map((channel) => world.queue(channel, 15)))).flat();
  const engines = [world.run(), world.run()];
  await receiver.waitFor(300);
  await Promise.all(engines.map((engine) => engine.close()));
  const ids = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
  expect(ids.sort()).toEqual(queued.map(({ id }) => id).sort());
  for (const channel of channels) {
    const scope = { channelId: channel.id, workspaceId: null, beforeId: null, limit: 100 };
    const pending = await world.database.listDeliveries({ ...scope, status: "pending" });
    expect(pending).toEqual([]);
  }
});

test("closing waits for what is in flight and saves it", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.reply(async () => {
    await held;
    return ok;
  });
  const { channel } = await world.addChannel({ url: at("/held") });
  const queued = await world.queue(channel, 6);
  const engine = world.run();
  await receiver.waitFor(4);
  const closed = engine.close();
  release();
  await closed;
  const found = await Promise.all(
    queued.map(({ id }) => world.database.findDelivery({ id, workspaceId: null })),
  );
  const statuses = found.map((delivery) => delivery?.status).sort();
  expect(statuses).toEqual([...Array(4).fill("delivered"), "pending", "pending"]);
  expect(receiver.requests).toHaveLength(4);
});
