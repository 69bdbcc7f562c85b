// One attempt from a delivery to its outcome: sign with the secret of this moment, send, and say what follows.

import type { DeliveryOutcome, DueDelivery, FinishedAttempt } from "../domain/delivery.ts";
import { type Clock, monotonicMs } from "../lib/clock.ts";
import { parseRetryAfter } from "../lib/retry-after.ts";
import type { ResolvedEndpoint } from "./resolved-endpoint.ts";
import { scheduleRetry } from "./retry-schedule.ts";
import type { Answered, Posted, Sender } from "./sender.ts";
import type { DeliverySettings } from "./settings.ts";
import { composeHeaders, listMessageKeys } from "./signature.ts";

export type AttemptDeps = {
  clock: Clock;
  sender: Pick<Sender, "check" | "post">;
  random: () => number;
  settings: Pick<DeliverySettings, "version" | "cycleSeconds" | "giveUpDays">;
};

type AttemptInput = {
  delivery: DueDelivery;
  endpoint: ResolvedEndpoint;
  /** Whether the endpoint may still be used, right before the bytes leave. */
  isFresh: () => boolean;
};

/** Null when nothing was sent because the endpoint's facts had grown old by then. */
export async function attemptDelivery(
  deps: AttemptDeps,
  input: AttemptInput,
): Promise<FinishedAttempt | null> {
  const { delivery } = input;
  const startedAt = deps.clock.now();
  const startedMs = monotonicMs();
  const posted = await signAndPost(deps, input);
  if (posted.kind === "stale") return null;
  return {
    deliveryId: delivery.id,
    channelId: delivery.channelId,
    number: delivery.attemptCount + 1,
    startedAt,
    // How long a real socket took: a clock that tests move says nothing about it.
    durationMs: Math.round(monotonicMs() - startedMs),
    status: posted.status,
    reason: posted.reason,
    answer: posted.answer,
    isTimeout: posted.isTimeout,
    outcome: decideOutcome(deps, { delivery, posted }),
  };
}

function signAndPost(
  deps: AttemptDeps,
  { delivery, endpoint, isFresh }: AttemptInput,
): Promise<Posted> {
  const { signer, target } = endpoint;
  if (signer.kind === "sealed") return Promise.resolve({ ...unsent, reason: signer.reason });
  const now = deps.clock.now();
  const headers = composeHeaders(delivery, {
    bodyKey: signer.bodyKey,
    messageKeys: listMessageKeys({ ...endpoint, signer }, now),
    now,
    version: deps.settings.version,
  });
  return deps.sender.post({ target, headers, body: delivery.body, isFresh });
}

const unsent = {
  kind: "answered",
  status: null,
  isTimeout: false,
  retryAfter: null,
  answer: null,
} as const;

function decideOutcome(
  deps: AttemptDeps,
  { delivery, posted }: { delivery: DueDelivery; posted: Answered },
): DeliveryOutcome {
  if (posted.reason === null) return { kind: "delivered" };
  const now = deps.clock.now();
  const { queuedAt, retryCount } = delivery;
  const retryAfterMs = parseRetryAfter(posted.retryAfter, now);
  return scheduleRetry(
    { now, queuedAt, retryCount, retryAfterMs, random: deps.random() },
    deps.settings,
  );
}
