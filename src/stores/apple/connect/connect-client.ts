// Requests to App Store Connect: signed, slower when the hourly quota runs low, and every refusal put
// into words. Only the status of a refusal counts; its text is not promised to stay.
import type { Clock } from "../../../lib/clock.ts";
import type { Delay } from "../../../lib/delay.ts";
import type { Http } from "../../../lib/http.ts";
import { hourMs, minuteMs, secondMs } from "../../../lib/timestamp.ts";
import { failureOf, readAnswer, retryAfterOf, unknown } from "../../response-check.ts";
import type { Unknown } from "../../store.ts";
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
  /** As of the last answer that told it. */
  #quota: { limit: number; left: number } | null = null;

  constructor(options: ConnectClientOptions) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") };
    this.#tokens = new ConnectTokens(options.clock, options.credential);
  }

  /** The text of a good answer. */
  async get(path: string): Promise<{ kind: "answered"; text: string } | Refused> {
    await this.#slowDown();
    const first = await this.#send(path);
    if (first.kind !== "refused" || first.status !== 401) return first;
    // A clock or a revoked token may be at fault: one new token, and no more.
    this.#tokens.forget();
    return this.#send(path);
  }

  /** Spreads what is left of a nearly spent quota over the time in which it comes back. */
  async #slowDown(): Promise<void> {
    const quota = this.#quota;
    if (quota === null || quota.left >= quota.limit * lowShare) return;
    await this.#options.delay(Math.min(slowestMs, hourMs / Math.max(1, quota.left)));
  }

  async #send(path: string): Promise<{ kind: "answered"; text: string } | Refused> {
    const { http, baseUrl } = this.#options;
    const token = await this.#tokens.token();
    if (token === null) return refused(null, badCredential("its private key can't be read"));
    const answer = await http({
      method: "GET",
      url: `${baseUrl}${path}`,
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
    });
    if (answer.kind === "failed") return refused(null, failureOf(answer, connectName));
    this.#quota = quotaOf(answer.headers["x-rate-limit"]) ?? this.#quota;
    const { status } = answer;
    const retryAfterMs = retryAfterOf(answer);
    switch (status) {
      case 401:
        return refused(status, badCredential("the key is not accepted"));
      case 403:
        return refused(status, badCredential("the key's role may not read reviews"));
      case 404:
        return refused(status, {
          ...unknown(`${connectName} has no such app in this account`),
          isFinal: true,
        });
      case 429:
        return refused(status, {
          ...unknown(`${connectName} says the requests are too many (status 429)`),
          retryAfterMs: retryAfterMs ?? overQuotaMs,
        });
    }
    const read = readAnswer(answer, { store: connectName });
    return read.kind === "answered" ? read : refused(status, read.unknown);
  }
}

export type Refused = { kind: "refused"; status: number | null; unknown: Unknown };

const lowShare = 0.1;
const slowestMs = 10 * secondMs;
/** The quota is of a rolling hour: some of it is back soon. */
const overQuotaMs = 5 * minuteMs;

function refused(status: number | null, why: Unknown): Refused {
  return { kind: "refused", status, unknown: why };
}

function badCredential(words: string): Unknown {
  const reason = `${connectName} refuses the credential: ${words}`;
  return { ...unknown(reason), isFinal: true, isCredentialRefused: true };
}

/** `user-hour-lim:3500;user-hour-rem:500;` */
function quotaOf(header: string | undefined): { limit: number; left: number } | null {
  const limit = header?.match(/user-hour-lim:(\d{1,9})/)?.[1];
  const left = header?.match(/user-hour-rem:(\d{1,9})/)?.[1];
  return limit === undefined || left === undefined
    ? null
    : { limit: Number(limit), left: Number(left) };
}
