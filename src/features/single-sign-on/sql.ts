// Accounts of users at a provider of OpenID Connect.
import { userColumns } from "../../database/accounts/users.ts";
import { changesRow, type Db, queryFirstRow } from "../../database/query.ts";
import type { User } from "../../domain/people/user.ts";

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
