// Tells an answer worth parsing from everything else a store's host may send, and puts the latter
// into one sentence for a person.
import type { HttpAnswer, HttpFailure } from "../lib/http.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { Unknown } from "./store.ts";

export type Answered = Extract<HttpAnswer, { kind: "answer" }>;

/** The body of a 200, or why there is none. Statuses with a meaning are passed in `accepted`. */
export function readAnswer(
  answer: HttpAnswer,
  asked: { store: string; accepted?: readonly number[] },
): { kind: "answered"; status: number; text: string } | { kind: "refused"; unknown: Unknown } {
  const { store, accepted = [] } = asked;
  const refuse = (unknown: Unknown) => ({ kind: "refused" as const, unknown });
  if (answer.kind === "failed") return refuse(failureOf(answer, store));
  const text = answer.body.toString("utf8");
  if (isCaptcha(answer, text)) {
    return refuse(blocked(`${store} asks for a proof that a person is asking`));
  }
  const { status } = answer;
  if (status === 403 || status === 429) {
    const words = status === 403 ? "refuses to answer" : "says the requests are too many";
    const retryAfterMs = retryAfterOf(answer);
    return refuse({ ...blocked(`${store} ${words} (status ${status})`), retryAfterMs });
  }
  if (status === 200 || accepted.includes(status)) return { kind: "answered", status, text };
  const words = status >= 500 ? "has trouble" : "sent an unexpected answer";
  return refuse({
    ...unknown(`${store} ${words} (status ${status})`),
    retryAfterMs: retryAfterOf(answer),
  });
}

export function unknown(reason: string): Unknown {
  return { outcome: "unknown", reason, blocked: false, retryAfterMs: null };
}

export function blocked(reason: string): Unknown {
  return { ...unknown(reason), blocked: true };
}

export function failureOf(
  failure: { reason: HttpFailure; detail: string },
  store: string,
): Unknown {
  switch (failure.reason) {
    case "network":
      return unknown(`${store} could not be reached: ${failure.detail}`);
    case "timeout":
      return unknown(`${store} did not answer in time`);
    case "too_large":
      return unknown(`${store} sent more than is read of one answer`);
    case "truncated":
      return unknown(`${store} broke off in the middle of its answer`);
    case "resting":
      return unknown(`${store} was not asked: ${failure.detail}`);
    case "redirected":
      return blocked(`${store} sent the request on to another host (${failure.detail})`);
  }
}

/** Pages that stand in for an answer when a network is suspected; a status of 200 means nothing. */
function isCaptcha(answer: Answered, text: string): boolean {
  if (/^\/sorry\//.test(new URL(answer.url).pathname)) return true;
  const isFeed = /<feed\b/.test(text.slice(0, 1_000));
  const isHtml = /html/.test(answer.headers["content-type"] ?? "") || /^\s*</.test(text);
  // Real pages are large; the stand-ins are small.
  if (isFeed || !isHtml || text.length > 50_000) return false;
  // Data stands in scripts, and a review may mention anything.
  const words = text.replace(/<script\b[^>]*>.*?<\/script>/gs, "");
  return /unusual traffic|g-recaptcha|captcha-form/i.test(words);
}

/** `Retry-After` in seconds, or a date, which counts from the date of the answer itself. */
export function retryAfterOf({ headers }: Answered): number | null {
  const text = headers["retry-after"]?.trim();
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * secondMs;
  const waitMs = Date.parse(text) - Date.parse(headers["date"] ?? "");
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
