// The token that a browser keeps after a sign-in: a proof that it has signed in to this account before. It opens
// nothing; attempts with it are counted on their own, so that attempts of others can't lock its owner out (device
// cookies, as OWASP calls them).
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

const nonceBytes = 16;

/** @param email normalised */
export function createBrowserToken(key: Buffer, email: string): string {
  const nonce = randomBytes(nonceBytes).toString("base64url");
  return `${nonce}.${sign(key, { nonce, email })}`;
}

/** The key that attempts of this browser are counted by; null unless it signed in to this account before. */
export function readBrowserToken(
  key: Buffer,
  { token, email }: { token: string | null; email: string },
): string | null {
  const [nonce = "", signature = ""] = (token ?? "").split(".");
  const expected = Buffer.from(sign(key, { nonce, email }));
  const actual = Buffer.from(signature);
  const isGenuine = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isGenuine ? nonce : null;
}

function sign(key: Buffer, { nonce, email }: { nonce: string; email: string }): string {
  const account = hash("sha256", email, "base64url");
  return createHmac("sha256", key).update(`browser ${nonce} ${account}`).digest("base64url");
}
