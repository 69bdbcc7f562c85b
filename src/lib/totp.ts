// Time-based one-time codes (RFC 6238 on RFC 4226): SHA-1, six digits, steps of 30 seconds, which is what every
// authenticator app takes. The secret is text in base32 (RFC 4648).
import { createHmac } from "node:crypto";
import { isEqualText } from "./signed-text.ts";
import { secondMs } from "./timestamp.ts";

const stepMs = 30 * secondMs;
const digits = 6;
/** Clocks of phones are a little off, and a code takes a moment to type. */
const stepsAround = 1;
const base32Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * The step whose code this is; null for a wrong code, and for one of `lastStep` or before: a code is good once.
 */
export function matchTotpCode(
  secret: Buffer,
  { code, now, lastStep }: { code: string; now: Date; lastStep: number },
): number | null {
  const current = stepOf(now);
  for (let step = current - stepsAround; step <= current + stepsAround; step += 1) {
    if (isEqualText(code, totpCode(secret, step)) && step > lastStep) return step;
  }
  return null;
}

/** The code of one step. */
export function totpCode(secret: Buffer, step: number, digitCount = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  // RFC 4226, section 5.3: the last four bits say where the number is.
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 10 ** digitCount).padStart(digitCount, "0");
}

export function stepOf(now: Date): number {
  return Math.floor(now.getTime() / stepMs);
}

/** The URL that authenticator apps read from the QR code. */
export function totpUri(entry: { secret: Buffer; issuer: string; account: string }): string {
  const issuer = encodeURIComponent(entry.issuer);
  const account = encodeURIComponent(entry.account);
  const secret = toBase32(entry.secret);
  return `otpauth://totp/${issuer}:${account}?secret=${secret}&issuer=${issuer}`;
}

/** Without padding, which apps refuse. */
export function toBase32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += base32Alphabet[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + base32Alphabet[(value << (5 - bits)) & 31] : text;
}
