import { expect, test } from "vitest";
import type { Delivery } from "../../../../src/dashboard-api/contract/channels.ts";
import { deliveryState, describeResult } from "./delivery-state.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const pending = {
  status: "pending" as Delivery["status"],
  dueAt: "2026-11-21T12:00:40Z" as string | null,
  attemptCount: 1,
  lastStatus: null as number | null,
  lastReason: null as string | null,
};
const describeDelivery = (change: Partial<typeof pending>) => {
  const delivery = { ...pending, ...change };
  return `${deliveryState(delivery, now)}: ${describeResult(delivery, now)}`;
};
const past = "2026-11-21T11:59:59Z";

test("an attempt under way is being sent, not an attempt without an answer", () => {
  expect(describeDelivery({ dueAt: past })).toBe("sending: first attempt");
});

test("what failed waits for its next attempt, and says how it failed", () => {
  expect(describeDelivery({ lastStatus: 503 })).toBe("retrying: 1 attempt, HTTP 503");
  expect(describeDelivery({ lastReason: "timeout", attemptCount: 3 })).toBe(
    "retrying: 3 attempts, timeout",
  );
});

test("a delivered one that is sent again does not read as a failure", () => {
  expect(describeDelivery({ lastStatus: 204 })).toBe("waiting: 1 attempt, HTTP 204");
  expect(describeDelivery({ dueAt: past, lastStatus: 204 })).toBe(
    "sending: Redelivered after HTTP 204",
  );
});

test("what expired has failed, and what was cancelled says why", () => {
  const ended = { dueAt: null, attemptCount: 9, lastStatus: 500 };
  expect(describeDelivery({ ...ended, status: "expired" })).toBe(
    "failed: gave up after 9 attempts, HTTP 500",
  );
  expect(describeDelivery({ ...ended, status: "delivered", lastStatus: 200 })).toBe(
    "delivered: 9 attempts, HTTP 200",
  );
  expect(describeDelivery({ ...ended, status: "cancelled" })).toContain("no longer matches");
});
