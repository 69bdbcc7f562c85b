// A workspace's accounts at the stores: added with a key file, listed without it, removed when no app is
// read through them any more.
import type { Database } from "../../database/database.ts";
import type { Credential } from "../../domain/credential.ts";
import { AppError } from "../../domain/error.ts";
import { isStoreId, storeIds } from "../../domain/store-id.ts";
import {
  assertId,
  failField,
  failFields,
  nameLengthMax,
  notFound,
  readName,
} from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { type CredentialSecretInput, parseCredentialSecret } from "./credential-secret.ts";

type Rooms = {
  clock: Clock;
  database: Pick<Database, "findWorkspace" | "transaction">;
  actor: string;
};

export async function addCredential(
  deps: Rooms & { secretBox: Pick<SecretBox, "seal"> },
  given: CredentialSecretInput & { workspaceId: string; store: string; name: string },
): Promise<Credential> {
  const { store } = given;
  if (!isStoreId(store)) failField("store", `must be one of ${storeIds.join(", ")}`);
  const { name, faults } = readName(given.name, { field: "name", lengthMax: nameLengthMax });
  failFields(faults);
  const { secret, subject } = parseCredentialSecret(store, given);
  const { id: workspaceId } = await requireWorkspace(deps.database, {
    field: "workspace",
    id: given.workspaceId,
  });
  const createdAt = deps.clock.now();
  const credential = { id: uuidV7(createdAt), workspaceId, store, name, subject, createdAt };
  const sealedSecret = deps.secretBox.seal(JSON.stringify(secret), credential.id);
  await deps.database.transaction(async (tx) => {
    await tx.insertCredential({ ...credential, sealedSecret });
    const detail = { name, store, subject };
    await recordAudit(deps, tx, {
      action: "credential.added",
      subject: credential.id,
      workspaceId,
      detail,
    });
  });
  return credential;
}

export async function removeCredential(
  deps: Rooms,
  removed: { id: string; workspaceId: string | null },
): Promise<Credential> {
  assertId("id", removed.id);
  return deps.database.transaction(async (tx) => {
    const credential = await tx.lockCredential(removed);
    if (!credential) throw notFound("credential", removed.id);
    const useCount = await tx.countCredentialUses(credential.id);
    if (useCount > 0) {
      throw new AppError(
        "conflict",
        `apps are read through this credential (${useCount}); remove them first`,
      );
    }
    await tx.deleteCredential(credential.id);
    const { id: subject, workspaceId, name, store } = credential;
    const detail = { name, store };
    await recordAudit(deps, tx, { action: "credential.removed", subject, workspaceId, detail });
    return credential;
  });
}
