// From the Authorization header to who is asking. Every refusal looks the same, so that a caller can't
// tell a revoked key from an unknown one; refusals are limited per client address.
import { hash } from "node:crypto";
import type { ApiKeyOwner } from "../database/repositories/api-keys.ts";
import { AppError } from "../domain/error.ts";
import type { ApiKeyCache } from "./api-key-cache.ts";
import { RateLimited } from "./problem.ts";
import type { RateLimit } from "./memory-rate-limit.ts";

// A key is `sp_` and base62; what can't be one is refused without asking the database.
const bearerPattern = /^bearer +(sp_[0-9A-Za-z]{16,128}) *$/i;
const headerLengthMax = 256;

export type Credentials = { authorization: string | undefined; address: string };

/** @throws AppError `unauthorized`, or RateLimited after too many refusals of that address */
export async function authenticate(
  given: { holders: ApiKeyCache; failures: RateLimit },
  caller: Credentials,
): Promise<ApiKeyOwner> {
  const key = parseKey(caller.authorization);
  const holder = key === null ? null : await given.holders.find(hashKey(key));
  if (holder) return holder;
  const verdict = await given.failures.take(caller.address);
  if (!verdict.accepted) {
    throw new RateLimited("Too many requests without a valid API key.", verdict.resetSeconds);
  }
  throw new AppError(
    "unauthorized",
    "A valid API key is needed, sent as `Authorization: Bearer <API_KEY>`.",
  );
}

function parseKey(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > headerLengthMax) return null;
  return bearerPattern.exec(authorization)?.[1] ?? null;
}

function hashKey(key: string): string {
  return hash("sha256", key, "base64");
}
