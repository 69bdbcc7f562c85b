// One attempt from the claimed delivery to its outcome: sign with the secret of this moment, send,
// and say what follows.

import type { ClaimedDelivery, DeliveryOutcome, FinishedAttempt } from "../domain/delivery.ts";
import type { Clock } from "../lib/clock.ts";
import { parseRetryAfter } from "../lib/retry-after.ts";
import { scheduleRetry } from "./retry-schedule.ts";
import type { Posted, Sender } from "./sender.ts";
import type { DeliverySettings } from "./settings.ts";
import { composeHeaders, type Signer } from "./signature.ts";
import type { UrlCheck } from "./url-check.ts";

export type AttemptTools = {
  clock: Clock;
  sender: Pick<Sender, "check" | "post">;
  random: () => number;
  settings: Pick<DeliverySettings, "version" | "cycleSeconds" | "giveUpDays">;
};

type Wanted = { delivery: ClaimedDelivery; target: UrlCheck; signer: Signer };

export async function attemptDelivery(
  tools: AttemptTools,
  wanted: Wanted,
): Promise<FinishedAttempt> {
  const { delivery } = wanted;
  const startedAt = tools.clock.now();
  const startedMs = performance.now();
  const posted = await signAndPost(tools, wanted);
  return {
    deliveryId: delivery.id,
    channelId: delivery.channelId,
    leaseToken: delivery.leaseToken,
    number: delivery.attemptCount + 1,
    startedAt,
    // How long a real socket took: a clock that tests move says nothing about it.
    durationMs: Math.round(performance.now() - startedMs),
    status: posted.status,
    reason: posted.reason,
    answer: posted.answer,
    isTimeout: posted.isTimeout,
    outcome: decideOutcome(tools, { delivery, posted }),
  };
}

function signAndPost(tools: AttemptTools, { delivery, target, signer }: Wanted): Promise<Posted> {
  if (signer.kind === "sealed") return Promise.resolve({ ...unsent, reason: signer.reason });
  const now = tools.clock.now();
  const headers = composeHeaders(delivery, { signer, now, version: tools.settings.version });
  return tools.sender.post({ target, headers, body: delivery.body });
}

const unsent = { status: null, isTimeout: false, retryAfter: null, answer: null } as const;

function decideOutcome(
  tools: AttemptTools,
  { delivery, posted }: { delivery: ClaimedDelivery; posted: Posted },
): DeliveryOutcome {
  if (posted.reason === null) return { kind: "delivered" };
  const now = tools.clock.now();
  const { queuedAt, retryCount } = delivery;
  const retryAfterMs = parseRetryAfter(posted.retryAfter, now);
  return scheduleRetry(
    { now, queuedAt, retryCount, retryAfterMs, random: tools.random() },
    tools.settings,
  );
}
