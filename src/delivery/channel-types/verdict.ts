// The meaning of an answer for a delivery.

export type Verdict =
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

/** How a service answered a request. */
export type ServiceAnswer = {
  /** null without an answer; the reason then says why. */
  status: number | null;
  reason: string | null;
  /** The `Retry-After` header in milliseconds, or null. */
  retryAfterMs: number | null;
  /** The first 1 KB. */
  text: string;
};

/** The rule of most: 2xx is delivered, 429 is a matter of pace, everything else is retried. */
export function judgeByStatus({ status, reason, retryAfterMs }: ServiceAnswer): Verdict {
  if (reason === null) return { kind: "delivered" };
  return { kind: "retry", reason, retryAfterMs, isThrottled: status === 429 };
}

/** Tried again by the usual schedule. */
export function retry(reason: string): Verdict & { kind: "retry" } {
  return { kind: "retry", reason, retryAfterMs: null, isThrottled: false };
}

export function unreachable(reason: string): Verdict {
  return { kind: "unreachable", reason };
}
