// Store credentials of workspaces. The secret is stored encrypted and is read only to be used.
import sql from "sql-template-tag";
import type { Credential } from "../../domain/store/credential.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { changesRow, type Db, queryCount, queryFirstRow, queryRows } from "../query.ts";
import { registerKeys } from "./encrypted-secrets.ts";

const columns = sql`id, workspace_id as "workspaceId", store, name, subject, created_at as "createdAt", 0 as version`;

export async function insertCredential(
  db: Db,
  credential: Credential & { encryptedSecret: Buffer },
): Promise<void> {
  const { id, workspaceId, store, name, subject, encryptedSecret, createdAt } = credential;
  const keyId = keyIdOf(encryptedSecret);
  await registerKeys(db, [keyId]);
  await queryRows(db, "insertCredential")`insert into credentials
      (id, workspace_id, store, name, subject, encrypted_secret, created_at, key_id)
    values (${id}, ${workspaceId}, ${store}, ${name}, ${subject}, ${encryptedSecret}, ${createdAt}, ${keyId})`;
}

/** A null workspace means all of them: for the operator alone. */
export function listCredentials(
  db: Db,
  scope: { workspaceId: string | null },
): Promise<Credential[]> {
  return queryRows(db, "listCredentials")`select ${columns} from credentials
    where ${scope.workspaceId}::uuid is null or workspace_id = ${scope.workspaceId} order by id`;
}

/** Locked until the transaction ends, so that it is not removed while an app is added with it. */
export function lockCredential(
  db: Db,
  scope: { id: string; workspaceId: string | null },
): Promise<Credential | null> {
  return queryFirstRow(db, "lockCredential")`select ${columns} from credentials
    where id = ${scope.id}
      and (${scope.workspaceId}::uuid is null or workspace_id = ${scope.workspaceId}) for update`;
}

export function findCredentialSecret(
  db: Db,
  id: string,
): Promise<{ workspaceId: string; encryptedSecret: Buffer } | null> {
  return queryFirstRow(db, "findCredentialSecret")<{
    workspaceId: string;
    encryptedSecret: Buffer;
  }>`
    select workspace_id as "workspaceId", encrypted_secret as "encryptedSecret"
    from credentials where id = ${id}`;
}

/** How many listings are read with it. */
export async function countCredentialUses(db: Db, id: string): Promise<number> {
  return queryCount(db, "countCredentialUses")`select count(*) as count from listings
    where credential_id = ${id}`;
}

export function deleteCredential(db: Db, id: string): Promise<boolean> {
  return changesRow(db, "deleteCredential")`delete from credentials where id = ${id}`;
}
