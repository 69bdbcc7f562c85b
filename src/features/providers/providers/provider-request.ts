// One HTTP request to a provider with a JSON response. Every failure (no connection, overloaded, out of
// quota, wrong key) is a value with a reason in words that contains no secret.

import type { ProviderFailure } from "../../../domain/review/provider.ts";
import { hideSecrets } from "../../../lib/hide-secrets.ts";
import type { Http, HttpRequest, HttpResult } from "../../../lib/http.ts";
import { parseJson } from "../../../lib/json.ts";
import { parseRetryAfter, readRetryAfter } from "../../../lib/retry-after.ts";
import { hourMs, minuteMs } from "../../../lib/timestamp.ts";

export type Provider = {
  http: Http;
  baseUrl: string;
  /** null where none is needed. */
  apiKey: string | null;
};

export type ProviderResponse = { kind: "response"; value: unknown };

/** Sees an HTTP error before it counts as a failure: its status and the provider's error message. */
type ParseRefusal<T> = (refusal: { status: number; message: string }) => T | null;

/** A request body as JSON, with its method and headers. */
export function jsonPost(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return {
    method: "POST" as const,
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

export async function requestProvider<T = never>(
  provider: Provider,
  request: Omit<HttpRequest, "url"> & { path: string; parseRefusal?: ParseRefusal<T> },
): Promise<ProviderResponse | ProviderFailure | T> {
  const { path, parseRefusal, ...rest } = request;
  const response = await provider.http({ ...rest, url: `${provider.baseUrl}${path}` });
  if (response.kind === "failed") {
    return providerFailure(`no answer: ${response.detail}`);
  }
  const value = parseJson(response.body.toString("utf8"));
  if (response.status >= 200 && response.status < 300) {
    return value === undefined
      ? providerFailure("its response is not JSON: is the URL right?")
      : { kind: "response", value };
  }
  const message = hideSecrets(errorMessageOf(value) ?? "", [provider.apiKey ?? ""]).slice(
    0,
    messageCharactersMax,
  );
  return parseRefusal?.({ status: response.status, message }) ?? toFailure(response, message);
}

/** For a response of an unexpected shape: it is useless for this text, but the provider works. */
export function unusableResponse(reason: string): ProviderFailure {
  return { kind: "failed", about: "text", reason, cooldownMs: null };
}

function toFailure(
  response: Extract<HttpResult, { status: number }>,
  message: string,
): ProviderFailure {
  const { status, headers } = response;
  const detail = message === "" ? `HTTP ${status}` : `HTTP ${status}, ${message}`;
  if (status === 401 || status === 403) {
    return providerFailure(`it does not accept the key: ${detail}`, 15 * minuteMs);
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return providerFailure(`the URL seems to be wrong: ${detail}`, 15 * minuteMs);
  }
  if (status === 402 || status === 456) {
    return providerFailure(`its quota is used up: ${detail}`, hourMs);
  }
  if (status === 429 || status === 408 || status === 425 || status >= 500) {
    const sentAt = new Date(headers["date"] ?? "");
    const retryAfterMs = parseRetryAfter(readRetryAfter(headers, status), sentAt);
    const cooldownMs = retryAfterMs && Math.min(retryAfterMs, cooldownMsMax);
    return providerFailure(`it can't answer right now: ${detail}`, cooldownMs);
  }
  return unusableResponse(`it refused: ${detail}`);
}

function providerFailure(reason: string, cooldownMs: number | null = null): ProviderFailure {
  return { kind: "failed", about: "provider", reason, cooldownMs };
}

// A longer one would hide a problem that an operator has to solve.
const cooldownMsMax = 6 * hourMs;

/** Providers report errors as `error`, `error.message`, `explanation` or `message`. */
function errorMessageOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const body = value as Record<string, unknown>;
  const error = body["error"];
  const inner =
    typeof error === "object" && error !== null && "message" in error ? error.message : error;
  const texts = [inner, body["explanation"], body["message"]];
  return texts.find((text) => typeof text === "string") ?? null;
}

const messageCharactersMax = 300;
