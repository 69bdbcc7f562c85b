// Opens the database of the settings: an existing PostgreSQL (`DATABASE_URL`), or the embedded one in the
// data folder, which is started unless it runs. Errors are in the operator's terms.

import type { Config } from "../config/config.ts";
import { adviseOtherFolder, describeInstallation } from "../config/installation.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { MissingInstallationError } from "../database/migrate.ts";
import { type OwnDatabase, ownDatabases } from "../database/own-database.ts";
import { connectMsMax, type DatabaseAccess } from "../database/pool.ts";
import { AppError } from "../domain/error.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { explainPostgresFailure } from "../lib/postgres/explain-failure.ts";
import { connectionOf, standbyConnectionsOf } from "../lib/postgres/primary-client.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { secondMs } from "../lib/timestamp.ts";

export type OpenDatabaseOptions = {
  config: Config;
  log: Log;
  /** Called with a sentence before each step that takes a moment. */
  onProgress?: (sentence: string) => void;
};

/** Whether an installation is made, and brought to this version, where there is none; else that is an error. */
type Creates = { creates: boolean };

/** @throws AppError `unavailable` when the database can't be reached or used */
export async function openMigratedDatabase(
  options: OpenDatabaseOptions & Creates,
  resources: ResourceStack,
): Promise<{ database: Database; appliedMigrations: string[] }> {
  const { config, log } = options;
  const access = await openPostgres(options, resources);
  const database = await openDatabase({ log, ...access });
  resources.add(() => database.close());
  const appliedMigrations = await explainErrors(config, () =>
    options.creates ? database.migrate() : database.requireMigrated().then(() => []),
  );
  if (appliedMigrations.length > 0) {
    log.info({ migrations: appliedMigrations }, "the database was migrated");
  }
  return { database, appliedMigrations };
}

/** @throws AppError `unavailable` when the embedded server can't be started, or has no database and none is to be made */
export async function openPostgres(
  options: OpenDatabaseOptions & Creates,
  resources: ResourceStack,
): Promise<DatabaseAccess> {
  const { config } = options;
  const { dataDir, databaseUrl, databaseListenUrl, databasePoolMax: connectionCountMax } = config;
  if (databaseUrl !== null) {
    return {
      connection: connectionOf(databaseUrl),
      directConnection: connectionOf(databaseListenUrl ?? databaseUrl),
      isPooled: config.databaseStatements === "unnamed",
      connectionCountMax,
      ...(config.databaseReadUrl && {
        standby: {
          connections: standbyConnectionsOf(config.databaseReadUrl),
          lagMaxMs: config.databaseReadLagSeconds * secondMs,
        },
      }),
    };
  }
  const { log, creates, onProgress = () => {} } = options;
  const { embeddedSqlHost: host, embeddedSqlPort: port } = config;
  const sqlAddress = port === null ? undefined : { host, port };
  const { openServer } = await loadOwnDatabase();
  const server = await explainErrors(config, () =>
    openServer({ dataDir, creates, log, onProgress, sqlAddress }),
  );
  resources.add(() => server.close());
  return { connection: server.connection, connectionCountMax };
}

/** @throws AppError `unavailable` when a start would refuse this existing data folder */
export async function checkDatabaseFolder(dataDir: string): Promise<void> {
  await (await loadOwnDatabase()).checkFolder(dataDir);
}

/** @throws AppError `unavailable` for a product without an embedded server */
async function loadOwnDatabase(): Promise<OwnDatabase> {
  const [load] = ownDatabases;
  if (load) return load();
  throw new AppError("unavailable", "DATABASE_URL is missing: it names the PostgreSQL to use");
}

/** For the first statements to the database: an error here is mostly one of DATABASE_URL, or of the folder. */
async function explainErrors<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toMissing(error, config) ?? toUnusable(error, config) ?? error;
  }
}

/** For a folder without an installation, where it was looked for. */
export function toMissing(error: unknown, config: Config): AppError | null {
  if (!(error instanceof MissingInstallationError)) return null;
  const { database } = describeInstallation(config);
  const message = `there is no installation of Starpost in ${database} ${adviseOtherFolder(config)}`;
  return new AppError("unavailable", message, { cause: error });
}

function toUnusable(error: unknown, { databaseUrl }: Config): AppError | null {
  const reason = reasonOf(error);
  if (databaseUrl === null || reason === null) return null;
  const message = `the database that DATABASE_URL names can't be used: ${reason}`;
  return new AppError("unavailable", message, { cause: error });
}

/** The reason of the server or the network; null for our own errors, whose message suffices. */
function reasonOf(error: unknown): string | null {
  const cause = error instanceof AppError ? error.cause : error;
  const isOwn = error instanceof AppError && messageOf(cause) === error.message;
  if (!(cause instanceof Error) || isOwn) return null;
  return explainPostgresFailure(cause, connectMsMax);
}

/** Why the database can't be opened, in a sentence. */
export function explainDatabaseFailure(error: unknown): string {
  return reasonOf(error) ?? messageOf(error);
}
