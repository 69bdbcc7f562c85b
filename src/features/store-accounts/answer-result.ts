// Reads from a store's response whether it took an answer, surely did not, or may have.
import type { AnswerResult } from "../../domain/review/store-answer.ts";
import { listAt, parseJson, textAt } from "../../lib/json.ts";
import { sourceText } from "../../stores/source-text.ts";
import type { AccountResponse, FailedRequest } from "./account-client.ts";

const reasonMax = 300;
// Nothing came back, or a server that failed: the request may have been carried out before.
const isUncertain = (status: number | null): boolean => status === null || status >= 500;

export function toAnswerResult<T>(
  response: AccountResponse,
  parse: (text: string) => T | undefined,
): AnswerResult<T> {
  if (response.kind === "failed") return toFailure(response);
  const value = parse(response.text);
  if (value !== undefined) return { outcome: "ok", value };
  const reason = "The store answered with something else than an answer to a review.";
  return { outcome: "unknown", reason, retryAfterMs: null, isTaken: "maybe" };
}

function toFailure({ status, outcome, text = "" }: FailedRequest): AnswerResult<never> {
  const { retryAfterMs, isNotSent, isCredentialRefused } = outcome;
  const isRefused = status !== null && status >= 400 && status < 500 && status !== 408;
  if (isCredentialRefused || (isRefused && status !== 429)) {
    const words = reasonIn(text);
    return { outcome: "refused", reason: words ? `${outcome.reason}: ${words}` : outcome.reason };
  }
  const isTaken = isUncertain(status) && !isNotSent ? "maybe" : "no";
  return { outcome: "unknown", reason: outcome.reason, retryAfterMs, isTaken };
}

/** In Apple's form and in Google's. */
function reasonIn(body: string): string {
  const json = parseJson(body);
  const [error] = listAt(json, "errors") ?? [];
  return sourceText(textAt(error, "detail") ?? textAt(json, "error", "message"), reasonMax);
}
