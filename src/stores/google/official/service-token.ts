// Access tokens for a Google service account: a signed assertion is changed for a token that is used
// until shortly before it ends.
import { SignJWT } from "jose";
import type { Clock } from "../../../lib/clock.ts";
import type { Http } from "../../../lib/http.ts";
import { minuteMs, secondMs } from "../../../lib/timestamp.ts";
import { numberAt, parseJson, textAt } from "../../json-value.ts";
import { readPrivateKey } from "../../private-key.ts";
import { readAnswer, unknown } from "../../response-check.ts";
import type { Unknown } from "../../store.ts";

export type ServiceCredential = {
  clientEmail: string;
  privateKeyPem: string;
  /** Of the key, where the key file tells it. */
  keyId?: string | null;
  /** Bucket of the Play Console exports, like `pubsite_prod_rev_01234`; without it none are read. */
  bucket?: string | null;
};

const scopes = [
  "https://www.googleapis.com/auth/androidpublisher",
  "https://www.googleapis.com/auth/devstorage.read_only",
];
/** What the assertion is for, whatever proxy it is sent through. */
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

  async token(): Promise<{ kind: "token"; token: string } | { kind: "refused"; unknown: Unknown }> {
    const { http, oauthBaseUrl, clock } = this.#options;
    const now = clock.now().getTime();
    const current = this.#current;
    if (current && now < current.endsMs - renewBeforeMs) {
      return { kind: "token", token: current.token };
    }
    const assertion = await this.#sign(now);
    if (assertion === null) return refuse("its private key can't be read");
    const answer = await http({
      method: "POST",
      url: `${oauthBaseUrl}/token`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: grantType, assertion }).toString(),
    });
    const read = readAnswer(answer, { store: "Google", accepted: [400, 401] });
    if (read.kind === "refused") return read;
    const json = parseJson(read.text);
    // One error stands for a wrong key, a disabled one and a clock that is off.
    if (read.status !== 200)
      return refuse(
        `${textAt(json, "error") ?? "refused"}; is the key current, and the clock right?`,
      );
    const token = textAt(json, "access_token");
    const lifeSeconds = numberAt(json, "expires_in") ?? 0;
    if (token === null || !/^[\x21-\x7e]{1,4096}$/.test(token)) {
      return { kind: "refused", unknown: unknown("Google sent something else than a token") };
    }
    this.#current = { token, endsMs: now + lifeSeconds * secondMs };
    return { kind: "token", token };
  }

  /** The next token is a new one. */
  forget(): void {
    this.#current = null;
  }

  /** null: the private key can't be used. */
  async #sign(now: number): Promise<string | null> {
    const { clientEmail, privateKeyPem, keyId } = this.#credential;
    const key = await readPrivateKey(privateKeyPem, "RS256");
    if (key === null) return null;
    // No subject: it would mean to act for somebody else.
    return new SignJWT({ scope: scopes.join(" ") })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId ? { kid: keyId } : {}) })
      .setIssuer(clientEmail)
      .setAudience(audience)
      .setIssuedAt(Math.floor((now - backdatedMs) / secondMs))
      .setExpirationTime(Math.floor((now + assertionLifeMs) / secondMs))
      .sign(key);
  }
}

function refuse(words: string): { kind: "refused"; unknown: Unknown } {
  const reason = `Google refuses the service account: ${words}`;
  return {
    kind: "refused",
    unknown: { ...unknown(reason), isFinal: true, isCredentialRefused: true },
  };
}
