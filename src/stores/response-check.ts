// Tells a response worth parsing from everything else that a store's host may send, and describes the
// latter in one sentence for a person.

import type { HttpFailure, HttpResult } from "../lib/http.ts";
import { parseRetryAfter, readRetryAfter } from "../lib/retry-after.ts";
import { withoutScripts } from "./html-scan.ts";
import type { FetchedPage, UnknownOutcome } from "./store.ts";

type HttpResponse = Extract<HttpResult, { kind: "response" }>;

export type CheckedResponse =
  | { kind: "ok"; status: number; text: string }
  | { kind: "failed"; outcome: UnknownOutcome };

/** The body of a 200, or of a status with a meaning of its own (`accepted`), or why there is none. */
export function checkResponse(
  response: HttpResult,
  { store, accepted = [] }: { store: string; accepted?: readonly number[] | undefined },
): CheckedResponse {
  const fail = (outcome: UnknownOutcome): CheckedResponse => ({ kind: "failed", outcome });
  if (response.kind === "failed") return fail(describeFailure(response, store));
  const text = response.body.toString("utf8");
  if (isCaptcha(response, text)) {
    return fail(blockedOutcome(`${store} asks for a captcha`));
  }
  const { status } = response;
  const retryAfterMs = retryAfterOf(response);
  if (status === 403 || status === 429) {
    const reason = status === 403 ? "refuses to answer" : "says the requests are too many";
    return fail({ ...blockedOutcome(`${store} ${reason} (HTTP ${status})`), retryAfterMs });
  }
  if (status === 200 || accepted.includes(status)) return { kind: "ok", status, text };
  const reason = status >= 500 ? "has trouble" : "sent an unexpected response";
  return fail({ ...unknownOutcome(`${store} ${reason} (HTTP ${status})`), retryAfterMs });
}

export function unknownOutcome(reason: string): UnknownOutcome {
  return { outcome: "unknown", reason, blocked: false, retryAfterMs: null };
}

export function blockedOutcome(reason: string): UnknownOutcome {
  return { ...unknownOutcome(reason), blocked: true };
}

/** Whether the same facts may come in another format or from another place: not where all requests fail alike. */
export function mayHelp({ blocked, isFinal, isNotSent }: UnknownOutcome): boolean {
  return !blocked && !isFinal && !isNotSent;
}

/** @param expected `a review page`, for example */
export function unexpectedContent(store: string, expected: string): UnknownOutcome {
  return unknownOutcome(`${store} answered with something that isn't ${expected}`);
}

/** Beside the outcome of the last page. */
export const noNextPage = { next: null, capped: false } as const;

export const foreignCursor: FetchedPage = {
  ...unknownOutcome("the cursor is not one of this store's"),
  ...noNextPage,
};

export function describeFailure(
  failure: { reason: HttpFailure; detail: string; retryAfterMs?: number },
  store: string,
): UnknownOutcome {
  switch (failure.reason) {
    case "network":
      return unknownOutcome(`${store} could not be reached: ${failure.detail}`);
    case "timeout":
      // Waiting for the host includes waiting for this one.
      return { ...unknownOutcome(`${store} did not answer in time`), isFinal: true };
    case "too_large":
      return unknownOutcome(`${store} sent more than is read of one response`);
    case "truncated":
      return unknownOutcome(`${store} broke off in the middle of its response`);
    case "not_sent":
      return {
        ...unknownOutcome(`${store} got no request: ${failure.detail}`),
        retryAfterMs: failure.retryAfterMs ?? null,
        isNotSent: true,
      };
    case "redirected":
      return blockedOutcome(`${store} ${failure.detail}`);
  }
}

/** Pages sent instead of the real one when a network is suspected, also under status 200. */
function isCaptcha(response: HttpResponse, text: string): boolean {
  if (/^\/sorry\//.test(new URL(response.url).pathname)) return true;
  const isFeed = /<feed\b/.test(text.slice(0, 1_000));
  const isHtml = /html/.test(response.headers["content-type"] ?? "") || /^\s*</.test(text);
  // Real pages are large; the stand-ins are small.
  if (isFeed || !isHtml || text.length > 50_000) return false;
  // Data is in scripts, and a review may mention anything.
  const visible = withoutScripts(text);
  return /unusual traffic|g-recaptcha|captcha-form/i.test(visible);
}

/** The wait that the store demands, in milliseconds; a date counts from the response's own. */
export function retryAfterOf({ headers, status }: HttpResponse): number | null {
  return parseRetryAfter(readRetryAfter(headers, status), new Date(headers["date"] ?? ""));
}
