// Accounts of users at a sign-in provider, and links that sign one user in, once.
import type { User } from "../../domain/user.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { userColumns } from "./users.ts";

/** By their account at a provider of OpenID Connect. */
export function findUserByIdentity(
  db: Db,
  identity: { issuer: string; subject: string },
): Promise<User | null> {
  return queryFirstRow(
    db,
    "findUserByIdentity",
    `select ${userColumns} from users
     where id = (select user_id from identities where issuer = $1 and subject = $2)`,
    [identity.issuer, identity.subject],
  );
}

/** False when it belongs to a user already. */
export async function insertIdentity(
  db: Db,
  identity: { issuer: string; subject: string; userId: string; linkedAt: Date },
): Promise<boolean> {
  const { issuer, subject, userId, linkedAt } = identity;
  const count = await execute(
    db,
    "insertIdentity",
    `insert into identities (issuer, subject, user_id, linked_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [issuer, subject, userId, linkedAt],
  );
  return count === 1;
}

export async function insertSignInLink(
  db: Db,
  link: { tokenHash: Buffer; userId: string; endsAt: Date; isFromProvider: boolean },
): Promise<void> {
  await queryRows(
    db,
    "insertSignInLink",
    `insert into sign_in_links (token_hash, user_id, ends_at, is_from_provider)
     values ($1, $2, $3, $4)`,
    [link.tokenHash, link.userId, link.endsAt, link.isFromProvider],
  );
}

export function findSignInLink(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<{ userId: string; isFromProvider: boolean } | null> {
  return queryFirstRow(
    db,
    "findSignInLink",
    `select user_id as "userId", is_from_provider as "isFromProvider" from sign_in_links
     where token_hash = $1 and ends_at > $2`,
    [query.tokenHash, query.now],
  );
}

/** True for one caller. */
export async function deleteSignInLink(db: Db, link: { tokenHash: Buffer }): Promise<boolean> {
  const text = "delete from sign_in_links where token_hash = $1";
  return (await execute(db, "deleteSignInLink", text, [link.tokenHash])) === 1;
}

export async function deleteEndedSignInLinks(db: Db, ended: { now: Date }): Promise<void> {
  const text = "delete from sign_in_links where ends_at <= $1";
  await queryRows(db, "deleteEndedSignInLinks", text, [ended.now]);
}
