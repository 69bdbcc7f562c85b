// Store credentials of workspaces. The secret is stored encrypted and is read only to be used.
import type { Credential } from "../../domain/credential.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { registerKeysSql } from "./encrypted-secrets.ts";

const columns = `id, workspace_id as "workspaceId", store, name, subject, created_at as "createdAt"`;

export async function insertCredential(
  db: Db,
  credential: Credential & { encryptedSecret: Buffer },
): Promise<void> {
  await queryRows(
    db,
    "insertCredential",
    `with ${registerKeysSql("array[$8]")}
     insert into credentials
       (id, workspace_id, store, name, subject, encrypted_secret, created_at, key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      credential.id,
      credential.workspaceId,
      credential.store,
      credential.name,
      credential.subject,
      credential.encryptedSecret,
      credential.createdAt,
      keyIdOf(credential.encryptedSecret),
    ],
  );
}

/** A null workspace means all of them: for the operator alone. */
export function listCredentials(
  db: Db,
  scope: { workspaceId: string | null },
): Promise<Credential[]> {
  return queryRows(
    db,
    "listCredentials",
    `select ${columns} from credentials where $1::uuid is null or workspace_id = $1 order by id`,
    [scope.workspaceId],
  );
}

/** Locked until the transaction ends, so that it is not removed while an app is added with it. */
export function lockCredential(
  db: Db,
  scope: { id: string; workspaceId: string | null },
): Promise<Credential | null> {
  return queryFirstRow(
    db,
    "lockCredential",
    `select ${columns} from credentials
     where id = $1 and ($2::uuid is null or workspace_id = $2) for update`,
    [scope.id, scope.workspaceId],
  );
}

export async function findCredentialSecret(db: Db, id: string): Promise<Buffer | null> {
  const found = await queryFirstRow<{ encryptedSecret: Buffer }>(
    db,
    "findCredentialSecret",
    `select encrypted_secret as "encryptedSecret" from credentials where id = $1`,
    [id],
  );
  return found?.encryptedSecret ?? null;
}

/** How many listings are read with it. */
export async function countCredentialUses(db: Db, id: string): Promise<number> {
  const found = await queryFirstRow<{ count: number }>(
    db,
    "countCredentialUses",
    "select count(*) as count from listings where credential_id = $1",
    [id],
  );
  return found?.count ?? 0;
}

export async function deleteCredential(db: Db, id: string): Promise<boolean> {
  const count = await execute(db, "deleteCredential", "delete from credentials where id = $1", [
    id,
  ]);
  return count === 1;
}
