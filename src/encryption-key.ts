// The keys that encrypt secrets at rest: from the setting, else from a file that is made once. Data
// whose key is missing stops the start: a fresh key would make every secret unreadable for ever.
import { hkdfSync, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { Config } from "./config.ts";
import type { SecretBox } from "./lib/secret-box.ts";
import { AppError } from "./reviews/error.ts";

// Its name marks it as ours: a data folder with foreign files is refused.
const fileName = "starpost.key";
const keyBytes = 32;

/** The first key encrypts; all of them decrypt. */
export async function readEncryptionKeys(
  config: Pick<Config, "dataDir" | "encryptionKeys">,
): Promise<Buffer[]> {
  if (config.encryptionKeys) return config.encryptionKeys;
  const file = path.join(config.dataDir, fileName);
  await fs.mkdir(config.dataDir, { recursive: true });
  try {
    // "wx": of two processes that start at once one makes the key and both read it.
    await fs.writeFile(file, `${randomBytes(keyBytes).toString("base64")}\n`, {
      flag: "wx",
      mode: 0o600,
    });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
  }
  const key = Buffer.from((await fs.readFile(file, "utf8")).trim(), "base64");
  if (key.length === keyBytes) return [key];
  throw new AppError("invalid_setting", `${file} does not hold ${keyBytes} bytes in base64`);
}

/** A key for another purpose, from the first one: the same in every process and after a restart. */
export function deriveKey(keys: readonly Buffer[], purpose: string): Buffer {
  const [first] = keys;
  if (!first) throw new Error("there is always an encryption key");
  return Buffer.from(hkdfSync("sha256", first, "", `starpost ${purpose}`, keyBytes));
}

type SealedSecrets = {
  listSealedSecrets(batch: {
    afterId: string | null;
    limit: number;
  }): Promise<{ id: string; sealedSecret: Buffer }[]>;
};

const batchSize = 1_000;

/** Refuses to go on when a channel's secret was sealed with a key that isn't here. */
export async function checkSealedSecrets(
  keep: SealedSecrets,
  box: Pick<SecretBox, "knows">,
): Promise<void> {
  for (let afterId: string | null = null; ; ) {
    const batch = await keep.listSealedSecrets({ afterId, limit: batchSize });
    const unreadable = batch.find(({ sealedSecret }) => !box.knows(sealedSecret));
    if (unreadable) {
      throw new AppError(
        "invalid_setting",
        `the secret of channel ${unreadable.id} was encrypted with a key that is not here; set ENCRYPTION_KEY to the key (or keys, with commas) this database was used with`,
      );
    }
    afterId = batch.at(-1)?.id ?? null;
    if (batch.length < batchSize) return;
  }
}
