// Tokens of links and sessions, and API keys: 256 random bits that only their holder has. Only their hash is stored.
import { createHash, randomBytes } from "node:crypto";

const tokenBytes = 32;

export function generateToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(tokenBytes).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

/** SHA-256. A token has too many bits to be guessed, so it needs no salt and no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}
