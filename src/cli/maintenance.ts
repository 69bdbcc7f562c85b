// For commands that work on the database of the settings past the service.
import { type OpenDatabaseOptions, openPostgres } from "../app/open-database.ts";
import type { Config } from "../config/config.ts";
import type { Connection } from "../database/pool.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import type { Shell } from "./command.ts";
import { openCommandLog } from "./context.ts";

export type MaintenanceDeps = {
  config: OpenDatabaseOptions["config"] & Pick<Config, "encryptionKey">;
  clock: Clock;
  log: Log;
  /** Called with a sentence before each step that takes a moment. */
  note: (sentence: string) => void;
};

/** For work on the database of the settings without the rest of the service. */
export async function openMaintenance(shell: Shell): Promise<MaintenanceDeps> {
  const config = await shell.loadConfig();
  const log = await openCommandLog(config);
  return { config, clock: systemClock, log, note: (text) => shell.showProgress(text) };
}

/** Past a pooler, for long transactions with settings of their own. */
export async function openDirectly(
  { note, ...deps }: MaintenanceDeps & { creates: boolean },
  resources: ResourceStack,
): Promise<Connection> {
  const onProgress = (sentence: string): void => note(`${sentence} …`);
  // A backup can be restored beside the service, whose port for SQL users is taken.
  const config = deps.creates ? { ...deps.config, embeddedSqlPort: null } : deps.config;
  const access = await openPostgres({ ...deps, config, onProgress }, resources);
  return access.directConnection ?? access.connection;
}
