// Secret, URL and filters are those of a moment before the bytes leave, however late an answer of the database
// is looked at: after a process stood still, on a slow link, or behind a busy event loop.
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import type { Receiver } from "../../../test/support/receiver.ts";
import { monotonicMs, systemClock } from "../../lib/clock.ts";
import { dayMs } from "../../lib/timestamp.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

const bringers = ["the lease", "a claim of a held channel"] as const;
type Bringer = (typeof bringers)[number];

/** A queue whose first answer with deliveries is held back until something has happened meanwhile. */
function holdAnswers(bringer: Bringer, meanwhile: () => Promise<unknown>) {
  const queue = world.database.openDeliveryQueue();
  world.onClose(() => queue.close());
  let isHeld = false;
  async function hold(): Promise<void> {
    if (isHeld) return;
    isHeld = true;
    await meanwhile();
    // Older than any answer may be that is used.
    const heldMs = monotonicMs();
    while (monotonicMs() - heldMs < 130) await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    ...queue,
    async claimDeliveries(request: Parameters<typeof queue.claimDeliveries>[0]) {
      const perChannelMax = bringer === "the lease" ? request.perChannelMax : 0;
      const claimed = await queue.claimDeliveries({ ...request, perChannelMax });
      if (claimed.some(({ deliveries }) => deliveries.length > 0)) await hold();
      return claimed;
    },
  };
}

describe.each(bringers)("while the answer of %s waited", (bringer) => {
  test("a secret that was rotated signs what goes out", async () => {
    const { channel, secret } = await world.addChannel({ url: receiver.url });
    let rotated = "";
    await world.queue(channel, 3);
    const engine = world.run({
      queue: holdAnswers(bringer, async () => {
        rotated = await world.rotate(channel);
      }),
    });
    await engine.outcomes.waitFor(3);
    for (const { body, headers } of receiver.requests) {
      const signature = headers["x-service-signature"] ?? "";
      expect(await verify(rotated, String(body), signature)).toBe(true);
      expect(await verify(secret, String(body), signature)).toBe(false);
    }
  });

  test("nothing goes to a channel that was deleted", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    await world.queue(channel, 3);
    const other = await world.addChannel({ url: receiver.url.replace("/hook", "/other") });
    const engine = world.run({
      queue: holdAnswers(bringer, () => world.database.deleteChannel(channel.id)),
    });
    await world.queue(other.channel);
    engine.wake();
    await engine.outcomes.waitFor(1);
    await engine.close();
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/other"]);
  });

  test("nothing goes out that a filter refuses which was saved", async () => {
    const { channel } = await world.addChannel({ url: receiver.url });
    const [one] = await world.queue(channel, 1, {
      filterable: {
        rating: 1,
        topics: [],
        facts: { sentiment: null, language: null, hasReply: false },
      },
    });
    const [five] = await world.queue(channel, 1, {
      filterable: {
        rating: 5,
        topics: [],
        facts: { sentiment: null, language: null, hasReply: false },
      },
    });
    const engine = world.run({
      queue: holdAnswers(bringer, () => world.database.updateChannel({ ...channel, stars: [1] })),
    });
    await engine.outcomes.waitFor(1);
    await engine.close();
    expect(receiver.requests.map(({ headers }) => headers["x-service-delivery"])).toEqual([
      one?.id,
    ]);
    const cancelled = await world.database.findDelivery({ id: five?.id ?? "", workspaceId: null });
    expect(cancelled?.status).toBe("cancelled");
  });
});

test("what was signed before a connection took long is signed again", async () => {
  const { channel, secret } = await world.addChannel({
    url: receiver.url.replace("127.0.0.1", "hooks.example.com"),
  });
  await world.queue(channel);
  let rotated = "";
  const engine = world.run({
    // The name lookup represents all steps before the bytes are sent.
    async resolveDns() {
      if (rotated === "") {
        rotated = await world.rotate(channel);
        const heldMs = monotonicMs();
        while (monotonicMs() - heldMs < 300) await new Promise((resolve) => setImmediate(resolve));
      }
      return ["127.0.0.1"];
    },
  });
  await engine.outcomes.waitFor(1);
  const [request] = receiver.requests;
  const signature = request?.headers["x-service-signature"] ?? "";
  expect(await verify(rotated, String(request?.body), signature)).toBe(true);
  expect(await verify(secret, String(request?.body), signature)).toBe(false);
  expect(receiver.requests).toHaveLength(1);
});

test("after a rotation webhook-signature carries both signatures, until the old one is ended", async () => {
  world.clock.set(systemClock.now());
  const { channel, secret } = await world.addChannel({ url: receiver.url });
  const oldEndsAt = new Date(world.clock.now().getTime() + dayMs);
  const rotated = await world.rotate(channel, oldEndsAt);
  await world.queue(channel);
  const engine = world.run();
  await engine.outcomes.waitFor(1);
  await world.database.endOldSecret({ id: channel.id, now: world.clock.now() });
  await world.queue(channel);
  engine.wake();
  await engine.outcomes.waitFor(2);
  const [both, alone] = receiver.requests;
  const accepts = (key: string, at: typeof both): boolean => {
    try {
      new Webhook(key).verify(String(at?.body), at?.headers ?? {});
      return true;
    } catch {
      return false;
    }
  };
  expect([accepts(rotated, both), accepts(secret, both)]).toEqual([true, true]);
  expect([accepts(rotated, alone), accepts(secret, alone)]).toEqual([true, false]);
  // The contract's header is by the new secret at once.
  const signature = both?.headers["x-service-signature"] ?? "";
  expect(await verify(rotated, String(both?.body), signature)).toBe(true);
});
