// How a channel does after an attempt.
import type { ChannelHealth, FinishedAttempt } from "../../domain/delivery.ts";

/** The same object when nothing changed. */
export function healthAfter(
  health: ChannelHealth,
  { outcome, reason, startedAt, isTimeout }: FinishedAttempt,
): ChannelHealth {
  const { channelId, failingSince, failingReason, timeoutCount } = health;
  if (outcome.kind === "delivered") {
    if (failingSince === null && failingReason === null && timeoutCount === 0) return health;
    return { channelId, failingSince: null, failingReason: null, timeoutCount: 0 };
  }
  const timeouts = isTimeout ? timeoutCount + 1 : 0;
  const isSame = failingSince !== null && failingReason === reason && timeoutCount === timeouts;
  return isSame
    ? health
    : {
        channelId,
        failingSince: failingSince ?? startedAt,
        failingReason: reason,
        timeoutCount: timeouts,
      };
}
