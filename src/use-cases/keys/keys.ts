// API keys: issued once in full, listed by their prefix, revoked for good and at once.
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";
import {
  assertId,
  failFields,
  nameLengthMax,
  notFound,
  readName,
} from "../../domain/validation-errors.ts";
import type { ApiKey } from "../../domain/workspace.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { hashKey, prefixOf, generateKey } from "./key-text.ts";

/** A key and, this once, its text. */
export type CreatedKey = Pick<ApiKey, "id" | "workspaceId" | "name" | "prefix" | "createdAt"> & {
  key: string;
};

export async function createKey(
  deps: { clock: Clock; database: Pick<Database, "findWorkspace" | "transaction">; actor: string },
  given: { workspaceId: string; name: string },
): Promise<CreatedKey> {
  const { name, faults } = readName(given.name, { field: "name", lengthMax: nameLengthMax });
  failFields(faults);
  const { id: workspaceId } = await requireWorkspace(deps.database, {
    field: "workspace",
    id: given.workspaceId,
  });
  const text = generateKey(randomBytes);
  const createdAt = deps.clock.now();
  const key = { id: uuidV7(createdAt), workspaceId, name, prefix: prefixOf(text), createdAt };
  await deps.database.transaction(async (tx) => {
    await tx.insertApiKey({ ...key, hash: hashKey(text) });
    await recordAudit(deps, tx, { action: "key.created", subject: key.id, workspaceId });
  });
  return { ...key, key: text };
}

/** Revokes a key; a second time changes nothing. Other processes hear of it at once. */
export async function revokeKey(
  deps: {
    clock: Clock;
    database: Pick<Database, "listApiKeys" | "transaction" | "notify">;
    actor: string;
  },
  given: { id: string; workspaceId: string | null },
): Promise<ApiKey> {
  assertId("id", given.id);
  const key = await findKey(deps.database, given);
  if (!key) throw notFound("key", given.id);
  await deps.database.transaction(async (tx) => {
    const isRevokedNow = await tx.revokeApiKey({ id: key.id, now: deps.clock.now() });
    if (!isRevokedNow) return;
    const { id, workspaceId } = key;
    await recordAudit(deps, tx, { action: "key.revoked", subject: id, workspaceId });
  });
  await deps.database.notify("keys", key.id);
  return (await findKey(deps.database, given)) ?? key;
}

async function findKey(
  database: Pick<Database, "listApiKeys">,
  wanted: { id: string; workspaceId: string | null },
): Promise<ApiKey | undefined> {
  const keys = await database.listApiKeys({ workspaceId: wanted.workspaceId });
  return keys.find((key) => key.id === wanted.id.toLowerCase());
}
