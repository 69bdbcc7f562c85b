// When a failed delivery is due again, or that it has expired. Pure.

import type { DeliveryOutcome } from "../../domain/channel/delivery.ts";
import { dayMs, hourMs, secondMs } from "../../lib/timestamp.ts";

const cycleMaxMs = hourMs;
const jitterShare = 0.2;
/** An endpoint may ask for patience, but not for ever. */
export const retryAfterMaxMs = 6 * hourMs;

/**
 * @param failure.retryCount failures in this give-up window, this one not counted
 * @param failure.retryAfterMs what the endpoint asked for, or null
 * @param failure.mayExpire false while the time is in doubt: a failure is retried whatever `now` says
 * @param failure.random in [0, 1)
 */
export function scheduleRetry(
  failure: {
    now: Date;
    queuedAt: Date;
    retryCount: number;
    retryAfterMs: number | null;
    mayExpire: boolean;
    random: number;
  },
  settings: { cycleSeconds: number; giveUpDays: number },
): DeliveryOutcome {
  const now = failure.now.getTime();
  const endsAt = failure.queuedAt.getTime() + settings.giveUpDays * dayMs;
  if (now >= endsAt && failure.mayExpire) return { kind: "expired" };
  // 2^30 seconds is beyond any cycle: the exponent needs no more.
  const doubledMs = settings.cycleSeconds * secondMs * 2 ** Math.min(failure.retryCount, 30);
  const jitter = 1 - jitterShare + 2 * jitterShare * failure.random;
  const delayMs = Math.round(Math.min(doubledMs, cycleMaxMs) * jitter);
  const askedMs = Math.min(failure.retryAfterMs ?? 0, retryAfterMaxMs);
  const leftMs = now < endsAt ? endsAt - now : Number.POSITIVE_INFINITY;
  // The last attempt comes no later than the window's end, unless the endpoint asked for more.
  return {
    kind: "retry",
    dueAt: new Date(Math.max(now + Math.min(delayMs, leftMs), now + askedMs)),
  };
}
