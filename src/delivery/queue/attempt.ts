// One attempt from a delivery to its outcome: send it as its channel's type does, and say what follows.

import type { DeliveryOutcome, DueDelivery, FinishedAttempt } from "../../domain/delivery.ts";
import { type Clock, monotonicMs } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Verdict } from "../channel-types/verdict.ts";
import { type ResolvedEndpoint, type Sending, type Sent, unsent } from "../send/endpoint.ts";
import { retryAfterMaxMs, scheduleRetry } from "./retry-schedule.ts";
import type { DeliverySettings } from "./settings.ts";

export type AttemptDeps = {
  clock: Clock;
  log: Log;
  random: () => number;
  settings: Pick<DeliverySettings, "cycleSeconds" | "giveUpDays">;
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
  { delivery, endpoint, isFresh }: AttemptInput,
): Promise<FinishedAttempt | null> {
  const startedAt = deps.clock.now();
  const startedMs = monotonicMs();
  const sent = await send(deps, { endpoint, sending: { delivery, now: startedAt, isFresh } });
  if (sent.kind === "stale") return null;
  const { verdict } = sent;
  return {
    deliveryId: delivery.id,
    channelId: delivery.channelId,
    number: delivery.attemptCount + 1,
    startedAt,
    // How long a real socket took: a clock that tests move says nothing about it.
    durationMs: Math.round(monotonicMs() - startedMs),
    status: sent.status,
    reason: sent.reason,
    answer: sent.answer,
    isTimeout: sent.isTimeout,
    outcome: decideOutcome(deps, { delivery, verdict }),
    holdOffMs: verdict.kind === "retry" && verdict.isThrottled ? verdict.retryAfterMs : null,
  };
}

// People see the reason: the error itself is in the log alone.
const cantBeSent = "Starpost could not send this delivery; its log has the error";

/** Any error is a failed attempt, which is retried later and expires like any other. */
async function send(
  { log }: AttemptDeps,
  { endpoint, sending }: { endpoint: ResolvedEndpoint; sending: Sending },
): Promise<Sent> {
  try {
    return await endpoint.send(sending);
  } catch (error) {
    const { id: deliveryId, channelId } = sending.delivery;
    log.error({ reason: String(error), deliveryId, channelId }, "a delivery could not be sent");
    return unsent({ kind: "retry", reason: cantBeSent, retryAfterMs: null, isThrottled: false });
  }
}

export function logAttempt(
  log: Log,
  { delivery, attempt }: { delivery: DueDelivery; attempt: FinishedAttempt },
): void {
  const { deliveryId, channelId, number, status, reason, durationMs, outcome } = attempt;
  const { event } = delivery;
  const facts = { deliveryId, channelId, event, number, status, reason, durationMs, outcome };
  if (outcome.kind === "delivered") log.debug(facts, "delivered");
  else log.info(facts, "an attempt failed");
}

function decideOutcome(
  deps: AttemptDeps,
  { delivery, verdict }: { delivery: DueDelivery; verdict: Verdict },
): DeliveryOutcome {
  if (verdict.kind === "delivered") return { kind: "delivered" };
  if (verdict.kind === "unreachable") return { kind: "expired" };
  const now = deps.clock.now();
  const { queuedAt, retryCount } = delivery;
  const { retryAfterMs, isThrottled } = verdict;
  const mayExpire = deps.clock.isSettled?.() ?? true;
  const outcome = scheduleRetry(
    { now, queuedAt, retryCount, retryAfterMs, mayExpire, random: deps.random() },
    deps.settings,
  );
  // Nothing failed: it goes out as soon as the service takes it.
  if (outcome.kind !== "retry" || !isThrottled || retryAfterMs === null) return outcome;
  return {
    kind: "retry",
    dueAt: new Date(now.getTime() + Math.min(retryAfterMs, retryAfterMaxMs)),
  };
}
