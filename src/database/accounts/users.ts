// Users and how they sign in: passwords and tokens are stored as hashes, secrets of authenticator apps encrypted.
import sql from "sql-template-tag";
import type { NewUser, SecondFactor, Session, User } from "../../domain/people/user.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import {
  changesRow,
  type Db,
  execute,
  queryCount,
  queryFirstRow,
  queryRows,
  queryValue,
} from "../query.ts";
import { registerKeys } from "./encrypted-secrets.ts";

export const userColumns = sql`id, email, name, created_at as "createdAt",
  email_confirmed_at as "emailConfirmedAt", workspace_id as "workspaceId"`;

/** False when the address has an account already. */
export function insertUser(db: Db, user: NewUser): Promise<boolean> {
  return changesRow(db, "insertUser")`insert into users (id, email, name, password_hash, created_at,
      email_confirmed_at, workspace_id)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.createdAt},
      ${user.emailConfirmedAt ?? null}, null) on conflict (email) do nothing`;
}

export function findUser(db: Db, id: string): Promise<User | null> {
  return queryFirstRow(db, "findUser")`select ${userColumns} from users where id = ${id}`;
}

export function findUserByEmail(
  db: Db,
  email: string,
): Promise<(User & { passwordHash: string }) | null> {
  return queryFirstRow(db, "findUserByEmail")`select ${userColumns}, password_hash as "passwordHash"
    from users where email = ${email}`;
}

/** For the operator alone. */
export function listUsers(db: Db): Promise<(User & { hasSecondFactor: boolean })[]> {
  return queryRows(db, "listUsers")`select ${userColumns}, exists (
      select from second_factors f where f.id = users.id and f.confirmed_at is not null
    ) as "hasSecondFactor" from users order by id`;
}

export async function hasUsers(db: Db): Promise<boolean> {
  const hasAny = await queryValue(
    db,
    "hasUsers",
  )<boolean>`select exists (select from users) as any`;
  return hasAny === true;
}

export async function setUserName(db: Db, change: { id: string; name: string }): Promise<void> {
  await queryRows(db, "setUserName")`update users set name = ${change.name}
    where id = ${change.id}`;
}

export async function confirmEmail(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await queryRows(db, "confirmEmail")`update users set email_confirmed_at = ${now}
    where id = ${id}`;
}

export async function setPasswordHash(
  db: Db,
  change: { id: string; passwordHash: string },
): Promise<void> {
  await queryRows(db, "setPasswordHash")`update users set password_hash = ${change.passwordHash}
    where id = ${change.id}`;
}

/** Other changes of the password, and sessions that begin, wait until the transaction ends. null without the user. */
export function lockPasswordHash(db: Db, userId: string): Promise<string | null> {
  return queryValue(db, "lockPasswordHash")<string>`select password_hash as "passwordHash"
    from users where id = ${userId} for update`;
}

/** The workspace that the dashboard shows this user from now on. */
export async function setUserWorkspace(
  db: Db,
  change: { id: string; workspaceId: string },
): Promise<void> {
  await queryRows(db, "setUserWorkspace")`update users set workspace_id = ${change.workspaceId}
    where id = ${change.id}`;
}

export function deleteUser(db: Db, id: string): Promise<boolean> {
  return changesRow(db, "deleteUser")`delete from users where id = ${id}`;
}

// Sessions by the SHA-256 of their token: the token itself is only in the user's browser.

const sessionColumns = sql`s.id, s.user_id as "userId", s.started_at as "startedAt", s.seen_at as "seenAt",
  s.ends_at as "endsAt", s.proved_at as "provedAt", s.address, s.browser`;

export async function insertSession(
  db: Db,
  session: Session & { tokenHash: Buffer },
): Promise<void> {
  await queryRows(db, "insertSession")`insert into sessions (id, token_hash, user_id, started_at,
      seen_at, ends_at, proved_at, address, browser)
    values (${session.id}, ${session.tokenHash}, ${session.userId}, ${session.startedAt},
      ${session.seenAt}, ${session.endsAt}, ${session.provedAt}, ${session.address}, ${session.browser})`;
}

/** null once it has ended, or was not used since `idleSince`. */
export function findSession(
  db: Db,
  query: { tokenHash: Buffer; now: Date; idleSince: Date },
): Promise<Session | null> {
  return queryFirstRow(db, "findSession")`select ${sessionColumns} from sessions s
    where s.token_hash = ${query.tokenHash} and s.ends_at > ${query.now}
      and s.seen_at > ${query.idleSince}`;
}

export async function hasSession(
  db: Db,
  session: { id: string; userId: string },
): Promise<boolean> {
  const found = await queryRows(db, "hasSession")`select from sessions
    where id = ${session.id} and user_id = ${session.userId}`;
  return found.length > 0;
}

export async function touchSession(
  db: Db,
  touched: { id: string; seenAt: Date; address: string },
): Promise<void> {
  await queryRows(db, "touchSession")`update sessions
      set seen_at = greatest(seen_at, ${touched.seenAt}),
      address = ${touched.address} where id = ${touched.id}`;
}

/** The user entered password and code once more. */
export async function proveSession(db: Db, proved: { id: string; provedAt: Date }): Promise<void> {
  await queryRows(db, "proveSession")`update sessions set proved_at = ${proved.provedAt}
    where id = ${proved.id}`;
}

/** Open sessions, the last used first. */
export function listSessions(
  db: Db,
  query: { userId: string; now: Date; idleSince: Date },
): Promise<Session[]> {
  return queryRows(db, "listSessions")`select ${sessionColumns} from sessions s
    where s.user_id = ${query.userId} and s.ends_at > ${query.now} and s.seen_at > ${query.idleSince}
    order by s.seen_at desc, s.id`;
}

/** Ends one session of a user. */
export function endSession(db: Db, ended: { id: string; userId: string }): Promise<boolean> {
  return changesRow(db, "endSession")`delete from sessions
    where id = ${ended.id} and user_id = ${ended.userId}`;
}

/** Ends all sessions of a user but one; null ends all. Returns how many. */
export function endSessions(
  db: Db,
  ended: { userId: string; exceptId: string | null },
): Promise<number> {
  return execute(db, "endSessions")`delete from sessions where user_id = ${ended.userId}
      and (${ended.exceptId}::uuid is null or id <> ${ended.exceptId})`;
}

/** Deletes what has expired: sessions, setup links, invitations, and counted login attempts. */
export async function deleteExpiredSessions(
  db: Db,
  ended: { now: Date; idleSince: Date },
): Promise<void> {
  const { now, idleSince } = ended;
  await queryRows(db, "deleteEndedSessions")`delete from sessions
    where ends_at <= ${now} or seen_at <= ${idleSince}`;
  await queryRows(db, "deleteEndedSetupLinks")`delete from setup_links where ends_at <= ${now}`;
  await queryRows(db, "deleteEndedInvitations")`delete from invitations where ends_at <= ${now}`;
  await queryRows(db, "deleteEndedLoginAttempts")`delete from login_attempts
    where ends_at <= ${now}`;
}

// Second factors of users and their recovery codes. Secrets are stored encrypted, recovery codes as hashes.

/** Replaces one that was never confirmed; false when there is a confirmed one. */
export async function insertSecondFactor(
  db: Db,
  factor: { id: string; encryptedSecret: Buffer; createdAt: Date },
): Promise<boolean> {
  const { id, encryptedSecret, createdAt } = factor;
  const keyId = keyIdOf(encryptedSecret);
  await registerKeys(db, [keyId]);
  return changesRow(db, "insertSecondFactor")`insert into second_factors as f (id, encrypted_secret,
    created_at, key_id) values (${id}, ${encryptedSecret}, ${createdAt}, ${keyId})
    on conflict (id) do update set encrypted_secret = excluded.encrypted_secret,
      created_at = excluded.created_at, key_id = excluded.key_id, last_step = 0
    where f.confirmed_at is null`;
}

export function findSecondFactor(db: Db, id: string): Promise<SecondFactor | null> {
  return queryFirstRow(db, "findSecondFactor")`select id, encrypted_secret as "encryptedSecret",
    confirmed_at as "confirmedAt", last_step as "lastStep" from second_factors where id = ${id}`;
}

/** Whether this step is later than the last: of two requests with one code the second gets false. */
export function takeSecondFactorStep(db: Db, use: { id: string; step: number }): Promise<boolean> {
  return changesRow(db, "takeSecondFactorStep")`update second_factors set last_step = ${use.step}
      where id = ${use.id} and last_step < ${use.step}`;
}

/** False when it was confirmed already, or has another secret than the one whose code was checked. */
export function confirmSecondFactor(
  db: Db,
  change: { id: string; encryptedSecret: Buffer; confirmedAt: Date },
): Promise<boolean> {
  return changesRow(db, "confirmSecondFactor")`update second_factors
    set confirmed_at = ${change.confirmedAt}
    where id = ${change.id} and encrypted_secret = ${change.encryptedSecret} and confirmed_at is null`;
}

export function deleteSecondFactor(db: Db, id: string): Promise<boolean> {
  return changesRow(db, "deleteSecondFactor")`delete from second_factors where id = ${id}`;
}

/** In place of all that the user has. */
export async function replaceRecoveryCodes(
  db: Db,
  codes: { userId: string; hashes: readonly Buffer[] },
): Promise<void> {
  const { userId, hashes } = codes;
  await queryRows(db, "deleteRecoveryCodes")`delete from recovery_codes where user_id = ${userId}`;
  await queryRows(db, "insertRecoveryCodes")`insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${hashes}::bytea[])`;
}

/** Whether the user had this code; it is gone then. */
export function takeRecoveryCode(db: Db, code: { userId: string; hash: Buffer }): Promise<boolean> {
  return changesRow(db, "takeRecoveryCode")`delete from recovery_codes
      where user_id = ${code.userId} and code_hash = ${code.hash}`;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return queryCount(db, "countRecoveryCodes")`select count(*) as count
    from recovery_codes where user_id = ${userId}`;
}

// Login attempts by key (an account, an address), counted in windows that begin with the first attempt.
// They are counted before the password is checked, so that many at once can't pass uncounted.

type LoginAttemptCount = { key: string; attemptCount: number; endsAt: Date };

/** Counts one more for each key; `keys` holds each once. */
export function countLoginAttempts(
  db: Db,
  count: { keys: readonly string[]; now: Date; endsAt: Date },
): Promise<LoginAttemptCount[]> {
  return queryRows(db, "countLoginAttempts")`insert into login_attempts as t (key, attempt_count,
    ends_at) select key, 1, ${count.endsAt} from unnest(${[...count.keys].sort()}::text[]) key order by key
    on conflict (key) do update set
      attempt_count = case when t.ends_at <= ${count.now} then 1
        else least(t.attempt_count + 1, 1000000) end,
        ends_at = case when t.ends_at <= ${count.now} then ${count.endsAt} else t.ends_at end
    returning key, attempt_count as "attemptCount", ends_at as "endsAt"`;
}

/** After a successful login: some keys count one attempt less, others begin anew. */
export async function resetLoginAttempts(
  db: Db,
  forgiven: { clearedKeys: readonly string[]; decrementedKeys: readonly string[] },
): Promise<void> {
  const { clearedKeys, decrementedKeys } = forgiven;
  await queryRows(db, "clearLoginAttempts")`delete from login_attempts
    where key = any(${[...clearedKeys].sort()}::text[])`;
  await queryRows(db, "decrementLoginAttempts")`update login_attempts
    set attempt_count = greatest(attempt_count - 1, 0)
    where key = any(${[...decrementedKeys].sort()}::text[])`;
}
