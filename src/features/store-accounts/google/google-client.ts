// Requests to Google's APIs with the token of a service account.
import type { Clock } from "../../../lib/clock.ts";
import type { Http } from "../../../lib/http.ts";
import { minuteMs } from "../../../lib/timestamp.ts";
import { AccountClient, type AccountWords } from "../account-client.ts";
import { requestServiceToken, type ServiceCredential, serviceAccount } from "./service-token.ts";

export const playName = "The Google Play Developer API";

/** The quota of an app is of one hour. */
const overQuotaMs = 10 * minuteMs;

export function createGoogleClient(options: {
  http: Http;
  oauthBaseUrl: string;
  clock: Clock;
  credential: ServiceCredential;
}): AccountClient {
  const issueToken = (nowMs: number) => requestServiceToken(options, nowMs);
  return new AccountClient({ ...options, issueToken, overQuotaMs });
}

/** @param api.permission what the account needs for the request */
export function googleWords({ name, permission }: { name: string; permission: string }) {
  return {
    name,
    credential: serviceAccount,
    unauthorized: "the token is not accepted",
    forbidden: `it lacks the permission "${permission}"`,
    missing: { 400: "knows nothing of that (HTTP 400)", 404: "knows nothing of that (HTTP 404)" },
  } satisfies AccountWords;
}
