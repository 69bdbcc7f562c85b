// Requests to Google's APIs in the name of a service account, with every refusal put into words.
import type { Clock } from "../../../lib/clock.ts";
import type { Http } from "../../../lib/http.ts";
import { minuteMs } from "../../../lib/timestamp.ts";
import {
  type Answered,
  failureOf,
  readAnswer,
  retryAfterOf,
  unknown,
} from "../../response-check.ts";
import type { Unknown } from "../../store.ts";
import { type ServiceCredential, ServiceTokens } from "./service-token.ts";

export type GoogleClientOptions = {
  http: Http;
  oauthBaseUrl: string;
  clock: Clock;
  credential: ServiceCredential;
};

/** Which service is asked and, in words, what for; the permission that opens it. */
export type Question = { url: string; store: string; permission: string; bodyBytesMax?: number };

export type GoogleAnswer =
  | { kind: "answered"; answer: Answered }
  | { kind: "refused"; status: number | null; unknown: Unknown };

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

  async get(question: Question): Promise<GoogleAnswer> {
    const first = await this.#send(question);
    if (first.kind !== "refused" || first.status !== 401) return first;
    // The token may have been revoked: one new one, and no more.
    this.#tokens.forget();
    return this.#send(question);
  }

  async #send(question: Question): Promise<GoogleAnswer> {
    const { url, store, permission, bodyBytesMax } = question;
    const granted = await this.#tokens.token();
    if (granted.kind === "refused") return refused(null, granted.unknown);
    const answer = await this.#http({
      method: "GET",
      url,
      headers: { authorization: `Bearer ${granted.token}` },
      ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
    });
    if (answer.kind === "failed") return refused(null, failureOf(answer, store));
    const { status } = answer;
    switch (status) {
      case 200:
        return { kind: "answered", answer };
      case 401:
        return refused(status, badCredential(store, "the token is not accepted"));
      case 403:
        return refused(status, badCredential(store, `it lacks the permission "${permission}"`));
      case 400:
      case 404:
        return refused(status, {
          ...unknown(`${store} knows nothing of that (status ${status})`),
          isFinal: true,
        });
      case 429:
        return refused(status, {
          ...unknown(`${store} says the requests are too many (status 429)`),
          retryAfterMs: retryAfterOf(answer) ?? overQuotaMs,
        });
    }
    const read = readAnswer(answer, { store });
    return refused(status, read.kind === "refused" ? read.unknown : unknown(`${store} is odd`));
  }
}

function refused(status: number | null, why: Unknown): GoogleAnswer {
  return { kind: "refused", status, unknown: why };
}

function badCredential(store: string, words: string): Unknown {
  const reason = `${store} refuses the service account: ${words}`;
  return { ...unknown(reason), isFinal: true, isCredentialRefused: true };
}
