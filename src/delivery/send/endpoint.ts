// Where the deliveries of a channel go and how, as its row said at one moment, ready to be used.
import type { DueDelivery } from "../../domain/delivery.ts";
import type { Answered } from "./send.ts";
import { retry, type SendOutcome } from "./send-outcome.ts";

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
};

/** `stale`: not sent, because what it was made of grew old. */
export type Sent = { kind: "stale" } | (Answered & { outcome: SendOutcome });

/** Nothing was sent. */
export function unsent(outcome: SendOutcome): Sent {
  return {
    kind: "answered",
    status: null,
    reason: outcome.kind === "delivered" ? null : outcome.reason,
    isTimeout: false,
    retryAfter: null,
    answer: null,
    outcome,
  };
}

/** Sends nothing: each delivery is a failed attempt with this reason. */
export function unusableEndpoint(
  { url, host }: { url: string; host: string },
  reason: string,
): ResolvedEndpoint {
  const send = async (): Promise<Sent> => unsent(retry(reason));
  return { url, host, pace: null, isDroppedBy410: false, send };
}
