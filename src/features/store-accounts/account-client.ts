// Requests to a store's API in the name of an account: with a token that is used until shortly before it expires, and
// with every failure in one sentence. Only the status of a failure counts; its text is not promised to stay.
import { type CryptoKey, importPKCS8 } from "jose";
import type { Clock } from "../../lib/clock.ts";
import type { Http, HttpRequest } from "../../lib/http.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import {
  checkResponse,
  describeFailure,
  retryAfterOf,
  unknownOutcome,
} from "../../stores/response-check.ts";
import type { UnknownOutcome } from "../../stores/store.ts";

export type FailedRequest = {
  kind: "failed";
  status: number | null;
  outcome: UnknownOutcome;
  /** The body of a response. */
  text?: string;
};

/** `text`: the body of a response of status 200, or of one that took what was sent. */
export type AccountResponse = { kind: "ok"; text: string } | FailedRequest;

export type AccountRequest = Omit<HttpRequest, "method"> & { words: AccountWords };

/** How people call the API, and what it says with some statuses. */
export type AccountWords = {
  name: string;
  /** In `App Store Connect refuses the credential`. */
  credential: string;
  unauthorized: string;
  forbidden: string;
  missing: Readonly<Record<number, string>>;
};

export type Token = { text: string; endsMs: number };

type AccountOptions = {
  http: Http;
  clock: Clock;
  issueToken: (nowMs: number) => Promise<Token | UnknownOutcome>;
  /** The wait after 429 without a `Retry-After`. */
  overQuotaMs: number;
};

// Created, and no content: of what was sent.
const acceptedStatuses = [201, 204];
const renewBeforeMs = minuteMs;

export class AccountClient {
  readonly #options: AccountOptions;
  #token: Token | null = null;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  get(request: AccountRequest): Promise<AccountResponse> {
    return this.send({ ...request, method: "GET" });
  }

  async send(request: AccountRequest & Pick<HttpRequest, "method">): Promise<AccountResponse> {
    const first = await this.#send(request);
    if (first.kind !== "failed" || first.status !== 401) return first;
    // A clock that is off or a revoked token may be the cause: one try with a new token.
    this.#token = null;
    return this.#send(request);
  }

  async #send({
    words,
    headers,
    ...request
  }: AccountRequest & Pick<HttpRequest, "method">): Promise<AccountResponse> {
    const { http, clock, issueToken, overQuotaMs } = this.#options;
    const nowMs = clock.now().getTime();
    if (!this.#token || nowMs >= this.#token.endsMs - renewBeforeMs) {
      const issued = await issueToken(nowMs);
      if ("outcome" in issued) return failed(null, issued);
      this.#token = issued;
    }
    const authorization = `Bearer ${this.#token.text}`;
    const response = await http({ ...request, headers: { ...headers, authorization } });
    if (response.kind === "failed") return failed(null, describeFailure(response, words.name));
    const { status } = response;
    if (status === 401) return failed(status, refuseCredential(words, words.unauthorized));
    if (status === 403) return failed(status, refuseCredential(words, words.forbidden));
    const missing = words.missing[status];
    if (missing !== undefined) {
      return failed(status, { ...unknownOutcome(`${words.name} ${missing}`), isFinal: true });
    }
    if (status === 429) {
      const reason = `${words.name} says the requests are too many (HTTP 429)`;
      const retryAfterMs = retryAfterOf(response) ?? overQuotaMs;
      return failed(status, { ...unknownOutcome(reason), retryAfterMs });
    }
    const checked = checkResponse(response, { store: words.name, accepted: acceptedStatuses });
    if (checked.kind === "ok") return checked;
    return { ...failed(status, checked.outcome), text: response.body.toString("utf8") };
  }
}

function failed(status: number | null, outcome: UnknownOutcome): FailedRequest {
  return { kind: "failed", status, outcome };
}

export function refuseCredential(
  { name, credential }: Pick<AccountWords, "name" | "credential">,
  why: string,
): UnknownOutcome {
  const reason = `${name} refuses the ${credential}: ${why}`;
  return { ...unknownOutcome(reason), isFinal: true, isCredentialRefused: true };
}

/**
 * Private keys as people paste them: PKCS#8 in PEM, at times with `\n` written out for line breaks. null: no private
 * key for that algorithm.
 */
export async function parsePrivateKey(
  pem: string,
  algorithm: "ES256" | "RS256",
): Promise<CryptoKey | null> {
  try {
    return await importPKCS8(pem.replaceAll("\\n", "\n").trim(), algorithm);
  } catch {
    // The reason does not help, and might quote the key.
    return null;
  }
}
