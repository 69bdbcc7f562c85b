// The token that a browser keeps after a sign-in: a proof that it has signed in to this account before. It opens
// nothing; attempts with it are counted on their own, so that attempts of others can't lock its owner out (device
// cookies, as OWASP calls them).
import { hash, randomBytes } from "node:crypto";
import { isEqualText, signText } from "../../lib/signed-text.ts";

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
  return isEqualText(signature, sign(key, { nonce, email })) ? nonce : null;
}

function sign(key: Buffer, { nonce, email }: { nonce: string; email: string }): string {
  return signText(key, `browser ${nonce} ${hash("sha256", email, "base64url")}`);
}
