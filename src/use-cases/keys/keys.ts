// API keys: created and shown once in full, listed by their prefix, revoked for good and at once.
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { nameSchema } from "../../domain/fields.ts";
import { assertId, notFound, parseField } from "../../domain/validation-errors.ts";
import { type ApiKey, keyDaysSchema, keyScopeSchema } from "../../domain/workspace.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { hashToken } from "../members/link-token.ts";
import { assertBelowLimit, type LimitedDeps } from "../members/workspace-limits.ts";
import { requireWorkspace } from "../members/workspaces.ts";

/** A key with its text, which is shown this once. */
type CreatedKey = Omit<ApiKey, "lastUsedAt" | "lastUsedAddress" | "revokedAt"> & { key: string };

/**
 * @param input.scope `read` by default
 * @param input.days after which the key ends; never by default
 * @throws AppError `invalid_input`, `not_found` without such a workspace, or `conflict` when it has too many keys
 */
export async function createKey(
  deps: LimitedDeps & ActDeps<"findWorkspace">,
  input: { workspaceId: string; name: string; scope?: string | null; days?: number | null },
): Promise<CreatedKey> {
  const name = parseField(nameSchema(), { field: "name", value: input.name });
  const scope = parseField(keyScopeSchema, { field: "scope", value: input.scope ?? "read" });
  const days = parseField(keyDaysSchema.nullable(), { field: "days", value: input.days ?? null });
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const text = generateKey(randomBytes);
  const createdAt = deps.clock.now();
  const endsAt = days === null ? null : new Date(createdAt.getTime() + days * dayMs);
  const prefix = prefixOf(text);
  const key = { id: uuidV7(createdAt), workspaceId, name, prefix, scope, createdAt, endsAt };
  await deps.database.transaction(async (tx) => {
    await assertBelowLimit(deps, tx, { workspaceId, kind: "keys" });
    await tx.insertApiKey({ ...key, hash: hashToken(text) });
    await recordAudit(deps, tx, "key.created", key, { name, scope });
  });
  return { ...key, key: text };
}

/**
 * Revokes a key in all processes at once; a second time changes nothing.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function revokeKey(
  deps: ActDeps<"listApiKeys" | "notify">,
  query: { id: string; workspaceId: string | null },
): Promise<ApiKey> {
  assertId("id", query.id);
  const key = await findKey(deps.database, query);
  if (!key) throw notFound("key", query.id);
  await deps.database.transaction(async (tx) => {
    const isRevokedNow = await tx.revokeApiKey({ id: key.id, now: deps.clock.now() });
    if (isRevokedNow) await recordAudit(deps, tx, "key.revoked", key);
  });
  await deps.database.notify("keys", key.id);
  return (await findKey(deps.database, query)) ?? key;
}

async function findKey(
  database: Pick<Database, "listApiKeys">,
  { id, workspaceId }: { id: string; workspaceId: string | null },
): Promise<ApiKey | undefined> {
  const keys = await database.listApiKeys({ workspaceId });
  return keys.find((key) => key.id === id.toLowerCase());
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomBytesCount = 32;
// 62^43 is the first power of 62 above 2^256.
const digitCount = 43;
// Enough to distinguish keys, far too little to guess one.
const prefixLength = 9;

/** `sp_` and 32 random bytes in base62, always 46 characters. */
export function generateKey(random: (byteCount: number) => Buffer): string {
  let rest = BigInt(`0x${random(randomBytesCount).toString("hex")}`);
  let text = "";
  for (; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return `sp_${text.padStart(digitCount, "0")}`;
}

export function prefixOf(key: string): string {
  return key.slice(0, prefixLength);
}
