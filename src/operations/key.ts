// API keys: created and shown once in full, revoked for good and at once, and kept by an owner whose predecessor made them.
import { randomBytes } from "node:crypto";
import type { DatabaseTransaction } from "../database/database.ts";
import { type ApiKey, newKeySchema } from "../domain/people/workspace.ts";
import { dayMs } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { hashToken } from "../use-cases/accounts/link-token.ts";
import { limitCount } from "./limit-count.ts";
import { mailNotice } from "./notices.ts";
import {
  action,
  creation,
  defineNoun,
  type Resource,
  type ResourceRef,
  readSaved,
} from "./operation.ts";

type KeyResource = ApiKey & Resource;

const keyNoun = defineNoun<KeyResource>({
  noun: "key",
  plural: "keys",
  path: "keys",
  async find(database, { id, workspaceId }) {
    const keys = await listKeys(database, workspaceId);
    return keys.find((key) => key.id === id.toLowerCase()) ?? null;
  },
  list: listKeys,
  toView: ({ id, name, scope }) => ({ id, name, scope }),
  viewSchema: null,
});

async function listKeys(
  database: DatabaseTransaction,
  workspaceId: ResourceRef["workspaceId"],
): Promise<KeyResource[]> {
  const keys = await database.listApiKeys({ workspaceId });
  // Nothing of a key changes but that it is revoked.
  return keys.map((key) => ({ ...key, version: Number(key.revokedAt !== null) }));
}

export const createKey = creation(keyNoun, {
  role: "owner",
  verb: "create",
  summary: "Create an API key",
  isSensitive: true,
  limits: [{ perMinute: 10, by: "workspace" }],
  bodyBytesMax: 8 * 1024,
  audit: "key.created",
  schema: newKeySchema,
  async run(context, { input: { name, scope = "read", days = null } }) {
    const { tx, workspaceId, now } = context;
    limitCount(context, "keys");
    const secret = generateKey(randomBytes);
    const id = uuidV7(now);
    const endsAt = days === null ? null : new Date(now.getTime() + days * dayMs);
    const key = { id, workspaceId, name, prefix: prefixOf(secret), scope, createdAt: now, endsAt };
    await tx.insertApiKey({ ...key, hash: hashToken(secret) });
    const result = await readSaved(keyNoun, tx, key);
    return { result, id, detail: { name, scope }, secret };
  },
  async after(context, { result: { name, scope } }) {
    mailNotice(context, `made the API key "${name}" with the scope ${scope}`);
  },
});

/** In all processes at once; a second time changes nothing. */
export const revokeKey = action(keyNoun, {
  role: "owner",
  verb: "revoke",
  summary: "Revoke an API key",
  audit: "key.revoked",
  async run({ tx, now }, { before }) {
    const isRevokedNow = await tx.revokeApiKey({ id: before.id, now });
    return { result: await readSaved(keyNoun, tx, before), detail: isRevokedNow ? {} : null };
  },
});

/** An owner answers for the key of a former owner. */
export const keepKey = action(keyNoun, {
  role: "owner",
  verb: "keep",
  summary: "Keep an API key",
  keepsVersion: true,
  isSensitive: true,
  audit: "key.kept",
  run: async (_, { before }) => ({ result: before, detail: {} }),
});

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
