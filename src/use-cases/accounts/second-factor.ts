// The second factor of a user: set up with an authenticator app, asked for at the sign-in, given up with a code,
// and taken away by an operator when phone and recovery codes are lost.
import { randomBytes } from "node:crypto";
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { systemActor } from "../../domain/people/audit.ts";
import type { SecondFactor, User } from "../../domain/people/user.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SecretBox } from "../../lib/secret-box.ts";
import { matchTotpCode, toBase32, totpUri } from "../../lib/totp.ts";
import { type ActDeps, type Actor, recordAudit } from "../audit.ts";
import { hashToken } from "./link-token.ts";
import { requireUser } from "./users.ts";

/** RFC 4226 recommends 160 bits. */
const secretBytes = 20;
const recoveryCodeCount = 10;
/** 120 bits: too many to be guessed, so their hash needs no salt and no slow function (ASVS 6.5.2: 112). */
const recoveryCodeBytes = 15;

export type SecondFactorDeps = {
  clock: Clock;
  database: Database;
  secretBox: Pick<SecretBox, "open" | "seal">;
};

/** At a sign-in with the right password. */
export function recordRefusedCode(
  { clock, database }: Pick<SecondFactorDeps, "clock" | "database">,
  { userId, address }: { userId: string; address: string },
): Promise<void> {
  const by = { clock, actor: systemActor };
  return recordAudit(by, database, "second_factor.code_refused", userId, { address });
}

/**
 * The secret for the user's app. It counts from the first code on: see `confirmSecondFactor`.
 *
 * @throws AppError `conflict` when the user has a second factor
 */
export async function startSecondFactor(
  { clock, database, secretBox }: SecondFactorDeps,
  user: Pick<User, "id" | "email">,
): Promise<{ secret: string; uri: string }> {
  const secret = randomBytes(secretBytes);
  const encryptedSecret = secretBox.seal(secret.toString("base64"), user.id);
  const factor = { id: user.id, encryptedSecret, createdAt: clock.now() };
  if (!(await database.insertSecondFactor(factor))) {
    throw new AppError("conflict", "a second factor is set up already");
  }
  const uri = totpUri({ secret, issuer: "Starpost", account: user.email });
  return { secret: toBase32(secret), uri };
}

/**
 * From now on a sign-in needs a code. Every other session ends: it was begun without one.
 *
 * @returns the recovery codes, which are shown this once
 * @throws AppError `invalid_input` for a wrong code, `conflict` when nothing was started or another tab started again,
 * `unauthorized` when the session has ended meanwhile
 */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  { userId, sessionId, code }: { userId: string; sessionId: string; code: string },
): Promise<{ recoveryCodes: string[] }> {
  const factor = await deps.database.findSecondFactor(userId);
  if (!factor || factor.confirmedAt !== null) {
    throw new AppError("conflict", "there is no second factor to confirm: start again");
  }
  await assertTotpCode(deps, { factor, code });
  return deps.database.transaction(async (tx) => {
    // A sign-in that checked no code begins its session under the same lock: it ends here, or is refused there.
    await tx.lockPasswordHash(userId);
    if (!(await tx.hasSession({ id: sessionId, userId }))) {
      throw new AppError("unauthorized", "this session has ended: sign in again");
    }
    const { encryptedSecret } = factor;
    const confirmed = { id: userId, encryptedSecret, confirmedAt: deps.clock.now() };
    if (!(await tx.confirmSecondFactor(confirmed)))
      throw new AppError(
        "conflict",
        "the second factor was confirmed, or started again in another tab: start again",
      );
    const recoveryCodes = await saveRecoveryCodes(tx, userId);
    const endedCount = await tx.endSessions({ userId, exceptId: sessionId });
    const by = { ...deps, actor: userId };
    await recordAudit(by, tx, "second_factor.enabled", userId, { endedCount });
    return { recoveryCodes };
  });
}

/**
 * In place of all earlier ones.
 *
 * @throws AppError `conflict` without a second factor
 */
export async function renewRecoveryCodes(
  { clock, database }: Pick<SecondFactorDeps, "clock" | "database">,
  userId: string,
): Promise<{ recoveryCodes: string[] }> {
  return database.transaction(async (tx) => {
    if (!(await tx.findSecondFactor(userId))?.confirmedAt) {
      throw new AppError("conflict", "there is no second factor");
    }
    const recoveryCodes = await saveRecoveryCodes(tx, userId);
    await recordAudit({ clock, actor: userId }, tx, "second_factor.codes_renewed", userId);
    return { recoveryCodes };
  });
}

/** Whether a sign-in of this user needs a code. */
export async function hasSecondFactor(
  { database }: { database: Pick<Database, "findSecondFactor"> },
  userId: string,
): Promise<boolean> {
  return Boolean((await database.findSecondFactor(userId))?.confirmedAt);
}

/** One of the app's codes, or a recovery code, which is used up by it. */
export async function isSecondFactorCode(
  deps: SecondFactorDeps,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const factor = await deps.database.findSecondFactor(userId);
  if (!factor?.confirmedAt) return false;
  const text = code.replace(/[\s-]/g, "");
  if (/^\d{6}$/.test(text)) return takeTotpCode(deps, { factor, code: text });
  return deps.database.transaction(async (tx) => {
    if (!(await tx.takeRecoveryCode({ userId, hash: hashRecoveryCode(text) }))) return false;
    const leftCount = await tx.countRecoveryCodes(userId);
    const by = { ...deps, actor: userId };
    await recordAudit(by, tx, "second_factor.recovery_code_used", userId, { leftCount });
    return true;
  });
}

/**
 * The caller has made sure that it is the user.
 *
 * @throws AppError `conflict` without a second factor
 */
export async function removeSecondFactor(
  { clock, database }: Pick<SecondFactorDeps, "clock" | "database">,
  userId: string,
): Promise<void> {
  await database.transaction((tx) => deleteFactor({ clock, actor: userId }, tx, userId));
}

/**
 * For operators, when a user has lost both phone and recovery codes. Ends every session of the user.
 *
 * @throws AppError `not_found` without such a user, `conflict` without a second factor
 */
export async function resetSecondFactor(
  deps: ActDeps<"findUserByEmail">,
  input: { email: string },
): Promise<{ id: string; email: string }> {
  const { id, email } = await requireUser(deps.database, input.email);
  await deps.database.transaction(async (tx) => {
    await deleteFactor(deps, tx, id);
    await tx.endSessions({ userId: id, exceptId: null });
  });
  return { id, email };
}

async function deleteFactor(by: Actor, tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx.lockPasswordHash(userId);
  if (!(await tx.deleteSecondFactor(userId))) {
    throw new AppError("conflict", "this user has no second factor");
  }
  await recordAudit(by, tx, "second_factor.removed", userId);
}

async function saveRecoveryCodes(tx: DatabaseTransaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    toBase32(randomBytes(recoveryCodeBytes)),
  );
  await tx.replaceRecoveryCodes({ userId, hashes: codes.map(hashRecoveryCode) });
  // In groups of four, so that they are easy to copy by hand.
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toUpperCase());
}

async function assertTotpCode(
  deps: SecondFactorDeps,
  { factor, code }: { factor: SecondFactor; code: string },
): Promise<void> {
  if (await takeTotpCode(deps, { factor, code: code.replace(/\s/g, "") })) return;
  throw new AppError("invalid_input", "the code is wrong", {
    fields: [{ field: "code", message: "doesn't match: enter the one that the app shows now" }],
  });
}

async function takeTotpCode(
  { clock, database, secretBox }: SecondFactorDeps,
  { factor, code }: { factor: SecondFactor; code: string },
): Promise<boolean> {
  const { id, encryptedSecret, lastStep } = factor;
  const secret = Buffer.from(secretBox.open(encryptedSecret, id), "base64");
  const step = matchTotpCode(secret, { code, now: clock.now(), lastStep });
  return step !== null && (await database.takeSecondFactorStep({ id, step }));
}
