// Users and how they sign in: passwords and tokens are stored as hashes, secrets of authenticator apps encrypted.
import type { NewUser, SecondFactor, Session, User } from "../../domain/user.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { registerKeysSql } from "./encrypted-secrets.ts";

export const userColumns = `id, email, name, created_at as "createdAt", email_confirmed_at as "emailConfirmedAt", workspace_id as "workspaceId"`;

/** False when the address has an account already. */
export async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const count = await execute(
    db,
    "insertUser",
    `insert into users (id, email, name, password_hash, created_at, email_confirmed_at, workspace_id)
     values ($1, $2, $3, $4, $5, $6, null) on conflict (email) do nothing`,
    [
      user.id,
      user.email,
      user.name,
      user.passwordHash,
      user.createdAt,
      user.emailConfirmedAt ?? null,
    ],
  );
  return count === 1;
}

export function findUser(db: Db, id: string): Promise<User | null> {
  return queryFirstRow(db, "findUser", `select ${userColumns} from users where id = $1`, [id]);
}

export function findUserByEmail(
  db: Db,
  email: string,
): Promise<(User & { passwordHash: string }) | null> {
  return queryFirstRow(
    db,
    "findUserByEmail",
    `select ${userColumns}, password_hash as "passwordHash" from users where email = $1`,
    [email],
  );
}

/** For the operator alone. */
export function listUsers(db: Db): Promise<(User & { hasSecondFactor: boolean })[]> {
  return queryRows(
    db,
    "listUsers",
    `select ${userColumns}, exists (
       select from second_factors f where f.id = users.id and f.confirmed_at is not null
     ) as "hasSecondFactor" from users order by id`,
  );
}

export async function hasUsers(db: Db): Promise<boolean> {
  const found = await queryFirstRow<{ any: boolean }>(
    db,
    "hasUsers",
    "select exists (select from users) as any",
  );
  return found?.any === true;
}

export async function setUserName(db: Db, change: { id: string; name: string }): Promise<void> {
  await queryRows(db, "setUserName", "update users set name = $2 where id = $1", [
    change.id,
    change.name,
  ]);
}

export async function confirmEmail(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  const text = "update users set email_confirmed_at = $2 where id = $1";
  await queryRows(db, "confirmEmail", text, [id, now]);
}

export async function setPasswordHash(
  db: Db,
  change: { id: string; passwordHash: string },
): Promise<void> {
  await queryRows(db, "setPasswordHash", "update users set password_hash = $2 where id = $1", [
    change.id,
    change.passwordHash,
  ]);
}

/** Other changes of the password, and sessions that begin, wait until the transaction ends. null without the user. */
export async function lockPasswordHash(db: Db, userId: string): Promise<string | null> {
  const text = `select password_hash as "passwordHash" from users where id = $1 for update`;
  const found = await queryFirstRow<{ passwordHash: string }>(db, "lockPasswordHash", text, [
    userId,
  ]);
  return found?.passwordHash ?? null;
}

/** The workspace that the dashboard shows this user from now on. */
export async function setUserWorkspace(
  db: Db,
  change: { id: string; workspaceId: string },
): Promise<void> {
  await queryRows(db, "setUserWorkspace", "update users set workspace_id = $2 where id = $1", [
    change.id,
    change.workspaceId,
  ]);
}

export async function deleteUser(db: Db, id: string): Promise<boolean> {
  const count = await execute(db, "deleteUser", "delete from users where id = $1", [id]);
  return count === 1;
}

// Sessions by the SHA-256 of their token: the token itself is only in the user's browser.

const sessionColumns = `s.id, s.user_id as "userId", s.started_at as "startedAt", s.seen_at as "seenAt",
  s.ends_at as "endsAt", s.proved_at as "provedAt", s.address, s.browser`;

export async function insertSession(
  db: Db,
  session: Session & { tokenHash: Buffer },
): Promise<void> {
  await queryRows(
    db,
    "insertSession",
    `insert into sessions (id, token_hash, user_id, started_at, seen_at, ends_at, proved_at, address, browser)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      session.id,
      session.tokenHash,
      session.userId,
      session.startedAt,
      session.seenAt,
      session.endsAt,
      session.provedAt,
      session.address,
      session.browser,
    ],
  );
}

/** null once it has ended, or was not used since `idleSince`. */
export function findSession(
  db: Db,
  query: { tokenHash: Buffer; now: Date; idleSince: Date },
): Promise<Session | null> {
  return queryFirstRow(
    db,
    "findSession",
    `select ${sessionColumns} from sessions s
     where s.token_hash = $1 and s.ends_at > $2 and s.seen_at > $3`,
    [query.tokenHash, query.now, query.idleSince],
  );
}

export async function hasSession(
  db: Db,
  session: { id: string; userId: string },
): Promise<boolean> {
  const found = await queryRows(
    db,
    "hasSession",
    "select from sessions where id = $1 and user_id = $2",
    [session.id, session.userId],
  );
  return found.length > 0;
}

export async function touchSession(
  db: Db,
  touched: { id: string; seenAt: Date; address: string },
): Promise<void> {
  await queryRows(
    db,
    "touchSession",
    "update sessions set seen_at = greatest(seen_at, $2), address = $3 where id = $1",
    [touched.id, touched.seenAt, touched.address],
  );
}

/** The user entered password and code once more. */
export async function proveSession(db: Db, proved: { id: string; provedAt: Date }): Promise<void> {
  await queryRows(db, "proveSession", "update sessions set proved_at = $2 where id = $1", [
    proved.id,
    proved.provedAt,
  ]);
}

/** Open sessions, the last used first. */
export function listSessions(
  db: Db,
  query: { userId: string; now: Date; idleSince: Date },
): Promise<Session[]> {
  return queryRows(
    db,
    "listSessions",
    `select ${sessionColumns} from sessions s
     where s.user_id = $1 and s.ends_at > $2 and s.seen_at > $3 order by s.seen_at desc, s.id`,
    [query.userId, query.now, query.idleSince],
  );
}

/** Ends one session of a user. */
export async function endSession(db: Db, ended: { id: string; userId: string }): Promise<boolean> {
  const count = await execute(
    db,
    "endSession",
    "delete from sessions where id = $1 and user_id = $2",
    [ended.id, ended.userId],
  );
  return count === 1;
}

/** Ends all sessions of a user but one; null ends all. Returns how many. */
export function endSessions(
  db: Db,
  ended: { userId: string; exceptId: string | null },
): Promise<number> {
  return execute(
    db,
    "endSessions",
    "delete from sessions where user_id = $1 and ($2::uuid is null or id <> $2)",
    [ended.userId, ended.exceptId],
  );
}

/** Deletes what has expired: sessions, setup links, invitations, and counted login attempts. */
export async function deleteExpiredSessions(
  db: Db,
  ended: { now: Date; idleSince: Date },
): Promise<void> {
  await queryRows(
    db,
    "deleteEndedSessions",
    "delete from sessions where ends_at <= $1 or seen_at <= $2",
    [ended.now, ended.idleSince],
  );
  await queryRows(db, "deleteEndedSetupLinks", "delete from setup_links where ends_at <= $1", [
    ended.now,
  ]);
  await queryRows(db, "deleteEndedInvitations", "delete from invitations where ends_at <= $1", [
    ended.now,
  ]);
  await queryRows(
    db,
    "deleteEndedLoginAttempts",
    "delete from login_attempts where ends_at <= $1",
    [ended.now],
  );
}

// Second factors of users and their recovery codes. Secrets are stored encrypted, recovery codes as hashes.

/** Replaces one that was never confirmed; false when there is a confirmed one. */
export async function insertSecondFactor(
  db: Db,
  factor: { id: string; encryptedSecret: Buffer; createdAt: Date },
): Promise<boolean> {
  const { id, encryptedSecret, createdAt } = factor;
  const count = await execute(
    db,
    "insertSecondFactor",
    `with ${registerKeysSql("array[$4]")}
     insert into second_factors as f (id, encrypted_secret, created_at, key_id)
     values ($1, $2, $3, $4)
     on conflict (id) do update set encrypted_secret = excluded.encrypted_secret,
       created_at = excluded.created_at, key_id = excluded.key_id, last_step = 0
     where f.confirmed_at is null`,
    [id, encryptedSecret, createdAt, keyIdOf(encryptedSecret)],
  );
  return count === 1;
}

export function findSecondFactor(db: Db, id: string): Promise<SecondFactor | null> {
  return queryFirstRow(
    db,
    "findSecondFactor",
    `select id, encrypted_secret as "encryptedSecret", confirmed_at as "confirmedAt",
       last_step as "lastStep" from second_factors where id = $1`,
    [id],
  );
}

/** Whether this step is later than the last: of two requests with one code the second gets false. */
export async function takeSecondFactorStep(
  db: Db,
  use: { id: string; step: number },
): Promise<boolean> {
  const count = await execute(
    db,
    "takeSecondFactorStep",
    "update second_factors set last_step = $2 where id = $1 and last_step < $2",
    [use.id, use.step],
  );
  return count === 1;
}

/** False when it was confirmed already, or has another secret than the one whose code was checked. */
export async function confirmSecondFactor(
  db: Db,
  change: { id: string; encryptedSecret: Buffer; confirmedAt: Date },
): Promise<boolean> {
  const count = await execute(
    db,
    "confirmSecondFactor",
    `update second_factors set confirmed_at = $2
     where id = $1 and encrypted_secret = $3 and confirmed_at is null`,
    [change.id, change.confirmedAt, change.encryptedSecret],
  );
  return count === 1;
}

export async function deleteSecondFactor(db: Db, id: string): Promise<boolean> {
  const count = await execute(
    db,
    "deleteSecondFactor",
    "delete from second_factors where id = $1",
    [id],
  );
  return count === 1;
}

/** In place of all that the user has. */
export async function replaceRecoveryCodes(
  db: Db,
  codes: { userId: string; hashes: readonly Buffer[] },
): Promise<void> {
  await queryRows(db, "deleteRecoveryCodes", "delete from recovery_codes where user_id = $1", [
    codes.userId,
  ]);
  await queryRows(
    db,
    "insertRecoveryCodes",
    "insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])",
    [codes.userId, codes.hashes],
  );
}

/** Whether the user had this code; it is gone then. */
export async function takeRecoveryCode(
  db: Db,
  code: { userId: string; hash: Buffer },
): Promise<boolean> {
  const count = await execute(
    db,
    "takeRecoveryCode",
    "delete from recovery_codes where user_id = $1 and code_hash = $2",
    [code.userId, code.hash],
  );
  return count === 1;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const found = await queryFirstRow<{ count: number }>(
    db,
    "countRecoveryCodes",
    "select count(*) as count from recovery_codes where user_id = $1",
    [userId],
  );
  return found?.count ?? 0;
}

// Login attempts by key (an account, an address), counted in windows that begin with the first attempt.
// They are counted before the password is checked, so that many at once can't pass uncounted.

type LoginAttemptCount = { key: string; attemptCount: number; endsAt: Date };

/** Counts one more for each key; `keys` holds each once. */
export function countLoginAttempts(
  db: Db,
  count: { keys: readonly string[]; now: Date; endsAt: Date },
): Promise<LoginAttemptCount[]> {
  return queryRows(
    db,
    "countLoginAttempts",
    `insert into login_attempts as t (key, attempt_count, ends_at)
     select key, 1, $3 from unnest($1::text[]) key order by key
     on conflict (key) do update set
       attempt_count = case when t.ends_at <= $2 then 1 else least(t.attempt_count + 1, 1000000) end,
       ends_at = case when t.ends_at <= $2 then $3 else t.ends_at end
     returning key, attempt_count as "attemptCount", ends_at as "endsAt"`,
    [[...count.keys].sort(), count.now, count.endsAt],
  );
}

/** After a successful login: some keys count one attempt less, others begin anew. */
export async function resetLoginAttempts(
  db: Db,
  forgiven: { clearedKeys: readonly string[]; decrementedKeys: readonly string[] },
): Promise<void> {
  await queryRows(
    db,
    "clearLoginAttempts",
    "delete from login_attempts where key = any($1::text[])",
    [[...forgiven.clearedKeys].sort()],
  );
  await queryRows(
    db,
    "decrementLoginAttempts",
    "update login_attempts set attempt_count = greatest(attempt_count - 1, 0) where key = any($1::text[])",
    [[...forgiven.decrementedKeys].sort()],
  );
}
