// Opens the database of the settings: an existing PostgreSQL (`DATABASE_URL`), or the embedded one in the
// data folder, which is started unless it runs. Errors are in the operator's terms.

import type { Config } from "../config/config.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { connectMsMax, type DatabaseAccess } from "../database/pool.ts";
import { AppError } from "../domain/error.ts";
import { checkDataFolder } from "../embedded-postgres/data-folder.ts";
import { EmbeddedPostgresError } from "../embedded-postgres/error.ts";
import { openEmbeddedServer } from "../embedded-postgres/server.ts";
import { messageOf } from "../lib/errors.ts";
import { explainFailure } from "../lib/failure-causes.ts";
import type { Log } from "../lib/log.ts";
import { connectionOf, standbyConnectionsOf } from "../lib/postgres/primary-client.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { secondMs } from "../lib/timestamp.ts";

export type OpenDatabaseOptions = {
  config: Config;
  log: Log;
  /** Called with a sentence before each step that takes a moment. */
  onProgress?: (sentence: string) => void;
};

/** @throws AppError `unavailable` when the database can't be reached or used */
export async function openMigratedDatabase(
  options: OpenDatabaseOptions,
  resources: ResourceStack,
): Promise<{ database: Database; appliedMigrations: string[] }> {
  const { config, log } = options;
  const access = await openPostgres(options, resources);
  const database = await openDatabase({ log, ...access });
  resources.add(() => database.close());
  const appliedMigrations = await migrate(database, config.databaseUrl);
  if (appliedMigrations.length > 0) {
    log.info({ migrations: appliedMigrations }, "the database was migrated");
  }
  return { database, appliedMigrations };
}

/** @throws AppError `unavailable` when the embedded server can't be started */
export async function openPostgres(
  options: OpenDatabaseOptions,
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
  const { log, onProgress = () => {} } = options;
  const { embeddedSqlHost: host, embeddedSqlPort: port } = config;
  const sqlAddress = port === null ? undefined : { host, port };
  const server = await withAppErrors(openEmbeddedServer({ dataDir, log, onProgress, sqlAddress }));
  resources.add(() => withAppErrors(server.close()));
  return { connection: server.connection, connectionCountMax };
}

/** @throws AppError `unavailable` when a start would refuse this existing data folder */
export async function checkEmbeddedFolder(dataDir: string): Promise<void> {
  await withAppErrors(checkDataFolder(dataDir));
}

// The module of the embedded server is a library: it knows no AppError.
async function withAppErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    throw new AppError(error.code, error.message, { cause: error });
  }
}

// The first statements to the database: an error here is mostly one of DATABASE_URL.
async function migrate(database: Database, databaseUrl: string | null): Promise<string[]> {
  try {
    return await database.migrate();
  } catch (error) {
    const reason = reasonOf(error);
    if (databaseUrl === null || reason === null) throw error;
    const message = `the database that DATABASE_URL names can't be used: ${reason}`;
    throw new AppError("unavailable", message, { cause: error });
  }
}

/** The reason of the server or the network; null for our own errors, whose message suffices. */
function reasonOf(error: unknown): string | null {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof Error)) return null;
  return explainFailure(cause, { who: "PostgreSQL", timeoutMs: connectMsMax }).reason;
}

/** Why the database can't be opened, in a sentence. */
export function explainDatabaseFailure(error: unknown): string {
  return reasonOf(error) ?? messageOf(error);
}
