// Requests to Google's APIs with the token of a service account, and with every failure in one sentence.
import type { Clock } from "../../../lib/clock.ts";
import type { Http, HttpRequest } from "../../../lib/http.ts";
import { minuteMs } from "../../../lib/timestamp.ts";
import {
  checkResponse,
  describeFailure,
  type HttpResponse,
  retryAfterOf,
  unknownOutcome,
} from "../../response-check.ts";
import type { UnknownOutcome } from "../../store.ts";
import { type ServiceCredential, ServiceTokens } from "./service-token.ts";

export type GoogleClientOptions = {
  http: Http;
  oauthBaseUrl: string;
  clock: Clock;
  credential: ServiceCredential;
};

/** `store`: the service as people call it; `permission`: what the account needs for the request. */
export type GoogleRequest = {
  url: string;
  store: string;
  permission: string;
  bodyBytesMax?: number;
  readBody?: HttpRequest["readBody"];
};

export type GoogleResult =
  | { kind: "ok"; response: HttpResponse }
  | { kind: "failed"; status: number | null; outcome: UnknownOutcome };

/** The quota of an app is of one hour. */
const overQuotaMs = 10 * minuteMs;

export class GoogleClient {
  readonly #http: Http;
  readonly #tokens: ServiceTokens;

  constructor(options: GoogleClientOptions) {
    this.#http = options.http;
    const oauthBaseUrl = options.oauthBaseUrl.replace(/\/+$/, "");
    this.#tokens = new ServiceTokens({ ...options, oauthBaseUrl }, options.credential);
  }

  async get(request: GoogleRequest): Promise<GoogleResult> {
    const first = await this.#send(request);
    if (first.kind !== "failed" || first.status !== 401) return first;
    // The token may have been revoked: one try with a new one.
    this.#tokens.forget();
    return this.#send(request);
  }

  async #send(request: GoogleRequest): Promise<GoogleResult> {
    const { url, store, permission, bodyBytesMax, readBody } = request;
    const granted = await this.#tokens.token();
    if (granted.kind === "failed") return failed(null, granted.outcome);
    const response = await this.#http({
      method: "GET",
      url,
      headers: { authorization: `Bearer ${granted.token}` },
      ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
      ...(readBody && { readBody }),
    });
    if (response.kind === "failed") return failed(null, describeFailure(response, store));
    const { status } = response;
    switch (status) {
      case 200:
        return { kind: "ok", response };
      case 401:
        return failed(status, badCredential(store, "the token is not accepted"));
      case 403:
        return failed(status, badCredential(store, `it lacks the permission "${permission}"`));
      case 400:
      case 404:
        return failed(status, {
          ...unknownOutcome(`${store} knows nothing of that (HTTP ${status})`),
          isFinal: true,
        });
      case 429:
        return failed(status, {
          ...unknownOutcome(`${store} says the requests are too many (HTTP 429)`),
          retryAfterMs: retryAfterOf(response) ?? overQuotaMs,
        });
    }
    const checked = checkResponse(response, { store });
    return failed(
      status,
      checked.kind === "failed"
        ? checked.outcome
        : unknownOutcome(`${store} sent an unexpected response (HTTP ${status})`),
    );
  }
}

function failed(status: number | null, outcome: UnknownOutcome): GoogleResult {
  return { kind: "failed", status, outcome };
}

function badCredential(store: string, why: string): UnknownOutcome {
  const reason = `${store} refuses the service account: ${why}`;
  return { ...unknownOutcome(reason), isFinal: true, isCredentialRefused: true };
}
