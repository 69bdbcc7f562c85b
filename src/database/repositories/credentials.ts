// Accounts of workspaces at the stores. The secret is kept sealed and is handed out only to be used.
import type { Credential } from "../../domain/credential.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

const columns = `id, workspace_id as "workspaceId", store, name, subject, created_at as "createdAt"`;

export async function insertCredential(
  db: Db,
  credential: Credential & { sealedSecret: Buffer },
): Promise<void> {
  await queryRows(
    db,
    "insertCredential",
    `insert into credentials (id, workspace_id, store, name, subject, sealed_secret, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      credential.id,
      credential.workspaceId,
      credential.store,
      credential.name,
      credential.subject,
      credential.sealedSecret,
      credential.createdAt,
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

/** Held until the transaction ends, so that it is not removed while an app is hung on it. */
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
  const found = await queryFirstRow<{ sealedSecret: Buffer }>(
    db,
    "findCredentialSecret",
    `select sealed_secret as "sealedSecret" from credentials where id = $1`,
    [id],
  );
  return found?.sealedSecret ?? null;
}

/** How many listings are read through it. */
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
