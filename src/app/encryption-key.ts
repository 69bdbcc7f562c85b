// The keys that encrypt secrets at rest: from ENCRYPTION_KEY, else from a file that is created once per
// database. A missing key stops the start: with a second key, this process would write secrets that others
// can't decrypt.
import { hkdfSync, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { type SecretOwner, secretOwners } from "../database/accounts/encrypted-secrets.ts";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { systemActor } from "../domain/people/audit.ts";
import type { Clock } from "../lib/clock.ts";
import { readTextIfThere } from "../lib/files.ts";
import { readBatches } from "../lib/read-batches.ts";
import { keyIdOfKey, type SecretBox, SecretBoxError } from "../lib/secret-box.ts";
import { uuidV7 } from "../lib/uuid.ts";

// The name shows whose file it is: a data folder with foreign files is refused.
const fileName = "starpost.key";
const keyBytes = 32;

/**
 * From the setting or the file; null when there is neither.
 *
 * @throws AppError `invalid_setting` when the file does not hold a key
 */
export async function readEncryptionKeys(
  config: Pick<Config, "dataDir" | "encryptionKey">,
): Promise<Buffer[] | null> {
  if (config.encryptionKey) return config.encryptionKey;
  const file = path.join(config.dataDir, fileName);
  const text = await readTextIfThere(file);
  if (text === null) return null;
  const keys = parseKeyFile(text);
  if (keys) return keys;
  throw new AppError("invalid_setting", `${file} does not hold ${keyBytes} bytes in base64`);
}

/** A key in each line; usually there is one. null for anything else. */
export function parseKeyFile(text: string): Buffer[] | null {
  const keys = text
    .trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, "base64"));
  return keys.every((key) => key.length === keyBytes) ? keys : null;
}

export function formatKeyFile(keys: readonly Buffer[]): string {
  return keys.map((key) => `${key.toString("base64")}\n`).join("");
}

/**
 * Resolves when the file would survive a power failure: await it before anything that the key encrypts is committed.
 * Never overwrites the key of another database.
 *
 * @throws Error with the code `EEXIST` when there is a key file
 */
export async function writeKeyFile(dataDir: string, keys: readonly Buffer[]): Promise<void> {
  await fs.mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, fileName);
  const draft = `${file}.${randomUUID()}.partial`;
  try {
    const handle = await fs.open(draft, "wx", 0o600);
    await handle
      .writeFile(formatKeyFile(keys))
      .then(() => handle.sync())
      .finally(() => handle.close());
    // Takes the name: of two processes that start at once the second one fails here.
    await (await fs.open(file, "wx", 0o600)).close();
    await fs.rename(draft, file);
  } finally {
    await fs.rm(draft, { force: true });
  }
  const folder = await fs.open(dataDir, "r");
  await folder.sync().finally(() => folder.close());
}

type EncryptionKeyDeps = {
  clock: Clock;
  config: Pick<Config, "dataDir" | "encryptionKey">;
  database: Database;
};

/**
 * The keys of this database: the first encrypts, all of them decrypt. The first process on a new database
 * creates one.
 *
 * @throws AppError `invalid_setting` when a key in use is missing
 */
export async function loadEncryptionKeys(deps: EncryptionKeyDeps): Promise<Buffer[]> {
  const keys = await readEncryptionKeys(deps.config);
  const used = await deps.database.listEncryptionKeys();
  if (keys && isRegistered(keys, used)) return keys;
  return deps.database.transaction((tx) => chooseKeys(deps, tx));
}

/** Whether nothing is to be written: then the start takes no lock, and reads one short table. */
function isRegistered(keys: readonly Buffer[], used: readonly string[]): boolean {
  const [first, ...rest] = keys.map(keyIdOfKey);
  return (
    first !== undefined &&
    used.includes(first) &&
    used.every((id) => id === first || rest.includes(id))
  );
}

async function chooseKeys(
  { clock, config }: EncryptionKeyDeps,
  tx: DatabaseTransaction,
): Promise<Buffer[]> {
  await tx.lockEncryptionKeys();
  const used = await tx.listEncryptionKeys();
  const keys = await readEncryptionKeys(config);
  if (!keys) return [await createFirstKey({ clock, config, used }, tx)];
  const ring = keys.map(keyIdOfKey);
  const missing = used.filter((id) => !ring.includes(id));
  // A key that encrypted nothing may be replaced by setting another one. A key file may not: it may be of the
  // wrong folder, while a service with the right one is about to encrypt.
  const left = config.encryptionKey ? await tx.deleteUnusedEncryptionKeys(missing) : missing;
  if (left.length > 0) throw missingKeyError(config, left);
  const [first] = ring;
  if (first !== undefined) await tx.registerEncryptionKey({ id: first, now: clock.now() });
  return keys;
}

async function createFirstKey(
  options: Pick<EncryptionKeyDeps, "clock" | "config"> & { used: readonly string[] },
  tx: DatabaseTransaction,
): Promise<Buffer> {
  const { clock, config, used } = options;
  if (used.length > 0) throw missingKeyError(config, used);
  const key = randomBytes(keyBytes);
  await tx.registerEncryptionKey({ id: keyIdOfKey(key), now: clock.now() });
  await writeKeyFile(config.dataDir, [key]);
  return key;
}

function missingKeyError(config: Pick<Config, "dataDir">, ids: readonly string[]): AppError {
  const file = path.join(config.dataDir, fileName);
  const keys =
    ids.length === 1
      ? `the key ${ids[0]}, which is missing`
      : `the keys ${ids.join(", ")}, of which some are missing`;
  return new AppError(
    "invalid_setting",
    `this database's secrets are encrypted with ${keys}; set ENCRYPTION_KEY, or copy ${fileName} of the data folder that this database was used with to ${file}`,
  );
}

/**
 * Keys for another purpose, one derived from each (HKDF): the same in every process.
 *
 * @throws Error when the list is empty, which is a bug
 */
export function deriveKeys(keys: readonly Buffer[], purpose: string): [Buffer, ...Buffer[]] {
  const derive = (key: Buffer): Buffer =>
    Buffer.from(hkdfSync("sha256", key, "", `starpost ${purpose}`, keyBytes));
  const [first, ...older] = keys;
  if (!first) throw new Error("there is always an encryption key");
  return [derive(first), ...older.map(derive)];
}

type Encrypted = { id: string; encryptedSecret: Buffer };
type Replacement = { id: string; before: Buffer; after: Buffer };

type ReencryptDeps = Pick<EncryptionKeyDeps, "clock" | "database">;

const batchSize = 1_000;

/**
 * Encrypts with the first key what an older one had encrypted, so that the older key can be left out from
 * the next start on. A secret that is rotated meanwhile stays as it is. Returns how many were changed.
 */
export async function reencryptSecrets(
  deps: ReencryptDeps,
  { box, keys }: { box: SecretBox; keys: readonly Buffer[] },
): Promise<number> {
  const [first] = keys.map(keyIdOfKey);
  const older = (await deps.database.listEncryptionKeys()).filter((id) => id !== first);
  if (older.length === 0) return 0;
  let count = 0;
  for (const owner of secretOwners) count += await reencryptAll(deps, { box, owner });
  await deps.database.transaction(async (tx) => {
    await tx.lockEncryptionKeys();
    await tx.deleteUnusedEncryptionKeys(older);
  });
  return count;
}

async function reencryptAll(
  deps: ReencryptDeps,
  { box, owner }: { box: SecretBox; owner: SecretOwner },
): Promise<number> {
  let count = 0;
  const batches = readBatches(batchSize, (last: { id: string; encryptedSecret: Buffer } | null) =>
    deps.database.listEncryptedSecrets({ owner, afterId: last?.id ?? null, limit: batchSize }),
  );
  for await (const batch of batches) {
    const changes = batch
      .filter(({ encryptedSecret }) => !box.isCurrent(encryptedSecret))
      .map(({ id, encryptedSecret }) => {
        const secret = decryptSecret(box, { owner, id, encryptedSecret });
        return { id, before: encryptedSecret, after: box.seal(secret, id) };
      });
    if (changes.length > 0) count += await replaceSecrets(deps, { owner, changes });
  }
  return count;
}

/** @throws AppError `invalid_setting` that names the owner of a secret that can't be decrypted */
export function decryptSecret(
  box: Pick<SecretBox, "open">,
  sealed: Encrypted & { owner: SecretOwner },
): string {
  try {
    return box.open(sealed.encryptedSecret, sealed.id);
  } catch (cause) {
    if (!(cause instanceof SecretBoxError)) throw cause;
    const message = `the secret of ${sealed.owner} ${sealed.id} can't be decrypted: ${cause.message}`;
    throw new AppError("invalid_setting", message, { cause });
  }
}

async function replaceSecrets(
  { clock, database }: ReencryptDeps,
  { owner, changes }: { owner: SecretOwner; changes: readonly Replacement[] },
): Promise<number> {
  const at = clock.now();
  return database.transaction(async (tx) => {
    const count = await tx.replaceEncryptedSecrets({ owner, changes });
    await tx.insertAuditEntry({
      id: uuidV7(at),
      workspaceId: null,
      at,
      actor: systemActor,
      action: "secrets.resealed",
      subject: owner,
      detail: { count, ids: changes.map(({ id }) => id) },
    });
    return count;
  });
}
