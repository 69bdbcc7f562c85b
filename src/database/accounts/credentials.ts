// Store credentials of workspaces. The secret is stored encrypted and is read only to be used.
import sql from "sql-template-tag";
import type { Credential } from "../../domain/credential.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { changesRow, type Db, queryFirstRow, queryRows, queryValue } from "../query.ts";
import { registerKeys } from "./encrypted-secrets.ts";

const columns = sql`id, workspace_id as "workspaceId", store, name, subject, created_at as "createdAt", 0 as version`;

export async function insertCredential(
  db: Db,
  credential: Credential & { encryptedSecret: Buffer },
): Promise<void> {
  const { id, workspaceId, store, name, subject, encryptedSecret, createdAt } = credential;
  const keyId = keyIdOf(encryptedSecret);
  await registerKeys(db, [keyId]);
  const statement = sql`insert into credentials
      (id, workspace_id, store, name, subject, encrypted_secret, created_at, key_id)
    values (${id}, ${workspaceId}, ${store}, ${name}, ${subject}, ${encryptedSecret}, ${createdAt}, ${keyId})`;
  await queryRows(db, "insertCredential", statement);
}

/** A null workspace means all of them: for the operator alone. */
export function listCredentials(
  db: Db,
  scope: { workspaceId: string | null },
): Promise<Credential[]> {
  const statement = sql`select ${columns} from credentials
    where ${scope.workspaceId}::uuid is null or workspace_id = ${scope.workspaceId} order by id`;
  return queryRows(db, "listCredentials", statement);
}

/** Locked until the transaction ends, so that it is not removed while an app is added with it. */
export function lockCredential(
  db: Db,
  scope: { id: string; workspaceId: string | null },
): Promise<Credential | null> {
  const statement = sql`select ${columns} from credentials
    where id = ${scope.id}
      and (${scope.workspaceId}::uuid is null or workspace_id = ${scope.workspaceId}) for update`;
  return queryFirstRow(db, "lockCredential", statement);
}

export function findCredentialSecret(db: Db, id: string): Promise<Buffer | null> {
  const statement = sql`select encrypted_secret as "encryptedSecret" from credentials where id = ${id}`;
  return queryValue<Buffer>(db, "findCredentialSecret", statement);
}

/** How many listings are read with it. */
export async function countCredentialUses(db: Db, id: string): Promise<number> {
  const statement = sql`select count(*) as count from listings where credential_id = ${id}`;
  return (await queryValue<number>(db, "countCredentialUses", statement)) ?? 0;
}

export function deleteCredential(db: Db, id: string): Promise<boolean> {
  const statement = sql`delete from credentials where id = ${id}`;
  return changesRow(db, "deleteCredential", statement);
}
