import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import { systemClock } from "../../lib/clock.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeAll(async () => {
  world = await openChannelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

describe("what an endpoint gets", () => {
  test("a POST of the stored bytes with the contract's headers, signed with the whole secret", async () => {
    const { channel, secret } = await world.addChannel({ url: `${receiver.url}?a=b` });
    const engine = world.run();
    const [queued] = await world.queue(channel);
    engine.wake();
    const [got] = await receiver.waitFor(1);
    await engine.close();
    expect(got?.body).toEqual(queued?.body);
    expect(got?.path).toBe("/hook?a=b");
    expect(got?.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "review.created",
      "user-agent": "Starpost/9.9.9",
      "x-service-delivery": queued?.id,
      "webhook-id": queued?.id,
    });
    expect(got?.headers["x-service-test"]).toBeUndefined();
    const signature = got?.headers["x-service-signature"] ?? "";
    expect(await verify(secret, String(got?.body), signature)).toBe(true);
    expect(await verify(`${secret}x`, String(got?.body), signature)).toBe(false);
    expect(await verify(secret, `${got?.body} `, signature)).toBe(false);
  });

  test("a Standard Webhooks signature that its library accepts", async () => {
    const { channel, secret } = await world.addChannel({ url: receiver.url });
    await world.queue(channel);
    // The library compares the timestamp with the machine's own time.
    world.clock.set(systemClock.now());
    const engine = world.run();
    const [got] = await receiver.waitFor(1);
    await engine.close();
    const body = String(got?.body);
    expect(new Webhook(secret).verify(body, got?.headers ?? {})).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, got?.headers ?? {})).toThrow();
  });

  test("a test event says so, and goes out even when its event is not enabled", async () => {
    const { channel } = await world.addChannel({ url: receiver.url, events: ["review.updated"] });
    await world.queue(channel, 1, { isTest: true });
    const engine = world.run();
    const [got] = await receiver.waitFor(1);
    await engine.close();
    expect(got?.headers["x-service-test"]).toBe("1");
  });
});

describe("what an answer means", () => {
  test.each([200, 201, 202, 204, 299])("%i is delivered, and nothing further", async (status) => {
    receiver.reply({ kind: "status", status });
    const { channel } = await world.addChannel({ url: receiver.url });
    const [queued] = await world.queue(channel);
    const engine = world.run();
    await engine.outcomes.waitFor(1);
    await engine.close();
    const found = await world.database.findDelivery({ id: queued?.id ?? "", workspaceId: null });
    expect(found).toMatchObject({ status: "delivered", attemptCount: 1, lastReason: null });
    expect(found?.attempts).toMatchObject([{ number: 1, status, reason: null }]);
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 599])(
    "%i is retried, and the channel stays",
    async (status) => {
      receiver.reply({ kind: "status", status, headers: { location: receiver.url }, body: "no" });
      const { channel } = await world.addChannel({ url: receiver.url });
      const [queued] = await world.queue(channel);
      const engine = world.run();
      await engine.outcomes.waitFor(1);
      await engine.close();
      const found = await world.database.findDelivery({ id: queued?.id ?? "", workspaceId: null });
      expect(found).toMatchObject({ status: "pending", lastStatus: status });
      expect(found?.lastReason).toContain(`HTTP ${status}`);
      expect(receiver.requests).toHaveLength(1);
      const kept = await world.database.findChannel({ id: channel.id, workspaceId: null });
      expect(kept).toMatchObject({ failingReason: found?.lastReason });
      expect(kept?.failingSince).toEqual(world.clock.now());
    },
  );

  test("a hanging endpoint is a failure at the deadline, and the reason says so", async () => {
    receiver.reply({ kind: "hang" });
    const attempt = await attemptOnce(receiver.url, 200);
    expect(attempt).toMatchObject({ status: null, reason: "no answer within 0.2 s" });
    expect(attempt?.outcome.kind).toBe("retry");
  });

  test("a reset connection, no listener and bytes that are not HTTP are failures", async () => {
    receiver.reply({ kind: "reset" });
    expect((await attemptOnce(receiver.url))?.reason).toContain("the connection was");
    receiver.reply({ kind: "garbage" });
    expect((await attemptOnce(receiver.url))?.reason).toContain("the answer was not valid HTTP");
    const gone = await openReceiver();
    await gone.close();
    expect((await attemptOnce(gone.url))?.reason).toBe("the connection was refused");
  });

  test("a 2xx whose body drips past the deadline or breaks off is delivered", async () => {
    receiver.reply({ kind: "drip", status: 200 });
    const dripped = await attemptOnce(receiver.url, 200);
    expect(dripped).toMatchObject({ status: 200, outcome: { kind: "delivered" } });
    receiver.reply({ kind: "reset", afterStatus: 200 });
    expect((await attemptOnce(receiver.url))?.outcome).toEqual({ kind: "delivered" });
  });

  test("only the first 1 KB of an answer is kept, and none of a huge one is waited for", async () => {
    receiver.reply({ kind: "status", status: 500, body: "x".repeat(5_000_000) });
    const attempt = await attemptOnce(receiver.url);
    expect(attempt?.status).toBe(500);
    expect(attempt?.answer?.length).toBe(1_024);
  });

  async function attemptOnce(url: string, timeoutMs = 5_000) {
    const { channel } = await world.addChannel({ url });
    await world.queue(channel);
    const engine = world.run({ timeoutMs });
    const [attempt] = await engine.outcomes.waitFor(1);
    await engine.close();
    return attempt;
  }
});
