// Users and how they sign in: passwords and tokens are stored as hashes, secrets of authenticator apps encrypted.
import sql from "sql-template-tag";
import type { NewUser, SecondFactor, Session, User } from "../../domain/user.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { changesRow, type Db, execute, queryFirstRow, queryRows, queryValue } from "../query.ts";
import { registerKeys } from "./encrypted-secrets.ts";

export const userColumns = sql`id, email, name, created_at as "createdAt",
  email_confirmed_at as "emailConfirmedAt", workspace_id as "workspaceId"`;

/** False when the address has an account already. */
export function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const statement = sql`insert into users (id, email, name, password_hash, created_at,
      email_confirmed_at, workspace_id)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.createdAt},
      ${user.emailConfirmedAt ?? null}, null) on conflict (email) do nothing`;
  return changesRow(db, "insertUser", statement);
}

export function findUser(db: Db, id: string): Promise<User | null> {
  return queryFirstRow(db, "findUser", sql`select ${userColumns} from users where id = ${id}`);
}

export function findUserByEmail(
  db: Db,
  email: string,
): Promise<(User & { passwordHash: string }) | null> {
  const statement = sql`select ${userColumns}, password_hash as "passwordHash" from users
    where email = ${email}`;
  return queryFirstRow(db, "findUserByEmail", statement);
}

/** For the operator alone. */
export function listUsers(db: Db): Promise<(User & { hasSecondFactor: boolean })[]> {
  const statement = sql`select ${userColumns}, exists (
      select from second_factors f where f.id = users.id and f.confirmed_at is not null
    ) as "hasSecondFactor" from users order by id`;
  return queryRows(db, "listUsers", statement);
}

export async function hasUsers(db: Db): Promise<boolean> {
  const statement = sql`select exists (select from users) as any`;
  const found = await queryFirstRow<{ any: boolean }>(db, "hasUsers", statement);
  return found?.any === true;
}

export async function setUserName(db: Db, change: { id: string; name: string }): Promise<void> {
  const statement = sql`update users set name = ${change.name} where id = ${change.id}`;
  await queryRows(db, "setUserName", statement);
}

export async function confirmEmail(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  const statement = sql`update users set email_confirmed_at = ${now} where id = ${id}`;
  await queryRows(db, "confirmEmail", statement);
}

export async function setPasswordHash(
  db: Db,
  change: { id: string; passwordHash: string },
): Promise<void> {
  const statement = sql`update users set password_hash = ${change.passwordHash} where id = ${change.id}`;
  await queryRows(db, "setPasswordHash", statement);
}

/** Other changes of the password, and sessions that begin, wait until the transaction ends. null without the user. */
export function lockPasswordHash(db: Db, userId: string): Promise<string | null> {
  const statement = sql`select password_hash as "passwordHash" from users where id = ${userId} for update`;
  return queryValue<string>(db, "lockPasswordHash", statement);
}

/** The workspace that the dashboard shows this user from now on. */
export async function setUserWorkspace(
  db: Db,
  change: { id: string; workspaceId: string },
): Promise<void> {
  const statement = sql`update users set workspace_id = ${change.workspaceId} where id = ${change.id}`;
  await queryRows(db, "setUserWorkspace", statement);
}

export function deleteUser(db: Db, id: string): Promise<boolean> {
  return changesRow(db, "deleteUser", sql`delete from users where id = ${id}`);
}

// Sessions by the SHA-256 of their token: the token itself is only in the user's browser.

const sessionColumns = sql`s.id, s.user_id as "userId", s.started_at as "startedAt", s.seen_at as "seenAt",
  s.ends_at as "endsAt", s.proved_at as "provedAt", s.address, s.browser`;

export async function insertSession(
  db: Db,
  session: Session & { tokenHash: Buffer },
): Promise<void> {
  const statement = sql`insert into sessions (id, token_hash, user_id, started_at, seen_at, ends_at,
      proved_at, address, browser)
    values (${session.id}, ${session.tokenHash}, ${session.userId}, ${session.startedAt},
      ${session.seenAt}, ${session.endsAt}, ${session.provedAt}, ${session.address}, ${session.browser})`;
  await queryRows(db, "insertSession", statement);
}

/** null once it has ended, or was not used since `idleSince`. */
export function findSession(
  db: Db,
  query: { tokenHash: Buffer; now: Date; idleSince: Date },
): Promise<Session | null> {
  const statement = sql`select ${sessionColumns} from sessions s
    where s.token_hash = ${query.tokenHash} and s.ends_at > ${query.now}
      and s.seen_at > ${query.idleSince}`;
  return queryFirstRow(db, "findSession", statement);
}

export async function hasSession(
  db: Db,
  session: { id: string; userId: string },
): Promise<boolean> {
  const statement = sql`select from sessions where id = ${session.id} and user_id = ${session.userId}`;
  const found = await queryRows(db, "hasSession", statement);
  return found.length > 0;
}

export async function touchSession(
  db: Db,
  touched: { id: string; seenAt: Date; address: string },
): Promise<void> {
  const statement = sql`update sessions set seen_at = greatest(seen_at, ${touched.seenAt}),
      address = ${touched.address} where id = ${touched.id}`;
  await queryRows(db, "touchSession", statement);
}

/** The user entered password and code once more. */
export async function proveSession(db: Db, proved: { id: string; provedAt: Date }): Promise<void> {
  const statement = sql`update sessions set proved_at = ${proved.provedAt} where id = ${proved.id}`;
  await queryRows(db, "proveSession", statement);
}

/** Open sessions, the last used first. */
export function listSessions(
  db: Db,
  query: { userId: string; now: Date; idleSince: Date },
): Promise<Session[]> {
  const statement = sql`select ${sessionColumns} from sessions s
    where s.user_id = ${query.userId} and s.ends_at > ${query.now} and s.seen_at > ${query.idleSince}
    order by s.seen_at desc, s.id`;
  return queryRows(db, "listSessions", statement);
}

/** Ends one session of a user. */
export function endSession(db: Db, ended: { id: string; userId: string }): Promise<boolean> {
  const statement = sql`delete from sessions where id = ${ended.id} and user_id = ${ended.userId}`;
  return changesRow(db, "endSession", statement);
}

/** Ends all sessions of a user but one; null ends all. Returns how many. */
export function endSessions(
  db: Db,
  ended: { userId: string; exceptId: string | null },
): Promise<number> {
  const statement = sql`delete from sessions where user_id = ${ended.userId}
      and (${ended.exceptId}::uuid is null or id <> ${ended.exceptId})`;
  return execute(db, "endSessions", statement);
}

/** Deletes what has expired: sessions, setup links, invitations, and counted login attempts. */
export async function deleteExpiredSessions(
  db: Db,
  ended: { now: Date; idleSince: Date },
): Promise<void> {
  const { now, idleSince } = ended;
  const sessions = sql`delete from sessions where ends_at <= ${now} or seen_at <= ${idleSince}`;
  await queryRows(db, "deleteEndedSessions", sessions);
  await queryRows(
    db,
    "deleteEndedSetupLinks",
    sql`delete from setup_links where ends_at <= ${now}`,
  );
  await queryRows(
    db,
    "deleteEndedInvitations",
    sql`delete from invitations where ends_at <= ${now}`,
  );
  const attempts = sql`delete from login_attempts where ends_at <= ${now}`;
  await queryRows(db, "deleteEndedLoginAttempts", attempts);
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
  const statement = sql`insert into second_factors as f (id, encrypted_secret, created_at, key_id)
    values (${id}, ${encryptedSecret}, ${createdAt}, ${keyId})
    on conflict (id) do update set encrypted_secret = excluded.encrypted_secret,
      created_at = excluded.created_at, key_id = excluded.key_id, last_step = 0
    where f.confirmed_at is null`;
  return changesRow(db, "insertSecondFactor", statement);
}

export function findSecondFactor(db: Db, id: string): Promise<SecondFactor | null> {
  const statement = sql`select id, encrypted_secret as "encryptedSecret", confirmed_at as "confirmedAt",
    last_step as "lastStep" from second_factors where id = ${id}`;
  return queryFirstRow(db, "findSecondFactor", statement);
}

/** Whether this step is later than the last: of two requests with one code the second gets false. */
export function takeSecondFactorStep(db: Db, use: { id: string; step: number }): Promise<boolean> {
  const statement = sql`update second_factors set last_step = ${use.step} where id = ${use.id}
      and last_step < ${use.step}`;
  return changesRow(db, "takeSecondFactorStep", statement);
}

/** False when it was confirmed already, or has another secret than the one whose code was checked. */
export function confirmSecondFactor(
  db: Db,
  change: { id: string; encryptedSecret: Buffer; confirmedAt: Date },
): Promise<boolean> {
  const statement = sql`update second_factors set confirmed_at = ${change.confirmedAt}
    where id = ${change.id} and encrypted_secret = ${change.encryptedSecret} and confirmed_at is null`;
  return changesRow(db, "confirmSecondFactor", statement);
}

export function deleteSecondFactor(db: Db, id: string): Promise<boolean> {
  const statement = sql`delete from second_factors where id = ${id}`;
  return changesRow(db, "deleteSecondFactor", statement);
}

/** In place of all that the user has. */
export async function replaceRecoveryCodes(
  db: Db,
  codes: { userId: string; hashes: readonly Buffer[] },
): Promise<void> {
  const { userId, hashes } = codes;
  const deleted = sql`delete from recovery_codes where user_id = ${userId}`;
  await queryRows(db, "deleteRecoveryCodes", deleted);
  const inserted = sql`insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${hashes}::bytea[])`;
  await queryRows(db, "insertRecoveryCodes", inserted);
}

/** Whether the user had this code; it is gone then. */
export function takeRecoveryCode(db: Db, code: { userId: string; hash: Buffer }): Promise<boolean> {
  const statement = sql`delete from recovery_codes where user_id = ${code.userId}
      and code_hash = ${code.hash}`;
  return changesRow(db, "takeRecoveryCode", statement);
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const statement = sql`select count(*) as count from recovery_codes where user_id = ${userId}`;
  return (await queryValue<number>(db, "countRecoveryCodes", statement)) ?? 0;
}

// Login attempts by key (an account, an address), counted in windows that begin with the first attempt.
// They are counted before the password is checked, so that many at once can't pass uncounted.

type LoginAttemptCount = { key: string; attemptCount: number; endsAt: Date };

/** Counts one more for each key; `keys` holds each once. */
export function countLoginAttempts(
  db: Db,
  count: { keys: readonly string[]; now: Date; endsAt: Date },
): Promise<LoginAttemptCount[]> {
  const statement = sql`insert into login_attempts as t (key, attempt_count, ends_at)
    select key, 1, ${count.endsAt} from unnest(${[...count.keys].sort()}::text[]) key order by key
    on conflict (key) do update set
      attempt_count = case when t.ends_at <= ${count.now} then 1
        else least(t.attempt_count + 1, 1000000) end,
        ends_at = case when t.ends_at <= ${count.now} then ${count.endsAt} else t.ends_at end
    returning key, attempt_count as "attemptCount", ends_at as "endsAt"`;
  return queryRows(db, "countLoginAttempts", statement);
}

/** After a successful login: some keys count one attempt less, others begin anew. */
export async function resetLoginAttempts(
  db: Db,
  forgiven: { clearedKeys: readonly string[]; decrementedKeys: readonly string[] },
): Promise<void> {
  const { clearedKeys, decrementedKeys } = forgiven;
  const cleared = sql`delete from login_attempts where key = any(${[...clearedKeys].sort()}::text[])`;
  await queryRows(db, "clearLoginAttempts", cleared);
  const decremented = sql`update login_attempts set attempt_count = greatest(attempt_count - 1, 0)
    where key = any(${[...decrementedKeys].sort()}::text[])`;
  await queryRows(db, "decrementLoginAttempts", decremented);
}
