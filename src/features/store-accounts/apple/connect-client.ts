// Requests to App Store Connect: signed, and slower when the hourly quota runs low.
import type { Clock } from "../../../lib/clock.ts";
import type { Delay } from "../../../lib/delay.ts";
import type { Http, HttpRequest } from "../../../lib/http.ts";
import { hourMs, minuteMs, secondMs } from "../../../lib/timestamp.ts";
import { AccountClient, type AccountRequest, type AccountResponse } from "../account-client.ts";
import { type ConnectCredential, connectWords, signConnectToken } from "./connect-token.ts";

export type ConnectClient = {
  get(path: string, options?: Pick<HttpRequest, "isAside">): Promise<AccountResponse>;
  send(
    path: string,
    request: Pick<HttpRequest, "method"> & Omit<AccountRequest, "url" | "headers">,
  ): Promise<AccountResponse>;
};

/** The quota is of a rolling hour: some of it is back soon. */
const overQuotaMs = 5 * minuteMs;

export function createConnectClient(options: {
  http: Http;
  baseUrl: string;
  clock: Clock;
  delay: Delay;
  credential: ConnectCredential;
}): ConnectClient {
  const baseUrl = options.baseUrl;
  const account = new AccountClient({
    http: spareQuota(options),
    clock: options.clock,
    issueToken: (nowMs) => signConnectToken(options.credential, nowMs),
    overQuotaMs,
  });
  const headers = { accept: "application/json" };
  return {
    get: (path, request) =>
      account.get({ ...request, url: `${baseUrl}${path}`, headers, words: connectWords }),
    send: (path, request) =>
      account.send({
        ...request,
        url: `${baseUrl}${path}`,
        headers: { ...headers, ...(request.body && { "content-type": "application/json" }) },
      }),
  };
}

const lowShare = 0.1;
const slowestMs = 10 * secondMs;

/** Spreads the rest of a nearly spent quota over the time in which it comes back. */
function spareQuota({ http, delay }: { http: Http; delay: Delay }): Http {
  // As of the last response that had it.
  let quota: { limit: number; left: number } | null = null;
  return async (request) => {
    if (quota && quota.left < quota.limit * lowShare)
      await delay(Math.min(slowestMs, hourMs / Math.max(1, quota.left)));
    const response = await http(request);
    const header = response.kind === "response" ? response.headers["x-rate-limit"] : undefined;
    // `user-hour-lim:3500;user-hour-rem:500;`
    const limit = header?.match(/user-hour-lim:(\d{1,9})/)?.[1];
    const left = header?.match(/user-hour-rem:(\d{1,9})/)?.[1];
    if (limit && left) quota = { limit: Number(limit), left: Number(left) };
    return response;
  };
}
