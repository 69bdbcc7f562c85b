// Sessions by the SHA-256 of their token: the token itself is only in the user's browser.
import type { Session } from "../../domain/user.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

const columns = `s.id, s.user_id as "userId", s.started_at as "startedAt", s.seen_at as "seenAt",
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
    `select ${columns} from sessions s
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
    `select ${columns} from sessions s
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
