// What the hand lets go, and what it asks for ahead. Time is a number here.
import { expect, test } from "vitest";
import type { ClaimedDelivery } from "../domain/delivery.ts";
import { Hand } from "./hand.ts";

const settings = {
  inFlightMax: 8,
  failingMax: 4,
  perHostMax: 4,
  perChannelMax: 2,
  aheadFactor: 4,
};
const later = Number.MAX_SAFE_INTEGER;

function claimed(channelId: string, count: number, host = channelId): ClaimedDelivery[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${channelId}-${index}`,
    channelId,
    event: "review.created",
    body: Buffer.from("{}"),
    isTest: false,
    queuedAt: new Date(0),
    attemptCount: 0,
    retryCount: 0,
    leaseToken: "lease",
    host,
    isRetry: false,
    isFailing: false,
    isProbe: false,
  }));
}

const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

/** Asks, and answers at once. */
function prepare(hand: Hand<string>, nowMs: number): string[] {
  const asked = hand.ask(nowMs);
  for (const one of asked) hand.prepare(one, { target: "there", readAtMs: nowMs });
  return idsOf(asked);
}

const start = (hand: Hand<string>, nowMs: number) =>
  hand.start(nowMs).map(({ delivery }) => delivery);

test("for each place one more is asked for ahead, and it takes the place without asking again", () => {
  const hand = new Hand<string>(settings);
  hand.take(claimed("a", 6), later);
  expect(prepare(hand, 0)).toEqual(["a-0", "a-1", "a-2", "a-3"]);
  const [first, ...others] = start(hand, 1);
  expect(idsOf(others)).toEqual(["a-1"]);
  if (first) hand.end(first);
  expect(idsOf(start(hand, 2))).toEqual(["a-2"]);
});

test("what was read too long ago waits, and is asked for again only when its turn has come", () => {
  const hand = new Hand<string>(settings);
  hand.take(claimed("a", 4), later);
  prepare(hand, 0);
  const [first] = start(hand, 0);
  expect(prepare(hand, 1_000)).toEqual([]);
  if (first) hand.end(first);
  expect(start(hand, 1_000)).toEqual([]);
  expect(prepare(hand, 1_000)).toEqual(["a-2"]);
  expect(idsOf(start(hand, 1_000))).toEqual(["a-2"]);
});

test("while every place is taken nothing is asked for again, however old it grows", () => {
  const hand = new Hand<string>(settings);
  const channels = Array.from({ length: 9 }, (_, index) => `c${index}`);
  hand.take(
    channels.flatMap((id) => claimed(id, 4)),
    later,
  );
  const asked = prepare(hand, 0);
  expect(asked).toHaveLength(2 * settings.inFlightMax);
  const started = start(hand, 0);
  expect(started).toHaveLength(settings.inFlightMax);
  // As many as follow, and nothing else.
  expect(prepare(hand, 1_000)).toEqual([]);
  for (const delivery of started) hand.end(delivery);
  expect(prepare(hand, 2_000).length).toBeGreaterThanOrEqual(settings.inFlightMax);
  expect(start(hand, 2_000)).toHaveLength(settings.inFlightMax);
});

test("nothing is asked for twice, and an answer for what left the hand starts nothing", () => {
  const hand = new Hand<string>(settings);
  hand.take(claimed("a", 2), later);
  const asked = hand.ask(0);
  expect(hand.ask(0)).toEqual([]);
  expect(hand.putBack("a")).toHaveLength(2);
  hand.take(claimed("a", 1), later);
  for (const one of asked) hand.prepare(one, { target: "old", readAtMs: 0 });
  expect(start(hand, 0)).toEqual([]);
  expect(prepare(hand, 0)).toEqual(["a-0"]);
  expect(start(hand, 0)).toHaveLength(1);
});

test("what is dropped makes way for what follows", () => {
  const hand = new Hand<string>(settings);
  hand.take(claimed("a", 3), later);
  const [first] = hand.ask(0);
  if (first) expect(hand.drop(first)).toBe(true);
  if (first) expect(hand.drop(first)).toBe(false);
  expect(hand.takenCount).toBe(2);
});

test("a host that many channels share has its places once, however much was asked for ahead", () => {
  const hand = new Hand<string>(settings);
  const channels = ["a", "b", "c", "d", "e"];
  hand.take(
    channels.flatMap((id) => claimed(id, 4, "shared")),
    later,
  );
  hand.take(claimed("other", 2), later);
  expect(prepare(hand, 0)).toHaveLength(2 * settings.perHostMax + 2);
  const started = start(hand, 0);
  expect(started.filter(({ host }) => host === "shared")).toHaveLength(settings.perHostMax);
  expect(started.filter(({ host }) => host === "other")).toHaveLength(2);
  for (const delivery of started) hand.end(delivery);
  // Whatever grew old or was never asked for: the places find somebody again.
  prepare(hand, 1_000);
  expect(start(hand, 1_000)).toHaveLength(settings.perHostMax);
});

test("a channel that stopped gives back what was ready", () => {
  const hand = new Hand<string>(settings);
  hand.take(claimed("a", 4), later);
  prepare(hand, 0);
  hand.stop("a");
  expect(start(hand, 0)).toEqual([]);
  expect(hand.ask(0)).toEqual([]);
  expect(hand.putBack("a")).toHaveLength(4);
  expect(hand.takenCount).toBe(0);
});
