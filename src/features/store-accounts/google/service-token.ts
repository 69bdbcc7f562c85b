// Access tokens for a Google service account: a signed assertion is exchanged for a token.
import { SignJWT } from "jose";
import type { Http } from "../../../lib/http.ts";
import { numberAt, parseJson, textAt } from "../../../lib/json.ts";
import { minuteMs, secondMs } from "../../../lib/timestamp.ts";
import { checkResponse, unexpectedContent } from "../../../stores/response-check.ts";
import type { UnknownOutcome } from "../../../stores/store.ts";
import { parsePrivateKey, refuseCredential, type Token } from "../account-client.ts";

export type ServiceCredential = {
  clientEmail: string;
  privateKeyPem: string;
  /** The key's id, if the key file has it. */
  keyId?: string | null;
  /** Bucket of the Play Console exports, like `pubsite_prod_rev_01234`; without it none are read. */
  bucket?: string | null;
};

const scopes = [
  "https://www.googleapis.com/auth/androidpublisher",
  "https://www.googleapis.com/auth/devstorage.read_only",
];
/** The audience stays the same behind a proxy. */
const audience = "https://oauth2.googleapis.com/token";
const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const assertionLifeMs = 50 * minuteMs;
const backdatedMs = 30 * secondMs;

export const serviceAccount = "service account";

export async function requestServiceToken(
  account: { http: Http; oauthBaseUrl: string; credential: ServiceCredential },
  nowMs: number,
): Promise<Token | UnknownOutcome> {
  const assertion = await signAssertion(account.credential, nowMs);
  if (assertion === null) return refuse("its private key can't be read");
  const response = await account.http({
    method: "POST",
    url: `${account.oauthBaseUrl}/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: grantType, assertion }).toString(),
  });
  const checked = checkResponse(response, { store: "Google", accepted: [400, 401] });
  if (checked.kind === "failed") return checked.outcome;
  const json = parseJson(checked.text);
  // The same error is returned for a wrong key, a disabled one and a clock that is off.
  if (checked.status !== 200)
    return refuse(
      `${textAt(json, "error") ?? "refused"}; is the key current, and the clock right?`,
    );
  const text = textAt(json, "access_token");
  const lifeSeconds = numberAt(json, "expires_in") ?? 0;
  if (text === null || !/^[\x21-\x7e]{1,4096}$/.test(text))
    return unexpectedContent("Google", "a token");
  return { text, endsMs: nowMs + lifeSeconds * secondMs };
}

/** null: the private key can't be used. */
async function signAssertion(
  { clientEmail, privateKeyPem, keyId }: ServiceCredential,
  nowMs: number,
): Promise<string | null> {
  const key = await parsePrivateKey(privateKeyPem, "RS256");
  if (key === null) return null;
  // No subject: it would mean to act for another user.
  return new SignJWT({ scope: scopes.join(" ") })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId ? { kid: keyId } : {}) })
    .setIssuer(clientEmail)
    .setAudience(audience)
    .setIssuedAt(Math.floor((nowMs - backdatedMs) / secondMs))
    .setExpirationTime(Math.floor((nowMs + assertionLifeMs) / secondMs))
    .sign(key);
}

function refuse(why: string): UnknownOutcome {
  return refuseCredential({ name: "Google", credential: serviceAccount }, why);
}
