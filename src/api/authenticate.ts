// From the Authorization header to the workspace. Every refusal looks the same, so that a client can't distinguish a
// revoked key from an unknown one; refusals are limited per client address.
import { hash } from "node:crypto";
import type { ApiKeyOwner } from "../database/accounts/api-keys.ts";
import type { Database } from "../database/database.ts";
import { AppError, RateLimitedError } from "../domain/error.ts";
import { ipPrefix } from "../http/client-ip.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { Clock } from "../lib/clock.ts";

// A key is `sp_` and base62; anything else is refused without a query.
const bearerPattern = /^bearer +(sp_[0-9A-Za-z]{16,128}) *$/i;
const headerLengthMax = 256;

type Credentials = { authorization: string | undefined; address: string };

/** @throws AppError `unauthorized`, or RateLimitedError after too many refusals of that address */
export async function authenticate(
  deps: {
    clock: Clock;
    control: Pick<Database, "findApiKeyOwner">;
    failures: RateLimit;
  },
  { authorization, address }: Credentials,
): Promise<ApiKeyOwner> {
  const key = parseKey(authorization);
  const query = key !== null && { hash: hash("sha256", key, "buffer"), now: deps.clock.now() };
  const owner = query && (await deps.control.findApiKeyOwner(query));
  if (owner) return owner;
  const { accepted, resetSeconds } = await deps.failures.take(ipPrefix(address));
  if (!accepted) {
    throw new RateLimitedError("Too many requests without a valid API key.", resetSeconds);
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

/** For the audit log. */
export function actorOf({ name }: Pick<ApiKeyOwner, "name">): string {
  return `API key ${name}`;
}
