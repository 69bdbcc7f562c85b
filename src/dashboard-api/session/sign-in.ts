// Checks e-mail address and password. Every failure gives the same response after the same time, and
// attempts are limited for each account and each address, and on their own for a browser that signed in before.
import { hash } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { AppError, RateLimitedError } from "../../domain/error.ts";
import type { User } from "../../domain/people/user.ts";
import { emailSchema, normalizeEmail } from "../../domain/people/user-input.ts";
import { ipPrefix, siteOf } from "../../http/client-ip.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { minuteMs, secondMs } from "../../lib/timestamp.ts";
import { isPassword } from "../../use-cases/accounts/password-hash.ts";
import type { Standing } from "../../use-cases/accounts/password-queue.ts";
import {
  isSecondFactorCode,
  recordRefusedCode,
  type SecondFactorDeps,
} from "../../use-cases/accounts/second-factor.ts";
import type { CheckedIdentity } from "../../use-cases/accounts/sessions.ts";
import { readBrowserToken } from "./browser-token.ts";

/** The window in which attempts are counted; it begins with the first. */
const windowMs = 15 * minuteMs;

// An account allows few attempts from one address and more from everywhere: otherwise an attacker could lock out any
// user with five requests. Attempts beyond an address's own limit don't count for the account.
const attemptsMax = { pair: 5, account: 30, address: 30 };

type SignInDeps = { clock: Clock; database: Database; log: Log };

type SignInAttempt = {
  email: string;
  password: string;
  /** The code of the second factor, once the client knows that there is one. */
  code?: string | undefined;
  address: string;
  /** See `browser-token.ts`. */
  browserToken: string | null;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
};

/**
 * `code_required` for the right password of a user with a second factor.
 *
 * @throws AppError `unauthorized`, or RateLimitedError
 */
export async function checkSignIn(
  deps: SignInDeps & SecondFactorDeps & { signingKey: Buffer },
  attempted: SignInAttempt,
): Promise<{ user: User; checked: CheckedIdentity } | "code_required"> {
  const { password, address, browserToken: token, signal } = attempted;
  const email = normalizeEmail(attempted.email);
  const browser = readBrowserToken(deps.signingKey, { token, email });
  const attempt = await countAttempt(deps, { email, address, browser });
  const turn = {
    network: ipPrefix(address),
    account: email,
    standing: attempt.standing,
    signal,
  };
  const isEmail = emailSchema.safeParse(email).success;
  const user = isEmail ? await deps.database.findUserByEmail(email) : null;
  if (!(await isPassword(password, user?.passwordHash ?? null, turn)) || !user) {
    // Without the address that was typed: people type passwords there.
    deps.log.warn(
      { address, userId: user?.id ?? null },
      "sign-in failed: wrong password or e-mail",
    );
    throw new AppError("unauthorized", "e-mail or password is wrong");
  }
  // Until then the attempt stays counted: an attacker with the password has few tries at the code.
  const secondFactorAt = await checkFactor(deps, { ...attempted, user, browser });
  if (secondFactorAt === "code_required") return secondFactorAt;
  await attempt.reset();
  deps.log.info({ address, userId: user.id }, "user signed in");
  const checked = { passwordHash: user.passwordHash, secondFactorAt };
  return { user, checked };
}

/**
 * When the second factor was confirmed whose code was checked; null without one.
 *
 * @param attempted.browser see `browser-token.ts`
 * @throws AppError `unauthorized` for a wrong code, or RateLimitedError
 */
export async function checkFactor(
  deps: SignInDeps & SecondFactorDeps,
  attempted: { user: User; code?: string | undefined; address: string; browser: string | null },
): Promise<Date | null | "code_required"> {
  const { user, code, address, browser } = attempted;
  const confirmedAt = (await deps.database.findSecondFactor(user.id))?.confirmedAt ?? null;
  if (confirmedAt === null) return null;
  if (!code) return "code_required";
  await checkSignInCode(deps, { user, code, address, browser });
  return confirmedAt;
}

/** Codes are few: 5 tries in a window for the account from wherever, and 5 for a browser that signed in before. */
async function checkSignInCode(
  deps: SignInDeps & SecondFactorDeps,
  attempted: { user: User; code: string; address: string; browser: string | null },
): Promise<void> {
  const { user, code, address, browser } = attempted;
  const key = browser === null ? `code ${user.id}` : `code ${user.id} ${browser}`;
  await limitFailures(deps, { key, max: attemptsMax.pair }, async () => {
    if (await isSecondFactorCode(deps, { userId: user.id, code })) return;
    deps.log.warn({ address, userId: user.id }, "sign-in failed: right password, wrong code");
    await recordRefusedCode(deps, { userId: user.id, address });
    throw new AppError("unauthorized", "the code is wrong", {
      fields: [{ field: "code", message: "doesn't match: enter the one that the app shows now" }],
    });
  });
}

/** Tries of a network in the window that go before those of networks with more. */
const fewTriesMax = 3;

/**
 * Work by a link of set-up, invitation, sign-in or a new password: failures count for the client's address.
 *
 * @throws RateLimitedError
 */
export function withLinkLimit<T>(
  deps: SignInDeps,
  { address }: { address: string },
  work: () => Promise<T>,
): Promise<T> {
  const key = `link ${ipPrefix(address)}`;
  return limitFailures(deps, { key, max: attemptsMax.address, isShared: true }, work);
}

/**
 * Work that needs the current password, or a code, of a signed-in user: an attacker with a stolen session has few tries.
 *
 * @throws RateLimitedError
 */
export function withProofLimit<T>(
  deps: SignInDeps,
  userId: string,
  work: () => Promise<T>,
): Promise<T> {
  return limitFailures(deps, { key: `proof ${userId}`, max: attemptsMax.pair }, work);
}

/**
 * Counts a try before its work, and forgets it after a success.
 *
 * @param limit.isShared by many users: a success then leaves the failures of others
 */
async function limitFailures<T>(
  deps: SignInDeps,
  { key, max, isShared = false }: { key: string; max: number; isShared?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  await countAgainstLimit(deps, { key, max });
  const result = await work();
  await deps.database.resetLoginAttempts(
    isShared
      ? { clearedKeys: [], decrementedKeys: [key] }
      : { clearedKeys: [key], decrementedKeys: [] },
  );
  return result;
}

const resetMailsMax = 3;

/**
 * For links to a new password: few e-mails for one account, whether it exists or not.
 *
 * @throws RateLimitedError
 */
export async function countResetAttempt(
  deps: SignInDeps,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const account = hash("sha256", normalizeEmail(email), "base64url");
  await countAgainstLimit(deps, { key: `link ${ipPrefix(address)}`, max: attemptsMax.address });
  await countAgainstLimit(deps, { key: `reset ${account}`, max: resetMailsMax });
}

async function countAttempt(
  deps: SignInDeps,
  { email, address, browser }: { email: string; address: string; browser: string | null },
): Promise<{ standing: Standing; reset(): Promise<void> }> {
  if (browser !== null) {
    const key = `browser ${browser}`;
    await countAgainstLimit(deps, { key, max: attemptsMax.pair });
    return {
      standing: "known browser",
      reset: () => deps.database.resetLoginAttempts({ clearedKeys: [key], decrementedKeys: [] }),
    };
  }
  // Hashed: people type passwords into the wrong field, and those must not be stored.
  const account = `account ${hash("sha256", email, "base64url")}`;
  const network = `address ${ipPrefix(address)}`;
  const site = `site ${siteOf(address)}`;
  const pair = `pair ${account.slice("account ".length)} ${ipPrefix(address)}`;
  // One after the other: an attempt beyond one limit is not counted against the next.
  const tryCount = await countAgainstLimit(deps, { key: network, max: attemptsMax.address });
  await countAgainstLimit(deps, { key: pair, max: attemptsMax.pair });
  // One attacker can have thousands of IPv6 networks, but they are few sites.
  const siteCount = await countAgainstLimit(deps, { key: site, max: Infinity });
  const standing = standingOf(Math.max(tryCount, siteCount));
  // However many others have failed, a network that has not has one try.
  const accountMax = standing === "first try" ? Infinity : attemptsMax.account;
  await countAgainstLimit(deps, { key: account, max: accountMax });
  const reset = { clearedKeys: [pair], decrementedKeys: [account, network, site] };
  return { standing, reset: () => deps.database.resetLoginAttempts(reset) };
}

function standingOf(tryCount: number): Standing {
  if (tryCount <= 1) return "first try";
  return tryCount <= fewTriesMax ? "few tries" : "many tries";
}

/** Returns how many tries the window has with this one. */
async function countAgainstLimit(
  { clock, database, log }: SignInDeps,
  { key, max }: { key: string; max: number },
): Promise<number> {
  const now = clock.now();
  const endsAt = new Date(now.getTime() + windowMs);
  const [counted] = await database.countLoginAttempts({ keys: [key], now, endsAt });
  if (!counted || counted.attemptCount <= max) return counted?.attemptCount ?? 0;
  log.warn({ attemptCount: counted.attemptCount }, "too many sign-in attempts: refused");
  const seconds = Math.max(1, Math.ceil((counted.endsAt.getTime() - now.getTime()) / secondMs));
  throw new RateLimitedError("too many tries: wait a while, then try again", seconds);
}
