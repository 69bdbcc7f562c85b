// Where the deliveries of a channel go and how, as its row said at one moment, and what an answer means for a delivery.
import type { DueDelivery } from "../../domain/channel/delivery.ts";
import { hideSecrets } from "../../lib/hide-secrets.ts";
import { parseRetryAfter } from "../../lib/retry-after.ts";

/** How often its destination may be sent to; channels with the same key share it. */
export type Pace = { key: string; intervalMs: number };

export type ResolvedEndpoint = {
  url: string;
  host: string;
  /** null: as fast as the limits of the process allow. */
  pace: Pace | null;
  /** Whether 410 deletes the channel, as the contract of webhooks says. */
  isDroppedBy410: boolean;
  send(sending: Sending): Promise<Sent>;
};

export type Sending = {
  delivery: DueDelivery;
  now: Date;
  /** Whether the endpoint may still be used, right before the bytes leave. */
  isFresh: () => boolean;
  /** Sent again, because the connection of the attempt before ended before the request was read. */
  isRepeat: boolean;
};

/** The result of a request. */
export type Answered = {
  kind: "answered";
  /** null without an answer. */
  status: number | null;
  /** null for a 2xx. */
  reason: string | null;
  isTimeout: boolean;
  retryAfter: string | null;
  /** The beginning of the answer, or null. */
  answer: Buffer | null;
  /** The request was sent and no answer came: it may have been carried out. */
  isUncertain?: boolean;
  /** The connection, idle until then, ended at once: most likely the request has not been read. */
  isUnread?: boolean;
};

/** `stale`: not sent, because what it was made of grew old. */
export type Sent = { kind: "stale" } | Attempted;

export type Attempted = Answered & { outcome: SendOutcome };

/** Without an answer, for that reason; null when nothing had to be sent. */
export function unanswered(reason: string | null, isTimeout = false): Answered {
  return { kind: "answered", status: null, reason, isTimeout, retryAfter: null, answer: null };
}

/** Services repeat tokens that they refuse, also in a redirect's URL, and members read it. */
export function withoutSecrets(sent: Attempted, secrets: readonly string[]): Attempted {
  const { answer, reason, outcome } = sent;
  return {
    ...sent,
    answer: answer && Buffer.from(hideSecrets(answer.toString("utf8"), secrets)),
    reason: reason && hideSecrets(reason, secrets),
    outcome:
      outcome.kind === "delivered"
        ? outcome
        : { ...outcome, reason: hideSecrets(outcome.reason, secrets) },
  };
}

/** Nothing was sent. */
export function unsent(outcome: SendOutcome): Attempted {
  return { ...unanswered(outcome.kind === "delivered" ? null : outcome.reason), outcome };
}

/** Sends nothing: each delivery is a failed attempt with this reason. */
export function unusableEndpoint(
  { url, host }: { url: string; host: string },
  reason: string,
): ResolvedEndpoint {
  const send = async (): Promise<Sent> => unsent(retry(reason));
  return { url, host, pace: null, isDroppedBy410: false, send };
}

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
export function judged(posted: Answered, outcome: SendOutcome): Attempted {
  return { ...posted, reason: outcome.kind === "delivered" ? null : outcome.reason, outcome };
}

/** Tried again by the usual schedule. */
export function retry(reason: string): SendOutcome & { kind: "retry" } {
  return { kind: "retry", reason, retryAfterMs: null, isThrottled: false };
}
