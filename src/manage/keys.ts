// API keys: issued once in full, listed by their prefix, revoked for good and at once.
import { randomBytes } from "node:crypto";
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import { uuidV7 } from "../lib/uuid.ts";
import type { ApiKey } from "../reviews/workspace.ts";
import { recordAct } from "./audit.ts";
import { hashKey, prefixOf, writeKey } from "./key-text.ts";
import { nameLengthMax, notFound, readName, refuseFaults, refuseNoId } from "./refusal.ts";
import { requireWorkspace } from "./workspaces.ts";

/** A key and, this once, its text. */
export type IssuedKey = Pick<ApiKey, "id" | "workspaceId" | "name" | "prefix" | "createdAt"> & {
  key: string;
};

export async function issueKey(
  rooms: { clock: Clock; keep: Pick<Keep, "findWorkspace" | "transaction">; actor: string },
  given: { workspaceId: string; name: string },
): Promise<IssuedKey> {
  const { name, faults } = readName(given.name, { field: "name", lengthMax: nameLengthMax });
  refuseFaults(faults);
  const { id: workspaceId } = await requireWorkspace(rooms.keep, {
    field: "workspace",
    id: given.workspaceId,
  });
  const text = writeKey(randomBytes);
  const createdAt = rooms.clock.now();
  const key = { id: uuidV7(createdAt), workspaceId, name, prefix: prefixOf(text), createdAt };
  await rooms.keep.transaction(async (tx) => {
    await tx.insertApiKey({ ...key, hash: hashKey(text) });
    await recordAct(rooms, tx, { action: "key.created", subject: key.id, workspaceId });
  });
  return { ...key, key: text };
}

/** Revokes a key; a second time changes nothing. Other processes hear of it at once. */
export async function revokeKey(
  rooms: {
    clock: Clock;
    keep: Pick<Keep, "listApiKeys" | "transaction" | "notify">;
    actor: string;
  },
  given: { id: string; workspaceId: string | null },
): Promise<ApiKey> {
  refuseNoId("id", given.id);
  const key = await findKey(rooms.keep, given);
  if (!key) throw notFound("key", given.id);
  await rooms.keep.transaction(async (tx) => {
    const isRevokedNow = await tx.revokeApiKey({ id: key.id, now: rooms.clock.now() });
    if (!isRevokedNow) return;
    const { id, workspaceId } = key;
    await recordAct(rooms, tx, { action: "key.revoked", subject: id, workspaceId });
  });
  await rooms.keep.notify("keys", key.id);
  return (await findKey(rooms.keep, given)) ?? key;
}

async function findKey(
  keep: Pick<Keep, "listApiKeys">,
  wanted: { id: string; workspaceId: string | null },
): Promise<ApiKey | undefined> {
  const keys = await keep.listApiKeys({ workspaceId: wanted.workspaceId });
  return keys.find((key) => key.id === wanted.id.toLowerCase());
}
