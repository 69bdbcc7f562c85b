// The meaning of a mail server's answer. Bounces that come later as an e-mail go to EMAIL_FROM and are not read.
import { cleanText } from "../../../domain/clean-text.ts";
import type { Sent } from "../../send/endpoint.ts";
import { retry, type Verdict } from "../verdict.ts";

export type MailResult =
  | {
      kind: "accepted";
      /** The server's last reply. */
      response: string;
      /** Recipients that it did not take, each with its reason. */
      refused: readonly string[];
    }
  | {
      kind: "failed";
      /** Code of the server's reply; null when there was none. */
      replyCode: number | null;
      /** All recipients were refused, and nothing else was wrong. */
      isRecipientRefused: boolean;
      isTimeout: boolean;
      reason: string;
    };

const answerBytesMax = 1_024;

export function readMailResult(result: MailResult): Sent {
  const base = { kind: "answered", status: null, isTimeout: false, retryAfter: null } as const;
  if (result.kind === "accepted") {
    const answer = toAnswer([result.response, ...result.refused].join("\n"));
    return { ...base, reason: null, answer, verdict: { kind: "delivered" } };
  }
  const { isTimeout } = result;
  const reason = cleanText(result.reason).slice(0, 300);
  const verdict = judge(result, reason);
  return { ...base, isTimeout, reason, answer: toAnswer(result.reason), verdict };
}

function judge(result: MailResult & { kind: "failed" }, reason: string): Verdict {
  const code = result.replyCode ?? 0;
  // 5xx is for good (RFC 5321, 4.2.1): that mailbox does not exist or takes nothing.
  if (result.isRecipientRefused && code >= 500) return { kind: "unreachable", reason };
  return retry(reason);
}

function toAnswer(text: string): Buffer {
  return Buffer.from(text).subarray(0, answerBytesMax);
}
