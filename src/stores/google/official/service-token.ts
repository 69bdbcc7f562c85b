// Access tokens for a Google service account: a signed assertion is exchanged for a token that is used
// until shortly before it expires.
import { SignJWT } from "jose";
import type { Clock } from "../../../lib/clock.ts";
import type { Http } from "../../../lib/http.ts";
import { numberAt, parseJson, textAt } from "../../../lib/json.ts";
import { minuteMs, secondMs } from "../../../lib/timestamp.ts";
import { parsePrivateKey } from "../../private-key.ts";
import { checkResponse, unexpectedContent, unknownOutcome } from "../../response-check.ts";
import type { UnknownOutcome } from "../../store.ts";

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
const renewBeforeMs = minuteMs;

export class ServiceTokens {
  readonly #options: { http: Http; oauthBaseUrl: string; clock: Clock };
  readonly #credential: ServiceCredential;
  #current: { token: string; endsMs: number } | null = null;

  constructor(
    options: { http: Http; oauthBaseUrl: string; clock: Clock },
    credential: ServiceCredential,
  ) {
    this.#options = options;
    this.#credential = credential;
  }

  async token(): Promise<
    { kind: "token"; token: string } | { kind: "failed"; outcome: UnknownOutcome }
  > {
    const { http, oauthBaseUrl, clock } = this.#options;
    const now = clock.now().getTime();
    const current = this.#current;
    if (current && now < current.endsMs - renewBeforeMs) {
      return { kind: "token", token: current.token };
    }
    const assertion = await this.#sign(now);
    if (assertion === null) return fail("its private key can't be read");
    const response = await http({
      method: "POST",
      url: `${oauthBaseUrl}/token`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: grantType, assertion }).toString(),
    });
    const checked = checkResponse(response, { store: "Google", accepted: [400, 401] });
    if (checked.kind === "failed") return checked;
    const json = parseJson(checked.text);
    // The same error is returned for a wrong key, a disabled one and a clock that is off.
    if (checked.status !== 200)
      return fail(
        `${textAt(json, "error") ?? "refused"}; is the key current, and the clock right?`,
      );
    const token = textAt(json, "access_token");
    const lifeSeconds = numberAt(json, "expires_in") ?? 0;
    if (token === null || !/^[\x21-\x7e]{1,4096}$/.test(token)) {
      return {
        kind: "failed",
        outcome: unexpectedContent("Google", "a token"),
      };
    }
    this.#current = { token, endsMs: now + lifeSeconds * secondMs };
    return { kind: "token", token };
  }

  /** Drops the token: the next one is new. */
  forget(): void {
    this.#current = null;
  }

  /** null: the private key can't be used. */
  async #sign(now: number): Promise<string | null> {
    const { clientEmail, privateKeyPem, keyId } = this.#credential;
    const key = await parsePrivateKey(privateKeyPem, "RS256");
    if (key === null) return null;
    // No subject: it would mean to act for another user.
    return new SignJWT({ scope: scopes.join(" ") })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId ? { kid: keyId } : {}) })
      .setIssuer(clientEmail)
      .setAudience(audience)
      .setIssuedAt(Math.floor((now - backdatedMs) / secondMs))
      .setExpirationTime(Math.floor((now + assertionLifeMs) / secondMs))
      .sign(key);
  }
}

function fail(why: string): { kind: "failed"; outcome: UnknownOutcome } {
  const reason = `Google refuses the service account: ${why}`;
  return {
    kind: "failed",
    outcome: { ...unknownOutcome(reason), isFinal: true, isCredentialRefused: true },
  };
}
