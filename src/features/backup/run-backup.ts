// Implements `starpost backup` and `restore`: the database of the settings into one file and back. A file
// appears only when it is whole, and a database is restored as a whole or not at all.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import {
  formatKeyFile,
  parseKeyFile,
  readEncryptionKeys,
  writeKeyFile,
} from "../../app/encryption-key.ts";
import { toMissing } from "../../app/open-database.ts";
import { type MaintenanceDeps, openDirectly } from "../../cli/maintenance.ts";
import { openDatabase } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { errorCode } from "../../lib/errors.ts";
import { ResourceStack } from "../../lib/resource-stack.ts";
import { keyIdOfKey } from "../../lib/secret-box.ts";
import { explainSystemError } from "../../lib/system-errors.ts";
import { TarError } from "../../lib/tar.ts";
import { BackupError } from "./backup-file.ts";
import { type RestoredBackup, restoreBackup } from "./restore-backup.ts";
import { type BackupSummary, writeBackup } from "./write-backup.ts";

type BackupResult = BackupSummary & { file: string; bytes: number; hasKey: boolean };

/** @throws AppError `invalid_input` for a file that exists or can't be written, `unavailable` */
export async function runBackup(
  deps: MaintenanceDeps,
  { file, withKey }: { file: string; withKey: boolean },
): Promise<BackupResult> {
  if (fs.existsSync(file)) throw new AppError("invalid_input", `${file} exists already`);
  const draft = `${file}.${randomUUID()}.partial`;
  const resources = new ResourceStack();
  try {
    const connection = await openDirectly({ ...deps, creates: false }, resources);
    const keys = withKey ? ((await readEncryptionKeys(deps.config)) ?? []) : null;
    const backup = writeBackup({
      connection,
      now: deps.clock.now(),
      formatKeys: keys && ((ids) => formatKeyFile(requireKeys(keys, ids))),
      onTable: deps.note,
    });
    let summary: BackupSummary | null = null;
    const bytes = async function* (): AsyncGenerator<Buffer> {
      summary = yield* backup;
    };
    // Flushed, so that a power cut after the last line of output leaves the whole file.
    const target = fs.createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(bytes, createGzip(), target);
    await fs.promises.rename(draft, file);
    const written: BackupSummary = requireSummary(summary);
    return { file, bytes: target.bytesWritten, ...written, hasKey: withKey };
  } catch (error) {
    throw toMissing(error, deps.config) ?? toFileError(error, file);
  } finally {
    await fs.promises.rm(draft, { force: true });
    await resources.closeAll();
  }
}

type RestoreResult = RestoredBackup & {
  file: string;
  /** Migrations that were newer than the backup. */
  appliedMigrations: string[];
  /** Ids of the keys that encrypt something in it and that this installation does not have. */
  missingKeys: string[];
};

/** @throws AppError `conflict` for a database that is not empty, `invalid_input` for a damaged file */
export async function runRestore(
  deps: MaintenanceDeps,
  { file }: { file: string },
): Promise<RestoreResult> {
  const resources = new ResourceStack();
  try {
    // Before a database is created for nothing.
    await fs.promises.access(file, fs.constants.R_OK);
    const connection = await openDirectly({ ...deps, creates: true }, resources);
    const saveKeys = (text: string): Promise<void> => restoreKeys(deps.config, text);
    const restored = await pipeline(
      fs.createReadStream(file),
      createGunzip(),
      (source: AsyncIterable<Buffer>) =>
        restoreBackup(source, { connection, onTable: deps.note, saveKeys }),
    );
    const database = await openDatabase({ log: deps.log, connection });
    resources.add(() => database.close());
    const appliedMigrations = await database.migrate();
    const keys = (await readEncryptionKeys(deps.config)) ?? [];
    const available = keys.map(keyIdOfKey);
    const used = await database.listEncryptionKeys();
    const missingKeys = used.filter((id) => !available.includes(id));
    return { file, ...restored, appliedMigrations, missingKeys };
  } catch (error) {
    throw toFileError(error, file);
  } finally {
    await resources.closeAll();
  }
}

function requireKeys(keys: readonly Buffer[], ids: readonly string[]): Buffer[] {
  const used = keys.filter((key) => ids.includes(keyIdOfKey(key)));
  if (used.length === ids.length) return used;
  throw new AppError("invalid_setting", "a key in use is missing: see starpost doctor");
}

/** A key that the settings or the data folder have already stays; whether it fits is checked afterwards. */
async function restoreKeys(config: MaintenanceDeps["config"], text: string): Promise<void> {
  const keys = parseKeyFile(text);
  if (keys === null) throw new BackupError("its encryption-keys.txt is damaged");
  if ((await readEncryptionKeys(config)) === null) await writeKeyFile(config.dataDir, keys);
}

function requireSummary(summary: BackupSummary | null): BackupSummary {
  if (summary === null) throw new Error("the backup ended without its summary");
  return summary;
}

/** The fault in the file, for the operator who named it; other errors stay as they are. */
function toFileError(error: unknown, file: string): unknown {
  const code = String(errorCode(error));
  const isDamaged =
    error instanceof BackupError || error instanceof TarError || code.startsWith("Z_");
  if (isDamaged && error instanceof Error) {
    const message = `${file} can't be restored: ${error.message}; nothing was changed`;
    return new AppError("invalid_input", message, { cause: error });
  }
  const reason = explainSystemError(error, file);
  return reason === null ? error : new AppError("invalid_input", reason, { cause: error });
}
