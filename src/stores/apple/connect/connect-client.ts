// Requests to App Store Connect: signed, slower when the hourly quota runs low, and with every failure
// in one sentence. Only the status of a failure counts; its text is not promised to stay.
import type { Clock } from "../../../lib/clock.ts";
import type { Delay } from "../../../lib/delay.ts";
import type { Http, HttpRequest } from "../../../lib/http.ts";
import { hourMs, minuteMs, secondMs } from "../../../lib/timestamp.ts";
import {
  checkResponse,
  describeFailure,
  retryAfterOf,
  unknownOutcome,
} from "../../response-check.ts";
import type { UnknownOutcome } from "../../store.ts";
import { type ConnectCredential, ConnectTokens } from "./connect-token.ts";

export const connectName = "App Store Connect";

export type ConnectClientOptions = {
  http: Http;
  baseUrl: string;
  clock: Clock;
  delay: Delay;
  credential: ConnectCredential;
};

export class ConnectClient {
  readonly #options: ConnectClientOptions;
  readonly #tokens: ConnectTokens;
  /** As of the last response that had it. */
  #quota: Quota | null = null;

  constructor(options: ConnectClientOptions) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") };
    this.#tokens = new ConnectTokens(options.clock, options.credential);
  }

  /** The body of a good response. */
  async get(
    path: string,
    options: Pick<HttpRequest, "isAside"> = {},
  ): Promise<{ kind: "ok"; text: string } | FailedRequest> {
    await this.#slowDown();
    const first = await this.#send(path, options);
    if (first.kind !== "failed" || first.status !== 401) return first;
    // A clock that is off or a revoked token may be the cause: one try with a new token.
    this.#tokens.forget();
    return this.#send(path, options);
  }

  /** Spreads the rest of a nearly spent quota over the time in which it comes back. */
  async #slowDown(): Promise<void> {
    const quota = this.#quota;
    if (quota === null || quota.left >= quota.limit * lowShare) return;
    await this.#options.delay(Math.min(slowestMs, hourMs / Math.max(1, quota.left)));
  }

  async #send(
    path: string,
    options: Pick<HttpRequest, "isAside">,
  ): Promise<{ kind: "ok"; text: string } | FailedRequest> {
    const { http, baseUrl } = this.#options;
    const token = await this.#tokens.token();
    if (token === null) return failed(null, badCredential("its private key can't be read"));
    const response = await http({
      method: "GET",
      url: `${baseUrl}${path}`,
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
      ...options,
    });
    if (response.kind === "failed") return failed(null, describeFailure(response, connectName));
    this.#quota = quotaOf(response.headers["x-rate-limit"]) ?? this.#quota;
    const { status } = response;
    const retryAfterMs = retryAfterOf(response);
    switch (status) {
      case 401:
        return failed(status, badCredential("the key is not accepted"));
      case 403:
        return failed(status, badCredential("the key's role may not read reviews"));
      case 404:
        return failed(status, {
          ...unknownOutcome(`${connectName} has no such app in this account`),
          isFinal: true,
        });
      case 429:
        return failed(status, {
          ...unknownOutcome(`${connectName} says the requests are too many (HTTP 429)`),
          retryAfterMs: retryAfterMs ?? overQuotaMs,
        });
    }
    const checked = checkResponse(response, { store: connectName });
    return checked.kind === "ok" ? checked : failed(status, checked.outcome);
  }
}

type Quota = { limit: number; left: number };

export type FailedRequest = { kind: "failed"; status: number | null; outcome: UnknownOutcome };

const lowShare = 0.1;
const slowestMs = 10 * secondMs;
/** The quota is of a rolling hour: some of it is back soon. */
const overQuotaMs = 5 * minuteMs;

function failed(status: number | null, outcome: UnknownOutcome): FailedRequest {
  return { kind: "failed", status, outcome };
}

function badCredential(why: string): UnknownOutcome {
  const reason = `${connectName} refuses the credential: ${why}`;
  return { ...unknownOutcome(reason), isFinal: true, isCredentialRefused: true };
}

/** `user-hour-lim:3500;user-hour-rem:500;` */
function quotaOf(header: string | undefined): Quota | null {
  const limit = header?.match(/user-hour-lim:(\d{1,9})/)?.[1];
  const left = header?.match(/user-hour-rem:(\d{1,9})/)?.[1];
  return limit === undefined || left === undefined
    ? null
    : { limit: Number(limit), left: Number(left) };
}
