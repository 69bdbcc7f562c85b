// Tokens for App Store Connect: JWTs signed with the key of a team or of a user, used again until shortly
// before they expire.
import { SignJWT } from "jose";
import type { Clock } from "../../../lib/clock.ts";
import { minuteMs, secondMs } from "../../../lib/timestamp.ts";
import { parsePrivateKey } from "../../private-key.ts";

export type ConnectCredential = {
  keyId: string;
  /** null: the key belongs to a user, not to a team. */
  issuerId: string | null;
  privateKeyPem: string;
};

/** At most 20 minutes are allowed from issue to end. */
const lifeMs = 14 * minuteMs;
/** Apple's clock may be behind ours. */
const backdatedMs = minuteMs;
const renewBeforeMs = minuteMs;

export class ConnectTokens {
  readonly #clock: Clock;
  readonly #credential: ConnectCredential;
  #current: { jwt: string; endsMs: number } | null = null;

  constructor(clock: Clock, credential: ConnectCredential) {
    this.#clock = clock;
    this.#credential = credential;
  }

  /** null: the private key can't be used. */
  async token(): Promise<string | null> {
    const now = this.#clock.now().getTime();
    if (this.#current && now < this.#current.endsMs - renewBeforeMs) return this.#current.jwt;
    const key = await parsePrivateKey(this.#credential.privateKeyPem, "ES256");
    if (key === null) return null;
    const { keyId, issuerId } = this.#credential;
    const endsMs = now + lifeMs;
    const unsigned = new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: keyId, typ: "JWT" })
      .setIssuedAt(Math.floor((now - backdatedMs) / secondMs))
      .setExpirationTime(Math.floor(endsMs / secondMs))
      .setAudience("appstoreconnect-v1");
    const named = issuerId === null ? unsigned.setSubject("user") : unsigned.setIssuer(issuerId);
    this.#current = { jwt: await named.sign(key), endsMs };
    return this.#current.jwt;
  }

  /** Drops the token: the next one is new. */
  forget(): void {
    this.#current = null;
  }
}
