// The current state of a delivery. The service says `pending` for all that is not settled: what is due is
// being sent, and what failed waits for its next attempt.
import type { Delivery } from "../../../../src/dashboard-api/contract/channels.ts";
import { formatQuantity } from "../../format/numbers.ts";

export type DeliveryState =
  | "waiting"
  | "sending"
  | "retrying"
  | "delivered"
  | "failed"
  | "cancelled";

export type DeliveryFacts = Pick<
  Delivery,
  "status" | "dueAt" | "attemptCount" | "lastStatus" | "lastReason"
>;

export function deliveryState(delivery: DeliveryFacts, nowMs: number): DeliveryState {
  const { status, dueAt } = delivery;
  if (status === "expired") return "failed";
  if (status !== "pending") return status;
  if (dueAt === null || Date.parse(dueAt) <= nowMs) return "sending";
  return hasFailed(delivery) ? "retrying" : "waiting";
}

/** Beside the state: how the last attempt ended. First attempts have none. */
export function describeResult(delivery: DeliveryFacts, nowMs: number): string {
  const state = deliveryState(delivery, nowMs);
  const { attemptCount, lastStatus, lastReason } = delivery;
  const result = lastReason ?? (lastStatus === null ? null : `HTTP ${lastStatus}`);
  if (state === "cancelled") return "no longer matches the channel's events and filters";
  if (result === null) return state === "waiting" ? "no attempt yet" : "first attempt";
  if (state === "sending") return `Redelivered after ${result}`;
  if (state === "failed")
    return `gave up after ${formatQuantity(attemptCount, "attempt")}, ${result}`;
  return `${formatQuantity(attemptCount, "attempt")}, ${result}`;
}

/** A delivered one that is sent again has not failed. */
function hasFailed({ lastStatus, lastReason }: DeliveryFacts): boolean {
  return lastStatus === null ? lastReason !== null : lastStatus < 200 || lastStatus > 299;
}
