// Changes of a channel between two attempts: dropped by a 410, moved, rotated, edited.
import { verify } from "@octokit/webhooks-methods";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { ok, openReceiver, type Receiver } from "../../../test/support/receiver.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

const gone = { kind: "status", status: 410 } as const;
const down = { kind: "status", status: 503 } as const;
const hour = 3_600_000;

describe("410 Gone", () => {
  test("drops the channel and everything that waits for it, and an audit row says why", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const other = await world.addChannel({ url: receiver.url.replace("/hook", "/other") });
    // The first one gets a 410 while the others of the channel are still in flight.
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    receiver.reply(async ({ path }) => {
      if (path === "/other") return ok;
      if (isFirst) {
        isFirst = false;
        return gone;
      }
      await held;
      return ok;
    });
    const queued = await world.queue(channel, 9);
    await world.queue(other.channel);
    const engine = world.run();
    await engine.drops.waitFor(1);
    release();
    await engine.close();
    expect(await world.database.findChannel({ id: channel.id, workspaceId: null })).toBeNull();
    for (const { id } of queued)
      expect(await world.database.findDelivery({ id, workspaceId: null })).toBeNull();
    expect(receiver.requests.filter(({ path }) => path === "/hook").length).toBeLessThan(9);
    const [audit] = await listAuditEntries(world.database, channel.id);
    expect(audit).toMatchObject({ actor: "system", action: "channel.deleted" });
    expect(audit?.detail).toMatchObject({ reason: expect.stringContaining("410") });
    // The other channel is none of its business.
    const kept = await world.database.findChannel({ id: other.channel.id, workspaceId: null });
    expect(kept?.failingSince).toBeNull();
  });

  test("while 200 deliveries of the channel are in flight ends them all, whatever they are answered", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const other = await world.addChannel({ url: receiver.url.replace("/hook", "/other") });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let heldCount = 0;
    receiver.reply(async ({ path }) => {
      if (path === "/other") return ok;
      heldCount += 1;
      const number = heldCount;
      await (number === 200 ? null : held);
      return number === 200 ? gone : number % 2 === 0 ? ok : down;
    });
    const queued = await world.queue(channel, 250);
    const caps = { perChannelMax: 200, perHostMax: 250, troubledMax: 250 };
    const engine = world.run({ timeoutMs: 20_000, settings: { version: "9.9.9", ...caps } });
    await engine.drops.waitFor(1);
    release();
    await world.queue(other.channel);
    engine.wake();
    await receiver.waitFor(201);
    await engine.close();
    for (const { id } of queued)
      expect(await world.database.findDelivery({ id, workspaceId: null })).toBeNull();
    expect(await world.database.findChannel({ id: channel.id, workspaceId: null })).toBeNull();
    expect(receiver.requests.filter(({ path }) => path === "/hook")).toHaveLength(200);
    expect(engine.outcomes.items.map(({ channelId }) => channelId)).toEqual([other.channel.id]);
    expect(await listAuditEntries(world.database, channel.id)).toHaveLength(1);
  });

  test("a test event answered with 410 drops the channel, too", async () => {
    receiver.reply(gone);
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel, 1, { isTest: true });
    const engine = world.run();
    expect(await engine.drops.waitFor(1)).toEqual([channel.id]);
    await engine.close();
  });

  test("from a URL that the channel has left is a failure like any other", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const [queued] = await world.queue(channel);
    receiver.reply(async () => {
      await world.database.updateChannel({ ...channel, url: "https://hooks.example.com/new" });
      return gone;
    });
    const engine = world.run();
    const [attempt] = await engine.outcomes.waitFor(1);
    await engine.close();
    expect(attempt).toMatchObject({ status: 410, outcome: { kind: "retry" } });
    const found = await world.database.findDelivery({ id: queued?.id ?? "", workspaceId: null });
    expect(found?.status).toBe("pending");
    expect(await world.database.findChannel({ id: channel.id, workspaceId: null })).not.toBeNull();
  });
});

describe("between two attempts", () => {
  test("a rotated secret signs the retry, over the same bytes and ids", async () => {
    const { channel, secret } = await world.addChannel({ url: receiver.url });
    await world.queue(channel);
    receiver.reply(down);
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    const rotated = await world.rotate(channel);
    receiver.reply(ok);
    world.clock.advance(hour);
    engine.wake();
    await engine.outcomes.waitFor(2);
    await engine.close();
    const [first, second] = receiver.requests;
    const signs = (key: string, at: typeof first) =>
      verify(key, String(at?.body), at?.headers["x-service-signature"] ?? "");
    expect(await signs(secret, first)).toBe(true);
    expect(await signs(rotated, second)).toBe(true);
    expect(await signs(secret, second)).toBe(false);
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  });

  test("a new URL gets the retry, and success ends the failing", async () => {
    receiver.reply(down);
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel);
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    const failing = await world.database.findChannel({ id: channel.id, workspaceId: null });
    expect(failing?.failingReason).toBe("HTTP 503");
    const better = await openReceiver();
    await world.database.updateChannel({ ...channel, url: better.url });
    world.clock.advance(hour);
    engine.wake();
    await better.waitFor(1);
    await engine.close();
    await better.close();
    const healed = await world.database.findChannel({ id: channel.id, workspaceId: null });
    expect(healed).toMatchObject({ failingSince: null, failingReason: null });
  });

  test("a failure at a URL that the channel has left meanwhile is not its failure", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel);
    const better = await openReceiver();
    receiver.reply(async () => {
      await world.database.updateChannel({ ...channel, url: better.url });
      return down;
    });
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    const find = () => world.database.findChannel({ id: channel.id, workspaceId: null });
    expect((await find())?.failingSince).toBeNull();
    better.reply(down);
    world.clock.advance(hour);
    engine.wake();
    await engine.outcomes.waitFor(2);
    await engine.close();
    await better.close();
    // The same failure at the new one is.
    expect((await find())?.failingReason).toBe("HTTP 503");
  });

  test("an event that was disabled is cancelled instead of retried", async () => {
    receiver.reply(down);
    const { channel } = await world.addChannel({ url: receiver.url });
    const [queued] = await world.queue(channel);
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    await world.database.updateChannel({ ...channel, events: ["review.updated"] });
    world.clock.advance(hour);
    engine.wake();
    // A second channel's delivery proves that the engine has looked.
    const proof = await world.addChannel({ url: receiver.url });
    await world.queue(proof.channel);
    engine.wake();
    await engine.outcomes.waitFor(2);
    await engine.close();
    const found = await world.database.findDelivery({ id: queued?.id ?? "", workspaceId: null });
    expect(found).toMatchObject({ status: "cancelled" });
    expect(found?.attempts).toHaveLength(1);
  });

  test("a secret whose key is missing is a failure that can be retried", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const box = world.secrets.seal("whsec_", "another channel");
    await world.database.setChannelSecret({ id: channel.id, encryptedSecret: box });
    await world.queue(channel);
    const engine = world.run();
    const [attempt] = await engine.outcomes.waitFor(1);
    await engine.close();
    expect(attempt).toMatchObject({ status: null, outcome: { kind: "retry" } });
    expect(attempt?.reason).toContain("the signing secret can't be opened");
    expect(receiver.requests).toEqual([]);
  });
});

describe("time", () => {
  test("a failed delivery is sent again after the cycle, not before", async () => {
    receiver.reply(down);
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel);
    const engine = world.run({ random: () => 0.5 });
    const [attempt] = await engine.outcomes.waitFor(1);
    const dueAt = new Date(world.clock.now().getTime() + 60_000);
    expect(attempt?.outcome).toEqual({ kind: "retry", dueAt });
    world.clock.advance(59_999);
    engine.wake();
    // A second channel's delivery proves that the engine has looked.
    const proof = await world.addChannel({ url: receiver.url });
    await world.queue(proof.channel);
    engine.wake();
    await engine.outcomes.waitFor(2);
    expect(receiver.requests).toHaveLength(2);
    world.clock.advance(1);
    engine.wake();
    const [, , second] = await engine.outcomes.waitFor(3);
    await engine.close();
    expect(second).toMatchObject({ number: 2 });
    const delay = second?.outcome.kind === "retry" && second.outcome.dueAt.getTime();
    expect(delay).toBe(world.clock.now().getTime() + 120_000);
  });

  test("Retry-After is obeyed", async () => {
    receiver.reply({ kind: "status", status: 429, headers: { "retry-after": "7200" } });
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel);
    const engine = world.run();
    const [attempt] = await engine.outcomes.waitFor(1);
    await engine.close();
    const dueAt = new Date(world.clock.now().getTime() + 2 * hour);
    expect(attempt?.outcome).toEqual({ kind: "retry", dueAt });
  });

  test("a delivery expires after the give-up days, and can be sent again with the same bytes", async () => {
    receiver.reply(down);
    const { channel } = await world.addChannel({ url: receiver.url });
    const [queued] = await world.queue(channel);
    const id = queued?.id ?? "";
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    world.clock.advance(7 * 24 * hour);
    engine.wake();
    await engine.outcomes.waitFor(2);
    expect(await world.database.findDelivery({ id, workspaceId: null })).toMatchObject({
      status: "expired",
    });
    expect(await world.database.findChannel({ id: channel.id, workspaceId: null })).not.toBeNull();
    receiver.reply(ok);
    const again = { id, workspaceId: world.workspaceId, now: world.clock.now() };
    expect(await world.database.redeliver(again)).toBe(1);
    engine.wake();
    await engine.outcomes.waitFor(3);
    await engine.close();
    const found = await world.database.findDelivery({ id, workspaceId: null });
    expect(found).toMatchObject({ status: "delivered", attemptCount: 3 });
    expect(receiver.requests.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => queued?.body),
    );
  });
});
