// One attempt from the claimed delivery to its outcome: sign with the secret of this moment, send,
// and say what follows.
import type { Clock } from "../lib/clock.ts";
import { SecretBoxError } from "../lib/secret-box.ts";
import type {
  ClaimedDelivery,
  DeliveryOutcome,
  FinishedAttempt,
  SendTarget,
} from "../reviews/delivery.ts";
import { readRetryAfter, scheduleRetry } from "./retry-schedule.ts";
import type { Posted, Sender } from "./sender.ts";
import type { DeliverySettings } from "./settings.ts";
import { composeHeaders } from "./signature.ts";

/** Opens what secret-box.ts sealed. */
export type Secrets = { open(box: Buffer, associatedData: string): string };

export type AttemptTools = {
  clock: Clock;
  secrets: Secrets;
  sender: Pick<Sender, "post">;
  random: () => number;
  settings: Pick<DeliverySettings, "version" | "cycleSeconds" | "giveUpDays">;
};

export async function attemptDelivery(
  tools: AttemptTools,
  { delivery, target }: { delivery: ClaimedDelivery; target: SendTarget },
): Promise<FinishedAttempt> {
  const startedAt = tools.clock.now();
  const startedMs = performance.now();
  const posted = await signAndPost(tools, { delivery, target });
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

async function signAndPost(
  tools: AttemptTools,
  { delivery, target }: { delivery: ClaimedDelivery; target: SendTarget },
): Promise<Posted> {
  const secret = openSecret(tools.secrets, { delivery, target });
  if (secret.kind === "sealed") return { ...unsent, reason: secret.reason };
  const signing = {
    secret: secret.value,
    now: tools.clock.now(),
    version: tools.settings.version,
  };
  const headers = composeHeaders(delivery, signing);
  return tools.sender.post({ url: target.url, headers, body: delivery.body });
}

const unsent = { status: null, isTimeout: false, retryAfter: null, answer: null } as const;

/** A key that is missing for the moment must not lose a delivery: it is retried like any failure. */
function openSecret(
  secrets: Secrets,
  { delivery, target }: { delivery: ClaimedDelivery; target: SendTarget },
): { kind: "open"; value: string } | { kind: "sealed"; reason: string } {
  try {
    return { kind: "open", value: secrets.open(target.sealedSecret, delivery.channelId) };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { kind: "sealed", reason: `the signing secret can't be opened: ${error.message}` };
  }
}

function decideOutcome(
  tools: AttemptTools,
  { delivery, posted }: { delivery: ClaimedDelivery; posted: Posted },
): DeliveryOutcome {
  if (posted.reason === null) return { kind: "delivered" };
  const now = tools.clock.now();
  const { queuedAt, retryCount } = delivery;
  const retryAfterMs = readRetryAfter(posted.retryAfter, now);
  return scheduleRetry(
    { now, queuedAt, retryCount, retryAfterMs, random: tools.random() },
    tools.settings,
  );
}
