// A workspace's accounts at the stores: added with a key file, listed without it, removed when no app is
// read through them any more.
import type { z } from "zod";
import {
  type Credential,
  type credentialEntrySchema,
  credentialInputSchema,
} from "../../domain/credential.ts";
import { AppError } from "../../domain/error.ts";
import { nameSchema, oneOfSchema } from "../../domain/fields.ts";
import { type StoreId, storeIds } from "../../domain/store-id.ts";
import {
  assertId,
  failField,
  notFound,
  parseField,
  parseInput,
} from "../../domain/validation-errors.ts";
import type { SecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import type { StoreAppLookup } from "../apps/store-lookup.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { requireWorkspace } from "../members/workspaces.ts";

/** @throws AppError `invalid_input` that quotes no secret, or `not_found` without such a workspace */
export async function addCredential(
  deps: ActDeps<"findWorkspace"> & {
    secretBox: Pick<SecretBox, "seal">;
    /** Within a transaction nothing is requested of them. */
    stores: Readonly<Record<StoreId, Pick<StoreAppLookup, "findAccountFault">>>;
  },
  input: Omit<z.infer<typeof credentialEntrySchema>, "store"> & {
    workspaceId: string;
    store: string;
  },
): Promise<Credential> {
  const store = parseField(oneOfSchema(storeIds), { field: "store", value: input.store });
  const name = parseField(nameSchema(), { field: "name", value: input.name });
  const { secret, subject } = parseInput(credentialInputSchema(store), input);
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const fault = (await deps.stores[store].findAccountFault?.(secret)) ?? null;
  if (fault !== null) failField("bucket", fault);
  const createdAt = deps.clock.now();
  const credential = { id: uuidV7(createdAt), workspaceId, store, name, subject, createdAt };
  const encryptedSecret = deps.secretBox.seal(JSON.stringify(secret), credential.id);
  await deps.database.transaction(async (tx) => {
    await tx.insertCredential({ ...credential, encryptedSecret });
    await recordAudit(deps, tx, "credential.added", credential, { name, store, subject });
  });
  return credential;
}

/** @throws AppError `invalid_input`, `not_found`, or `conflict` while apps are read through it */
export async function removeCredential(
  deps: ActDeps,
  query: { id: string; workspaceId: string | null },
): Promise<Credential> {
  assertId("id", query.id);
  return deps.database.transaction(async (tx) => {
    const credential = await tx.lockCredential(query);
    if (!credential) throw notFound("credential", query.id);
    const { id, name, store } = credential;
    const useCount = await tx.countCredentialUses(id);
    if (useCount > 0) {
      const message = `apps are read through this credential (${useCount}); remove them first`;
      throw new AppError("conflict", message);
    }
    await tx.deleteCredential(id);
    await recordAudit(deps, tx, "credential.removed", credential, { name, store });
    return credential;
  });
}
