// Users' own sessions and account, each change with its entry in the audit log.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit } from "../audit.ts";
import { changePasswordHash } from "./users.ts";

/** The factors that a sign-in has checked: a session begins only while it is still so. */
export type CheckedIdentity = {
  passwordHash: string;
  /** When the second factor was confirmed whose code was checked; null when there was none. */
  secondFactorAt: Date | null;
};

type SessionDeps = { clock: Clock; database: Pick<Database, "transaction"> };

/**
 * @param started.checked null for an account that was just created
 * @throws AppError `unauthorized` when password or second factor have changed since they were checked
 */
export function startSession(
  { clock, database }: SessionDeps,
  started: {
    session: Parameters<DatabaseTransaction["insertSession"]>[0];
    checked: CheckedIdentity | null;
    client: { address: string; browser: string };
  },
): Promise<void> {
  const { session, checked, client } = started;
  const { id, userId } = session;
  return database.transaction(async (tx) => {
    await assertUnchanged(tx, { userId, checked });
    await tx.insertSession(session);
    await recordAudit({ clock, actor: userId }, tx, "session.started", id, client);
  });
}

/** A change of password or second factor ends sessions under the same lock: it finds this one, or is found here. */
async function assertUnchanged(
  tx: Pick<DatabaseTransaction, "lockPasswordHash" | "findSecondFactor">,
  { userId, checked }: { userId: string; checked: CheckedIdentity | null },
): Promise<void> {
  const passwordHash = await tx.lockPasswordHash(userId);
  if (checked === null) return;
  const confirmedAt = (await tx.findSecondFactor(userId))?.confirmedAt;
  const isSame =
    passwordHash === checked.passwordHash &&
    confirmedAt?.getTime() === checked.secondFactorAt?.getTime();
  if (isSame) return;
  const message = "the password or the second factor was changed meanwhile: sign in again";
  throw new AppError("unauthorized", message);
}

/** The user has entered their password, and the code of a second factor, once more. */
export function proveSession(
  { clock, database }: SessionDeps,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.proveSession({ id, provedAt: clock.now() });
    await recordAudit({ clock, actor: userId }, tx, "session.reauthenticated", userId);
  });
}

export function renameUser(
  { clock, database }: SessionDeps,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.setUserName({ id: userId, name });
    await recordAudit({ clock, actor: userId }, tx, "user.renamed", userId);
  });
}

/**
 * Ends all other sessions.
 *
 * @throws AppError `unauthorized` when another change has ended the session, or changed the password, since it was checked
 */
export function changeOwnPassword(
  { clock, database }: SessionDeps,
  change: { userId: string; sessionId: string; checkedHash: string; passwordHash: string },
): Promise<void> {
  const { userId, sessionId, checkedHash, passwordHash } = change;
  return database.transaction(async (tx) => {
    // Hashing takes long: meanwhile another change of the password may have ended this session.
    const isSame = (await tx.lockPasswordHash(userId)) === checkedHash;
    if (!isSame || !(await tx.hasSession({ id: sessionId, userId })))
      throw new AppError(
        "unauthorized",
        "the password or the sessions were changed: sign in again",
      );
    const stored = { userId, passwordHash, keptSessionId: sessionId };
    await changePasswordHash({ clock, actor: userId }, tx, stored);
  });
}

/** Whether the user has such a session. */
export function endSession(
  { clock, database }: SessionDeps,
  ended: { id: string; userId: string },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await tx.endSession(ended))) return false;
    await recordAudit({ clock, actor: ended.userId }, tx, "session.ended", ended.id);
    return true;
  });
}

/** How many ended. */
export function endOtherSessions(
  { clock, database }: SessionDeps,
  { id, userId }: { id: string; userId: string },
): Promise<number> {
  return database.transaction(async (tx) => {
    const endedCount = await tx.endSessions({ userId, exceptId: id });
    const by = { clock, actor: userId };
    await recordAudit(by, tx, "session.others_ended", id, { endedCount });
    return endedCount;
  });
}
