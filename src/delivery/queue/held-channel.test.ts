// The states of a channel that a process holds; README.md has the table of transitions.
import { expect, test } from "vitest";
import type { ClaimedChannel, FinishedAttempt } from "../../domain/channel/delivery.ts";
import { type Moment, markMoment } from "../../lib/clock.ts";
import type { ResolvedEndpoint } from "../send/endpoint.ts";
import { HeldChannel } from "./held-channel.ts";

const now = new Date("2026-03-02T12:00:00Z");
const later = new Date(now.getTime() + 60_000);
const nothing = { hasMore: false, nextDueAt: null };

const claimed: ClaimedChannel = {
  channelId: "c",
  version: 1,
  type: "webhook",
  url: "https://hooks.example.com/in",
  recipients: [],
  request: null,
  host: "hooks.example.com",
  encryptedSecret: Buffer.alloc(0),
  oldEncryptedSecret: null,
  oldSecretEndsAt: null,
  failingSince: null,
  failingReason: null,
  timeoutCount: 0,
  isLeased: true,
  deliveries: [],
  hasMore: false,
  nextDueAt: null,
};

function aHeldChannel(): HeldChannel {
  const endpoint: ResolvedEndpoint = {
    url: claimed.url,
    host: claimed.host,
    pace: null,
    isDroppedBy410: true,
    send: () => Promise.reject(new Error("nothing is sent here")),
  };
  return new HeldChannel(1, claimed, endpoint);
}

function anAttempt(outcome: FinishedAttempt["outcome"]): FinishedAttempt {
  return {
    deliveryId: "d",
    event: "review.created",
    channelId: "c",
    number: 1,
    startedAt: now,
    durationMs: 5,
    status: outcome.kind === "delivered" ? 200 : 500,
    reason: outcome.kind === "delivered" ? null : "HTTP 500",
    answer: null,
    isTimeout: false,
    outcome,
  };
}

test("a leased channel is asked about once more, and is not idle until then", () => {
  const channel = aHeldChannel();
  channel.endClaim({ ...nothing, checkInMs: 20 });
  expect(channel.state.kind).toBe("waiting");
  expect(channel.isIdleFor(0)).toBe(false);
  channel.beginClaim();
  channel.endClaim(nothing);
  expect(channel.isIdleFor(0)).toBe(true);
});

test("a leased channel with more is due", () => {
  const channel = aHeldChannel();
  channel.endClaim({ hasMore: true, nextDueAt: null });
  expect(channel.state).toEqual({ kind: "due" });
});

test("a channel that is chosen is claiming, and a failure that is saved during the claim outlasts its answer", () => {
  const channel = aHeldChannel();
  channel.endClaim({ hasMore: true, nextDueAt: null });
  channel.beginClaim();
  expect(channel.state).toEqual({ kind: "claiming" });
  channel.giveBack("d");
  channel.endClaim(nothing);
  expect(channel.state).toEqual({ kind: "due" });
});

test("an answer with nothing more makes it wait, until its next delivery is due", () => {
  const channel = aHeldChannel();
  channel.endClaim({ hasMore: false, nextDueAt: later });
  expect(channel.state).toMatchObject({ kind: "waiting", dueAt: later });
  channel.wakeAt(now);
  expect(channel.state).toMatchObject({ kind: "waiting", dueAt: later });
  channel.wakeAt(later);
  expect(channel.state).toEqual({ kind: "due" });
});

test("a waiting channel is due when a delivery is given back, and idle only without busy ones", () => {
  const channel = aHeldChannel();
  channel.hold("d");
  channel.endClaim(nothing);
  expect(channel.state.kind).toBe("waiting");
  expect(channel.isIdleFor(0)).toBe(false);
  channel.giveBack("d");
  expect(channel.state).toEqual({ kind: "due" });
  channel.beginClaim();
  channel.endClaim(nothing);
  expect(channel.isIdleFor(0)).toBe(true);
});

test("a delivery given back during a claim is asked about by the next one", () => {
  const channel = aHeldChannel();
  channel.hold("d");
  channel.giveBack("d");
  channel.endClaim(nothing);
  expect(channel.state).toEqual({ kind: "due" });
});

test("a failed attempt changes its health, and the delivery is busy until its outcome is saved", () => {
  const channel = aHeldChannel();
  channel.hold("d");
  channel.endClaim(nothing);
  channel.noteAttempt(anAttempt({ kind: "retry", dueAt: later }));
  expect(channel.isHealthChanged).toBe(true);
  expect(channel.health).toMatchObject({ failingSince: now, failingReason: "HTTP 500" });
  expect([...channel.busyIds]).toEqual(["d"]);
  channel.giveBack("d");
  expect(channel.state).toEqual({ kind: "due" });
  expect(channel.busyIds.size).toBe(0);
});

test("a claim is good for a moment, and for longer after each one that was too old", () => {
  const channel = aHeldChannel();
  const at = (agoMs: number): Moment => {
    const moment = markMoment();
    return { monotonicMs: moment.monotonicMs - agoMs, wallMs: moment.wallMs - agoMs };
  };
  expect(channel.isRecent(at(10))).toBe(true);
  expect(channel.isRecent(at(150))).toBe(false);
  channel.noteStale();
  expect(channel.isRecent(at(150))).toBe(true);
  // The machine was suspended: its monotonic clock stood still.
  expect(channel.isRecent({ ...at(10), wallMs: at(60_000).wallMs })).toBe(false);
  for (let count = 0; count < 10; count += 1) channel.noteAttempt(anAttempt({ kind: "delivered" }));
  expect(channel.isRecent(at(150))).toBe(false);
});

test("a delivery that was not read is repeated once, and says nothing about the channel's health", () => {
  const channel = aHeldChannel();
  channel.noteUnread("d");
  expect(channel.isHealthChanged).toBe(false);
  expect([channel.takeRepeat("d"), channel.takeRepeat("d")]).toEqual([true, false]);
});

test("claims are good for longer and longer, but not without end", () => {
  const channel = aHeldChannel();
  let count = 0;
  while (channel.noteStale() && count < 100) count += 1;
  expect(count).toBe(6);
  expect(channel.noteStale()).toBe(false);
});

test("a lost channel stays lost", () => {
  const channel = aHeldChannel();
  channel.lose();
  channel.endClaim({ hasMore: true, nextDueAt: null });
  channel.giveBack("d");
  channel.wakeAt(later);
  expect(channel.isLost).toBe(true);
});
