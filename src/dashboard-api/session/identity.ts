// Makes sure that it is still the user who uses a session: their password, and a code of the second factor where
// they have one. Asked for before a password changes and before what is dangerous.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { User } from "../../domain/people/user.ts";
import { ipPrefix } from "../../http/client-ip.ts";
import type { Clock } from "../../lib/clock.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { isPassword } from "../../use-cases/accounts/password-hash.ts";
import { hasSecondFactor, isSecondFactorCode } from "../../use-cases/accounts/second-factor.ts";
import type { DashboardDeps } from "../deps.ts";
import type { SignedInUser } from "./sessions.ts";
import { withProofLimit } from "./sign-in.ts";

/** Long enough to rotate a few secrets, short for an attacker at an unlocked screen. */
const proofMs = 15 * minuteMs;

/** @throws AppError `reauthentication_required` when password and code were entered too long ago */
export function assertRecentProof({ clock }: { clock: Clock }, { session }: SignedInUser): void {
  if (clock.now().getTime() - session.provedAt.getTime() <= proofMs) return;
  throw new AppError(
    "reauthentication_required",
    "enter your password, or sign in, once more to go on",
  );
}

/** Without one, users prove who they are by signing in through the provider again. */
export async function hasPassword(
  database: Pick<Database, "findUserByEmail">,
  { email }: Pick<User, "email">,
): Promise<boolean> {
  return Boolean((await database.findUserByEmail(email))?.passwordHash);
}

/**
 * Returns the hash that the password was checked against.
 *
 * @throws AppError `invalid_input` that names the wrong field, or RateLimitedError
 */
export async function checkPassword(
  deps: DashboardDeps,
  proof: {
    me: SignedInUser;
    /** Which field of the form has the password. */
    field: string;
    password: string;
    address: string;
    signal: AbortSignal;
  },
): Promise<{ passwordHash: string }> {
  const { user } = proof.me;
  const turn = {
    network: ipPrefix(proof.address),
    account: user.email,
    standing: "known browser" as const,
    signal: proof.signal,
  };
  return withProofLimit(deps, user.id, async () => {
    const stored = await deps.database.findUserByEmail(user.email);
    if (!stored || !(await isPassword(proof.password, stored.passwordHash, turn))) {
      throw wrongField(proof.field, "the password is wrong");
    }
    return { passwordHash: stored.passwordHash };
  });
}

/**
 * Nothing to check without a second factor.
 *
 * @throws AppError `invalid_input` for a wrong or missing code, or RateLimitedError
 */
export async function checkCode(
  deps: DashboardDeps,
  { me, code }: { me: SignedInUser; code: string | undefined },
): Promise<void> {
  const userId = me.user.id;
  if (!(await hasSecondFactor(deps, userId))) return;
  if (!code) throw wrongField("code", "a code is needed", "is required");
  await withProofLimit(deps, userId, async () => {
    if (await isSecondFactorCode(deps, { userId, code })) return;
    const message = "doesn't match: enter the one that the app shows now";
    throw wrongField("code", "the code is wrong", message);
  });
}

function wrongField(field: string, sentence: string, message = "is wrong"): AppError {
  return new AppError("invalid_input", sentence, { fields: [{ field, message }] });
}
