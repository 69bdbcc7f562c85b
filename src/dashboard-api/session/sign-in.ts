// E-mail and password: one answer and one duration for whatever is wrong, and a throttle for each account
// and each address.
import { hash } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { User } from "../../domain/user.ts";
import { emailSchema, normalizeEmail } from "../../domain/user-input.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { minuteMs, secondMs } from "../../lib/timestamp.ts";
import { isPassword } from "../../use-cases/members/password-hash.ts";
import { ipPrefix } from "../client-info.ts";
import { TooManyTries } from "../problem.ts";

/** The stretch that tries are counted in; it begins with the first. */
const attemptWindowMs = 15 * minuteMs;

// An account from one address has few tries; from everywhere it has more, because otherwise anybody
// could lock anybody out with five requests. What an address has spent no longer counts for the account.
const attemptsMax = { pair: 5, account: 30, address: 30 };

export type SignInDeps = { clock: Clock; database: Database; log: Log };

/** @throws AppError `unauthorized`, or ComeBackLater */
export async function checkSignIn(
  deps: SignInDeps,
  given: { email: string; password: string; address: string },
): Promise<User> {
  const email = normalizeEmail(given.email);
  const tries = await countAttempt(deps, { email, address: given.address });
  const isEmail = emailSchema.safeParse(email).success;
  const known = isEmail ? await deps.database.findUserByEmail(email) : null;
  if (!(await isPassword(given.password, known?.passwordHash ?? null)) || !known) {
    // Without the address that was typed: people type passwords there.
    deps.log.warn({ address: given.address, userId: known?.id ?? null }, "a sign-in was refused");
    throw new AppError("unauthorized", "e-mail or password is wrong");
  }
  await tries.reset();
  deps.log.info({ address: given.address, userId: known.id }, "somebody signed in");
  return known;
}

type Attempts = { reset(): Promise<void> };

/** For links: counted by the address alone. */
export async function countLinkAttempt(deps: SignInDeps, address: string): Promise<Attempts> {
  const key = `link ${ipPrefix(address)}`;
  await countAgainstLimit(deps, { key, max: attemptsMax.address });
  return {
    reset: () => deps.database.resetLoginAttempts({ clearedKeys: [], decrementedKeys: [key] }),
  };
}

/** For a password that a signed-in person proves once more: whoever stole a session has few tries. */
export async function countPasswordCheck(deps: SignInDeps, userId: string): Promise<Attempts> {
  const key = `proof ${userId}`;
  await countAgainstLimit(deps, { key, max: attemptsMax.pair });
  return {
    reset: () => deps.database.resetLoginAttempts({ clearedKeys: [key], decrementedKeys: [] }),
  };
}

async function countAttempt(
  deps: SignInDeps,
  given: { email: string; address: string },
): Promise<Attempts> {
  // People type passwords into the wrong field, and what is typed there need not be text to keep.
  const name = hash("sha256", given.email, "base64url");
  const place = ipPrefix(given.address);
  const pair = `pair ${name} ${place}`;
  const account = `account ${name}`;
  const peer = `address ${place}`;
  // One after the other: what is spent leaves no trace behind it, in the table either.
  await countAgainstLimit(deps, { key: peer, max: attemptsMax.address });
  await countAgainstLimit(deps, { key: pair, max: attemptsMax.pair });
  await countAgainstLimit(deps, { key: account, max: attemptsMax.account });
  return {
    reset: () =>
      deps.database.resetLoginAttempts({ clearedKeys: [pair], decrementedKeys: [account, peer] }),
  };
}

async function countAgainstLimit(
  { clock, database, log }: SignInDeps,
  { key, max }: { key: string; max: number },
): Promise<void> {
  const now = clock.now();
  const endsAt = new Date(now.getTime() + attemptWindowMs);
  const [counted] = await database.countLoginAttempts({ keys: [key], now, endsAt });
  if (!counted || counted.attemptCount <= max) return;
  log.warn({ tries: counted.attemptCount }, "somebody tries too often to get in");
  const seconds = Math.max(1, Math.ceil((counted.endsAt.getTime() - now.getTime()) / secondMs));
  throw new TooManyTries("too many tries: wait a while, then try again", seconds);
}
