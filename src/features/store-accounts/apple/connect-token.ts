// Tokens for App Store Connect: JWTs signed with the key of a team or of a user.
import { SignJWT } from "jose";
import { minuteMs, secondMs } from "../../../lib/timestamp.ts";
import type { UnknownOutcome } from "../../../stores/store.ts";
import {
  type AccountWords,
  parsePrivateKey,
  refuseCredential,
  type Token,
} from "../account-client.ts";

export type ConnectCredential = {
  keyId: string;
  /** null: the key belongs to a user, not to a team. */
  issuerId: string | null;
  privateKeyPem: string;
};

export const connectName = "App Store Connect";

export const connectWords: AccountWords = {
  name: connectName,
  credential: "credential",
  unauthorized: "the key is not accepted",
  forbidden: "the key's role may not read reviews",
  missing: { 404: "has no such app in this account" },
};

/** At most 20 minutes are allowed from issue to end. */
const lifeMs = 14 * minuteMs;
/** Apple's clock may be behind ours. */
const backdatedMs = minuteMs;

export async function signConnectToken(
  { keyId, issuerId, privateKeyPem }: ConnectCredential,
  nowMs: number,
): Promise<Token | UnknownOutcome> {
  const key = await parsePrivateKey(privateKeyPem, "ES256");
  if (key === null) return refuseCredential(connectWords, "its private key can't be read");
  const endsMs = nowMs + lifeMs;
  const unsigned = new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: keyId, typ: "JWT" })
    .setIssuedAt(Math.floor((nowMs - backdatedMs) / secondMs))
    .setExpirationTime(Math.floor(endsMs / secondMs))
    .setAudience("appstoreconnect-v1");
  const named = issuerId === null ? unsigned.setSubject("user") : unsigned.setIssuer(issuerId);
  return { text: await named.sign(key), endsMs };
}
