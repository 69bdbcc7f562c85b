// The text of an API key: how it is generated, what is stored of it, and what may be shown again.
import { createHash } from "node:crypto";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomBytesCount = 32;
// 62^43 is the first power of 62 above 2^256.
const digitCount = 43;
// Enough to tell keys apart, far too little to guess one.
const prefixLength = 9;

/** `sp_` and 32 random bytes in base62, always 46 characters. */
export function generateKey(random: (byteCount: number) => Buffer): string {
  let rest = BigInt(`0x${random(randomBytesCount).toString("hex")}`);
  let text = "";
  for (; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return `sp_${text.padStart(digitCount, "0")}`;
}

/** All that is stored of a key: SHA-256 of its whole text. A key has too many bits to need salt. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key, "utf8").digest();
}

export function prefixOf(key: string): string {
  return key.slice(0, prefixLength);
}
