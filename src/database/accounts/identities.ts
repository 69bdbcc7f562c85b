// Accounts of users at a sign-in provider, and links that sign one user in, once.
import sql from "sql-template-tag";
import type { User } from "../../domain/user.ts";
import { changesRow, type Db, queryFirstRow, queryRows } from "../query.ts";
import { userColumns } from "./users.ts";

/** By their account at a provider of OpenID Connect. */
export function findUserByIdentity(
  db: Db,
  identity: { issuer: string; subject: string },
): Promise<User | null> {
  const statement = sql`select ${userColumns} from users
    where id = (select user_id from identities where issuer = ${identity.issuer}
      and subject = ${identity.subject})`;
  return queryFirstRow(db, "findUserByIdentity", statement);
}

/** False when it belongs to a user already. */
export function insertIdentity(
  db: Db,
  identity: { issuer: string; subject: string; userId: string; linkedAt: Date },
): Promise<boolean> {
  const { issuer, subject, userId, linkedAt } = identity;
  const statement = sql`insert into identities (issuer, subject, user_id, linked_at)
    values (${issuer}, ${subject}, ${userId}, ${linkedAt})
    on conflict do nothing`;
  return changesRow(db, "insertIdentity", statement);
}

export async function insertSignInLink(
  db: Db,
  link: { tokenHash: Buffer; userId: string; endsAt: Date; isFromProvider: boolean },
): Promise<void> {
  const statement = sql`insert into sign_in_links (token_hash, user_id, ends_at, is_from_provider)
    values (${link.tokenHash}, ${link.userId}, ${link.endsAt}, ${link.isFromProvider})`;
  await queryRows(db, "insertSignInLink", statement);
}

export function findSignInLink(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<{ userId: string; isFromProvider: boolean } | null> {
  const statement = sql`select user_id as "userId", is_from_provider as "isFromProvider"
    from sign_in_links
    where token_hash = ${query.tokenHash} and ends_at > ${query.now}`;
  return queryFirstRow(db, "findSignInLink", statement);
}

/** True for one caller. */
export function deleteSignInLink(db: Db, link: { tokenHash: Buffer }): Promise<boolean> {
  const statement = sql`delete from sign_in_links where token_hash = ${link.tokenHash}`;
  return changesRow(db, "deleteSignInLink", statement);
}

/** Those of one user, whose password has changed. */
export async function deleteSignInLinks(db: Db, { userId }: { userId: string }): Promise<void> {
  await queryRows(
    db,
    "deleteSignInLinks",
    sql`delete from sign_in_links where user_id = ${userId}`,
  );
}

export async function deleteEndedSignInLinks(db: Db, ended: { now: Date }): Promise<void> {
  const statement = sql`delete from sign_in_links where ends_at <= ${ended.now}`;
  await queryRows(db, "deleteEndedSignInLinks", statement);
}
