// The meaning of a mail server's answer, which may differ by recipient. Bounces that come later as an e-mail go to EMAIL_FROM
// and are not read.
import { cleanText } from "../../../domain/clean-text.ts";
import type { FailureReason } from "../../../lib/failure-causes.ts";
import { type Answered, retry, type SendOutcome } from "../../send/endpoint.ts";

/** A recipient that the server did not take. */
export type Refusal = { address: string; response: string; isForGood: boolean };

export type MailResult =
  | {
      kind: "accepted";
      /** The server's last reply. */
      response: string;
      refused: readonly Refusal[];
    }
  | (FailureReason & {
      kind: "failed";
      /** All recipients, if nothing else was wrong. */
      refused: readonly Refusal[];
    });

const answerBytesMax = 1_024;

/** @param hasArrived whether an earlier attempt reached other recipients */
export function readMailResult(
  result: MailResult,
  { hasArrived }: { hasArrived: boolean },
): Answered & { outcome: SendOutcome } {
  const outcome = judge(result, hasArrived);
  const lines = result.refused.map(({ address, response }) => `${address}: ${response}`);
  const text = [result.kind === "accepted" ? result.response : result.reason, ...lines].join("\n");
  return {
    kind: "answered",
    status: null,
    reason: outcome.kind === "delivered" ? null : outcome.reason,
    isTimeout: result.kind === "failed" && result.cause === "timeout",
    retryAfter: null,
    answer: Buffer.from(text).subarray(0, answerBytesMax),
    outcome,
  };
}

/** Recipients that the server takes later, for example because it greylists. */
export function listDeferred({ refused }: MailResult): Refusal[] {
  return refused.filter(({ isForGood }) => !isForGood);
}

function judge(result: MailResult, hasArrived: boolean): SendOutcome {
  const deferred = listDeferred(result);
  const clean = (text: string): string => cleanText(text).slice(0, 300);
  if (deferred.length > 0) {
    const addresses = deferred.map(({ address }) => address).join(", ");
    return retry(clean(`put off for ${addresses}: the mail server says: ${deferred[0]?.response}`));
  }
  if (result.kind === "accepted") return { kind: "delivered" };
  if (result.refused.length === 0) return retry(clean(result.reason));
  return hasArrived ? { kind: "delivered" } : { kind: "unreachable", reason: clean(result.reason) };
}
