// A delivery that can't be read or sent stops no other one: not those of other channels, and not those of its own.
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import {
  type ChannelWorld,
  openChannelWorldWithReceiver,
} from "../../../test/support/channel-world.ts";
import { openChatDouble } from "../../../test/support/chat-doubles.ts";
import { claim, finish } from "../../../test/support/claims.ts";
import { createGate } from "../../../test/support/gate.ts";
import type { Receiver } from "../../../test/support/receiver.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import { silentLog } from "../../lib/log.ts";
import { createSteadyClock } from "../../lib/steady-clock.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";

let world: ChannelWorld;
let receiver: Receiver;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

const pathOf = ({ path }: { path: string }): string => path;

/** An expired delivery about a review, in a channel of its own. */
async function addExpired(): Promise<{ channel: Channel; reviewId: string; id: string }> {
  const reviewId = randomUUID();
  const url = receiver.url.replace("/hook", "/erased");
  const { channel } = await world.addChannel({ url });
  const [delivery] = await world.queue(channel, 1, { reviewId });
  await finish(world, await claim(world), { kind: "expired" });
  return { channel, reviewId, id: delivery?.id ?? "" };
}

const redeliverExpired = ({ id }: Channel): Promise<number> =>
  world.database.redeliver({ expiredOfChannelId: id, workspaceId: null, now: world.clock.now() });

test("a redelivery of all expired deliveries leaves out those of an erased review", async () => {
  const { channel, reviewId } = await addExpired();
  expect(await world.database.deleteDeliveriesOfReview(reviewId)).toBe(1);
  expect(await redeliverExpired(channel)).toBe(0);
  const other = await world.addChannel({ url: receiver.url });
  await world.queue(other.channel, 20);
  const engine = world.run();
  await engine.outcomes.waitFor(20);
  expect(receiver.requests.map(pathOf)).toEqual(Array(20).fill("/hook"));
});

test.each<[string, Partial<Channel>]>([
  ["stars", { stars: [5] }],
  ["topics", { topics: ["login"] }],
  ["events", { events: ["review.rating_drop"] }],
  ["a further filter", { filter: "language=de" }],
  ["words", { filter: "q=ferry" }],
])("expired deliveries that %s of now don't want stay expired", async (_, change) => {
  const { channel } = await world.addChannel({ url: receiver.url });
  const facts = { sentiment: null, language: "en", hasReply: false };
  const filterable = { rating: 1, topics: ["crash"], facts };
  const review = { rating: 1, title: null, text: "Slow", author: "", version: "", country: "us" };
  const body = Buffer.from(JSON.stringify({ app: { store: "appstore" }, review }));
  await world.queue(channel, 3, { event: "review.created", filterable, body });
  await finish(world, await claim(world), { kind: "expired" });
  await world.database.updateChannel({ ...channel, ...change });
  expect(await redeliverExpired(channel)).toBe(0);
  expect(await world.admin("select from ended_deliveries where status = 'expired'")).toHaveLength(
    3,
  );
  await world.database.updateChannel(channel);
  expect(await redeliverExpired(channel)).toBe(3);
});

test("an ended delivery that is not stored any more is not sent again", async () => {
  const { channel, id } = await addExpired();
  await world.admin("delete from deliveries");
  expect(await redeliverExpired(channel)).toBe(0);
  expect(await world.database.redeliver({ id, workspaceId: null, now: world.clock.now() })).toBe(0);
  expect(await world.admin("select from pending")).toEqual([]);
});

test("retention keeps a delivery whose redelivery is not committed yet", async () => {
  const { channel } = await addExpired();
  const [redelivered, committing] = [createGate(), createGate()];
  const again = world.database.transaction(async (tx) => {
    const now = world.clock.now();
    await tx.redeliver({ expiredOfChannelId: channel.id, workspaceId: null, now });
    redelivered.open();
    await committing.opened;
  });
  await redelivered.opened;
  const before = new Date(world.clock.now().getTime() + hourMs);
  const deleted = await world.database.deleteOldDeliveries({ before, limit: 10 });
  committing.open();
  await again;
  expect(deleted).toBe(0);
  expect(await world.admin("select from pending p join deliveries d using (id)")).toHaveLength(1);
});

test("a pending row without its delivery stops no other delivery", async () => {
  const { channel } = await world.addChannel({ url: receiver.url });
  const [orphan] = await world.queue(channel);
  await world.admin(`delete from deliveries where id = '${orphan?.id}'`);
  world.clock.advance(1_000);
  await world.queue(channel, 10);
  const other = await world.addChannel({ url: receiver.url.replace("/hook", "/other") });
  await world.queue(other.channel, 10);
  const engine = world.run();
  await engine.outcomes.waitFor(20);
  await engine.close();
  expect(await world.admin("select from pending")).toEqual([]);
  expect(await world.admin("select from ended_deliveries")).toEqual([]);
});

test("a delivery that can't be sent is an attempt with a reason, is retried later and expires", async () => {
  const slack = await openChatDouble("slack");
  world.onClose(() => slack.close());
  const { channel } = await world.addChannel({
    type: "slack",
    url: "http://127.0.0.1/…",
    secret: slack.url,
  });
  const [queued] = await world.queue(channel, 1, { body: Buffer.from("not JSON") });
  const logged: object[] = [];
  const log = { ...silentLog, error: (facts: object) => logged.push(facts) };
  const engine = world.run({ log });
  const [attempt] = await engine.outcomes.waitFor(1);
  expect(attempt).toMatchObject({ number: 1, status: null, outcome: { kind: "retry" } });
  expect(attempt?.reason).toContain("could not send this delivery");
  expect(logged).toMatchObject([{ deliveryId: queued?.id, channelId: channel.id }]);
  world.clock.advance(7 * dayMs);
  engine.wake();
  const [, second] = await engine.outcomes.waitFor(2);
  await engine.close();
  expect(second?.outcome).toEqual({ kind: "expired" });
});

test("nothing expires while the time is in doubt", async () => {
  receiver.reply({ kind: "status", status: 503 });
  const { channel } = await world.addChannel({ url: receiver.url });
  await world.queue(channel);
  world.clock.advance(400 * dayMs);
  const clock = createSteadyClock(world.clock.now());
  expect(clock.isSettled()).toBe(false);
  const engine = world.run({ clock });
  const [attempt] = await engine.outcomes.waitFor(1);
  expect(attempt?.outcome.kind).toBe("retry");
});
