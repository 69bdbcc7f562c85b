// The keys that encrypt secrets at rest: from the setting, else from a file that is made once for a
// database. A database whose key is missing stops the start: a second key would make secrets that the
// service at work can't open.
import { hkdfSync, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import type { DatabaseTransaction } from "../database/database.ts";
import type { SecretOwner } from "../database/repositories/encrypted-secrets.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import { keyIdOfKey, type SecretBox, SecretBoxError } from "../lib/secret-box.ts";
import { uuidV7 } from "../lib/uuid.ts";

// Its name marks it as ours: a data folder with foreign files is refused.
const fileName = "starpost.key";
const keyBytes = 32;

/** As the setting or the file has them, or null when there is neither. */
export async function readEncryptionKeys(
  config: Pick<Config, "dataDir" | "encryptionKey">,
): Promise<Buffer[] | null> {
  if (config.encryptionKey) return config.encryptionKey;
  const file = path.join(config.dataDir, fileName);
  let text: string;
  try {
    text = await fs.readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === keyBytes) return [key];
  throw new AppError("invalid_setting", `${file} does not hold ${keyBytes} bytes in base64`);
}

type Choosing = Pick<
  DatabaseTransaction,
  "lockEncryptionKeys" | "listEncryptionKeys" | "registerEncryptionKey" | "deleteUnusedEncryptionKeys"
>;

type Open = {
  clock: Clock;
  config: Pick<Config, "dataDir" | "encryptionKey">;
  database: Choosing & { transaction<T>(work: (tx: Choosing) => Promise<T>): Promise<T> };
};

/**
 * The keys of this database: the first encrypts, all of them decrypt. A fresh database gets one, once,
 * whoever comes first; a process that lacks a key in use is refused.
 */
export async function loadEncryptionKeys(open: Open): Promise<Buffer[]> {
  const keys = await readEncryptionKeys(open.config);
  const used = await open.database.listEncryptionKeys();
  if (keys && isSettled(keys, used)) return keys;
  return open.database.transaction((tx) => chooseKeys(open, tx));
}

/** Nothing to write down: the usual start takes no lock and one look at a short table. */
function isSettled(keys: readonly Buffer[], used: readonly string[]): boolean {
  const [first, ...rest] = keys.map(keyIdOfKey);
  return (
    first !== undefined &&
    used.includes(first) &&
    used.every((id) => id === first || rest.includes(id))
  );
}

async function chooseKeys({ clock, config }: Open, tx: Choosing): Promise<Buffer[]> {
  await tx.lockEncryptionKeys();
  const used = await tx.listEncryptionKeys();
  const keys = await readEncryptionKeys(config);
  if (!keys) return [await makeFirstKey({ clock, config, used }, tx)];
  const ring = keys.map(keyIdOfKey);
  const missing = used.filter((id) => !ring.includes(id));
  // A key that nothing was sealed with can be given up, by whoever sets another one on purpose. A file
  // may lie in the wrong folder, beside a service that is about to seal with the right one.
  const left = config.encryptionKey ? await tx.deleteUnusedEncryptionKeys(missing) : missing;
  if (left.length > 0) throw keyMissing(config, left);
  const [first] = ring;
  if (first !== undefined) await tx.registerEncryptionKey({ id: first, now: clock.now() });
  return keys;
}

async function makeFirstKey(
  first: Pick<Open, "clock" | "config"> & { used: readonly string[] },
  tx: Choosing,
): Promise<Buffer> {
  const { clock, config, used } = first;
  if (used.length > 0) throw keyMissing(config, used);
  const key = randomBytes(keyBytes);
  await tx.registerEncryptionKey({ id: keyIdOfKey(key), now: clock.now() });
  await fs.mkdir(config.dataDir, { recursive: true });
  // "wx": another database's key is never overwritten, even by a start at the same moment.
  const file = path.join(config.dataDir, fileName);
  await fs.writeFile(file, `${key.toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  return key;
}

function keyMissing(config: Pick<Config, "dataDir">, ids: readonly string[]): AppError {
  const file = path.join(config.dataDir, fileName);
  const keys = ids.length === 1 ? `the key ${ids[0]}` : `the keys ${ids.join(", ")}`;
  return new AppError(
    "invalid_setting",
    `this database's secrets are encrypted with ${keys}, and not all of that is here; set ENCRYPTION_KEY to it, or copy ${fileName} of the data folder that this database was used with to ${file}`,
  );
}

/** A key for another purpose, from the first one: the same in every process and after a restart. */
export function deriveKey(keys: readonly Buffer[], purpose: string): Buffer {
  const [first] = keys;
  if (!first) throw new Error("there is always an encryption key");
  return Buffer.from(hkdfSync("sha256", first, "", `starpost ${purpose}`, keyBytes));
}

type Sealed = { id: string; sealedSecret: Buffer };
type Replacement = { id: string; before: Buffer; after: Buffer };

type Resealing = Choosing & Pick<DatabaseTransaction, "insertAuditEntry" | "replaceEncryptedSecrets">;

type ReencryptDeps = {
  clock: Clock;
  database: Pick<DatabaseTransaction, "listEncryptionKeys" | "listEncryptedSecrets"> & {
    transaction<T>(work: (tx: Resealing) => Promise<T>): Promise<T>;
  };
};

type Resealer = Pick<SecretBox, "seal" | "open" | "isCurrent">;

const batchSize = 1_000;

/**
 * Seals anew what an older key of the ring had sealed, so that the older key can be left out from the
 * next start on. A secret that is rotated meanwhile stays as it is. Returns how many were sealed.
 */
export async function reencryptSecrets(
  deps: ReencryptDeps,
  { box, keys }: { box: Resealer; keys: readonly Buffer[] },
): Promise<number> {
  const [first] = keys.map(keyIdOfKey);
  const older = (await deps.database.listEncryptionKeys()).filter((id) => id !== first);
  if (older.length === 0) return 0;
  let count = 0;
  for (const holder of holders) count += await resealAll(deps, { box, holder });
  await deps.database.transaction(async (tx) => {
    await tx.lockEncryptionKeys();
    await tx.deleteUnusedEncryptionKeys(older);
  });
  return count;
}

const holders: readonly SecretOwner[] = ["channel", "credential"];

async function resealAll(
  deps: ReencryptDeps,
  { box, holder }: { box: Resealer; holder: SecretOwner },
): Promise<number> {
  let count = 0;
  for (let afterId: string | null = null; ; ) {
    const batch = await deps.database.listEncryptedSecrets({ holder, afterId, limit: batchSize });
    const changes = batch
      .filter(({ sealedSecret }) => !box.isCurrent(sealedSecret))
      .map(({ id, sealedSecret }) => {
        const secret = decryptSecret(box, { holder, id, sealedSecret });
        return { id, before: sealedSecret, after: box.seal(secret, id) };
      });
    if (changes.length > 0) count += await replaceSecrets(deps, { holder, changes });
    afterId = batch.at(-1)?.id ?? null;
    if (batch.length < batchSize) return count;
  }
}

/** @throws AppError `invalid_setting` that names whose secret can't be opened */
export function decryptSecret(
  box: Pick<SecretBox, "open">,
  sealed: Sealed & { holder: SecretOwner },
): string {
  try {
    return box.open(sealed.sealedSecret, sealed.id);
  } catch (cause) {
    if (!(cause instanceof SecretBoxError)) throw cause;
    const message = `the secret of ${sealed.holder} ${sealed.id} can't be opened: ${cause.message}`;
    throw new AppError("invalid_setting", message, { cause });
  }
}

async function replaceSecrets(
  { clock, database }: ReencryptDeps,
  { holder, changes }: { holder: SecretOwner; changes: readonly Replacement[] },
): Promise<number> {
  const at = clock.now();
  return database.transaction(async (tx) => {
    const count = await tx.replaceEncryptedSecrets({ holder, changes });
    await tx.insertAuditEntry({
      id: uuidV7(at),
      workspaceId: null,
      at,
      actor: "service",
      action: "secrets.resealed",
      subject: holder,
      detail: { count, ids: changes.map(({ id }) => id) },
    });
    return count;
  });
}
