// The meaning of an answer for a delivery.
import { parseRetryAfter } from "../../lib/retry-after.ts";
import type { Answered } from "../send/send.ts";

export type SendOutcome =
  | { kind: "delivered" }
  | {
      kind: "retry";
      reason: string;
      /** The wait that the service asks for, or null. */
      retryAfterMs: number | null;
      /** Nothing is wrong but the pace: the whole destination waits, and the delivery no longer than that. */
      isThrottled: boolean;
    }
  /** The destination is gone until a person changes something: no retry can help. */
  | { kind: "unreachable"; reason: string };

/** The rule of most: 2xx is delivered, 429 is a matter of pace, everything else is retried. */
export function judgeByStatus(posted: Answered, now: Date): SendOutcome {
  const { status, reason } = posted;
  if (reason === null) return { kind: "delivered" };
  const retryAfterMs = parseRetryAfter(posted.retryAfter, now);
  return { kind: "retry", reason, retryAfterMs, isThrottled: status === 429 };
}

/** The answer with what it means. */
export function judged(
  posted: Answered,
  outcome: SendOutcome,
): Answered & { outcome: SendOutcome } {
  return { ...posted, reason: outcome.kind === "delivered" ? null : outcome.reason, outcome };
}

/** Tried again by the usual schedule. */
export function retry(reason: string): SendOutcome & { kind: "retry" } {
  return { kind: "retry", reason, retryAfterMs: null, isThrottled: false };
}

export function unreachable(reason: string): SendOutcome {
  return { kind: "unreachable", reason };
}
