// Accounts of users at a sign-in provider, and links that sign one user in, once.
import type { User } from "../../domain/people/user.ts";
import { changesRow, type Db, queryFirstRow, queryRows } from "../query.ts";
import { userColumns } from "./users.ts";

/** By their account at a provider of OpenID Connect. */
export function findUserByIdentity(
  db: Db,
  identity: { issuer: string; subject: string },
): Promise<User | null> {
  return queryFirstRow(db, "findUserByIdentity")`select ${userColumns} from users
    where id = (select user_id from identities where issuer = ${identity.issuer}
      and subject = ${identity.subject})`;
}

/** False when it belongs to a user already. */
export function insertIdentity(
  db: Db,
  identity: { issuer: string; subject: string; userId: string; linkedAt: Date },
): Promise<boolean> {
  const { issuer, subject, userId, linkedAt } = identity;
  return changesRow(db, "insertIdentity")`insert into identities (issuer, subject, user_id,
    linked_at) values (${issuer}, ${subject}, ${userId}, ${linkedAt})
    on conflict do nothing`;
}

export async function insertSignInLink(
  db: Db,
  link: { tokenHash: Buffer; userId: string; endsAt: Date; isFromProvider: boolean },
): Promise<void> {
  await queryRows(db, "insertSignInLink")`insert into sign_in_links (token_hash, user_id, ends_at,
    is_from_provider) values (${link.tokenHash}, ${link.userId}, ${link.endsAt}, ${link.isFromProvider})`;
}

export function findSignInLink(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<{ userId: string; isFromProvider: boolean } | null> {
  return queryFirstRow(db, "findSignInLink")`select user_id as "userId",
    is_from_provider as "isFromProvider" from sign_in_links
    where token_hash = ${query.tokenHash} and ends_at > ${query.now}`;
}

/** True for one caller. */
export function deleteSignInLink(db: Db, link: { tokenHash: Buffer }): Promise<boolean> {
  return changesRow(db, "deleteSignInLink")`delete from sign_in_links
    where token_hash = ${link.tokenHash}`;
}

/** Those of one user, whose password has changed. */
export async function deleteSignInLinks(db: Db, { userId }: { userId: string }): Promise<void> {
  await queryRows(db, "deleteSignInLinks")`delete from sign_in_links where user_id = ${userId}`;
}

export async function deleteEndedSignInLinks(db: Db, ended: { now: Date }): Promise<void> {
  await queryRows(db, "deleteEndedSignInLinks")`delete from sign_in_links
    where ends_at <= ${ended.now}`;
}
