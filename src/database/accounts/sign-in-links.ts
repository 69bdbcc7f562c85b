// Links that sign one user in, once.
import { changesRow, type Db, queryFirstRow, queryRows } from "../query.ts";

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
