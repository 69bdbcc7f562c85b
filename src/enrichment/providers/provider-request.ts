// Asks a provider one thing over HTTP and reads its JSON answer. However it fails (away, busy, out of
// quota, not with this key) comes back as a value with a reason in words that holds no secret.

import type { ProviderFailure } from "../../domain/provider.ts";
import type { Http, HttpAnswer, HttpRequest } from "../../lib/http.ts";
import { hourMs, minuteMs, secondMs } from "../../lib/timestamp.ts";

export type Provider = {
  http: Http;
  baseUrl: string;
  /** null where none is needed. */
  apiKey: string | null;
};

export type ProviderResponse = { kind: "answer"; value: unknown };

/** A refusal (4xx) of what was asked, before it is taken for a failure: its status and own words. */
export type ParseRefusal<T> = (refusal: { status: number; message: string }) => T | null;

export async function requestProvider<T = never>(
  provider: Provider,
  request: Omit<HttpRequest, "url"> & { path: string; parseRefusal?: ParseRefusal<T> },
): Promise<ProviderResponse | ProviderFailure | T> {
  const { path, parseRefusal: readRefusal, ...rest } = request;
  const answer = await provider.http({ ...rest, url: `${provider.baseUrl}${path}` });
  if (answer.kind === "failed") {
    return failure({ about: "provider", reason: `no answer: ${answer.reason}, ${answer.detail}` });
  }
  const value = parseJson(answer.body);
  const words = hideSecret(wordsOf(value) ?? "", provider.apiKey);
  if (answer.status >= 200 && answer.status < 300) {
    return value === undefined
      ? failure({ about: "provider", reason: "its answer is no JSON: is the URL right?" })
      : { kind: "answer", value };
  }
  return readRefusal?.({ status: answer.status, message: words }) ?? toFailure(answer, words);
}

export function jsonPost(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return {
    method: "POST" as const,
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** An answer of an unexpected shape: of no use for this text, though the provider is there. */
export function unusableResponse(reason: string): ProviderFailure {
  return failure({ about: "text", reason });
}

function toFailure(
  answer: Extract<HttpAnswer, { kind: "answer" }>,
  words: string,
): ProviderFailure {
  const { status } = answer;
  const said = words === "" ? `HTTP ${status}` : `HTTP ${status}, ${words}`;
  const retryAfterMs = parseRetryAfter(answer.headers["retry-after"]);
  if (status === 401 || status === 403) {
    const reason = `it does not accept the key: ${said}`;
    return failure({ about: "provider", reason, restMs: 15 * minuteMs });
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    const reason = `nothing there answers as it should: ${said}`;
    return failure({ about: "provider", reason, restMs: 15 * minuteMs });
  }
  if (status === 402 || status === 456) {
    return failure({ about: "provider", reason: `its quota is used up: ${said}`, restMs: hourMs });
  }
  if (status === 429 || status === 408 || status === 425 || status >= 500) {
    const reason = `it can't answer right now: ${said}`;
    return failure({ about: "provider", reason, restMs: retryAfterMs });
  }
  return failure({ about: "text", reason: `it refused: ${said}` });
}

// Longer than this and a person should look.
const restMsMax = 6 * hourMs;

function parseRetryAfter(header: string | undefined): number | null {
  // As a date it would need the provider's clock; our own backoff does as well.
  if (header === undefined || !/^\d{1,6}$/.test(header.trim())) return null;
  return Math.min(Number(header) * secondMs, restMsMax);
}

/** What the four kinds of error bodies say: as `error`, `error.message`, `message`, `explanation`. */
function wordsOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const body = value as Record<string, unknown>;
  const error = body["error"];
  const inner =
    typeof error === "object" && error !== null && "message" in error ? error.message : error;
  const words = [inner, body["explanation"], body["message"]].find(
    (said) => typeof said === "string",
  );
  return typeof words === "string" ? words : null;
}

const wordsMax = 300;

// Some providers repeat the key that they refuse.
function hideSecret(words: string, secret: string | null): string {
  const hidden = secret === null || secret === "" ? words : words.replaceAll(secret, "…");
  return hidden.slice(0, wordsMax);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function failure(told: {
  about: ProviderFailure["about"];
  reason: string;
  restMs?: number | null;
}): ProviderFailure {
  return {
    kind: "failed",
    about: told.about,
    reason: told.reason,
    cooldownMs: told.restMs ?? null,
  };
}
