// Signatures of texts, for links and tokens of which nothing is stored: HMAC-SHA256 in base64url.
import { createHmac, timingSafeEqual } from "node:crypto";

export function signText(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Takes as long wherever the texts differ. */
export function isEqualText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
