// A workspace's accounts at the stores: added with a key file, listed without it, removed when no app is
// read through them any more.
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { SecretBox } from "../lib/secret-box.ts";
import { uuidV7 } from "../lib/uuid.ts";
import type { Credential } from "../reviews/credential.ts";
import { AppError } from "../reviews/error.ts";
import { isStoreId, storeIds } from "../reviews/store-id.ts";
import { recordAct } from "./audit.ts";
import { type CredentialParts, readSecret } from "./credential-secret.ts";
import { nameLengthMax, notFound, readName, refuse, refuseFaults, refuseNoId } from "./refusal.ts";
import { requireWorkspace } from "./workspaces.ts";

type Rooms = { clock: Clock; keep: Pick<Keep, "findWorkspace" | "transaction">; actor: string };

export async function addCredential(
  rooms: Rooms & { secretBox: Pick<SecretBox, "seal"> },
  given: CredentialParts & { workspaceId: string; store: string; name: string },
): Promise<Credential> {
  const { store } = given;
  if (!isStoreId(store)) refuse("store", `must be one of ${storeIds.join(", ")}`);
  const { name, faults } = readName(given.name, { field: "name", lengthMax: nameLengthMax });
  refuseFaults(faults);
  const { secret, subject } = readSecret(store, given);
  const { id: workspaceId } = await requireWorkspace(rooms.keep, {
    field: "workspace",
    id: given.workspaceId,
  });
  const createdAt = rooms.clock.now();
  const credential = { id: uuidV7(createdAt), workspaceId, store, name, subject, createdAt };
  const sealedSecret = rooms.secretBox.seal(JSON.stringify(secret), credential.id);
  await rooms.keep.transaction(async (tx) => {
    await tx.insertCredential({ ...credential, sealedSecret });
    const detail = { name, store, subject };
    await recordAct(rooms, tx, {
      action: "credential.added",
      subject: credential.id,
      workspaceId,
      detail,
    });
  });
  return credential;
}

export async function removeCredential(
  rooms: Rooms,
  removed: { id: string; workspaceId: string | null },
): Promise<Credential> {
  refuseNoId("id", removed.id);
  return rooms.keep.transaction(async (tx) => {
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
    await recordAct(rooms, tx, { action: "credential.removed", subject, workspaceId, detail });
    return credential;
  });
}
