// Which installation a command means, and why: the one of a folder. The settings in the folder's `.env`, or in the environment,
// name its database; without them it is in the folder's `data`.
import path from "node:path";
import { readServerUrls } from "../lib/postgres/server-urls.ts";

type Source = "environment" | "file" | null;

/** Where the settings that choose the installation were found. */
export type SettingsOrigin = {
  /** Absolute; `isNamed` by STARPOST_FOLDER. */
  folder: { path: string; isNamed: boolean };
  /** The `.env` that was read; null where there is none. */
  envFile: string | null;
  sources: { dataDir: Source; databaseUrl: Source };
};

/** The part of the settings that says it. */
type LocatedConfig = { origin: SettingsOrigin; dataDir: string; databaseUrl: string | null };

export type Installation = {
  /** Where its database is. */
  database: string;
  /** The setting that says so, and where it was found. */
  because: string;
  /** Where relative paths and `.env` are looked for. */
  folder: string;
  settings: string;
};

export function describeInstallation(config: LocatedConfig): Installation {
  const { folder, envFile, sources } = config.origin;
  const isEmbedded = config.databaseUrl === null;
  const why = isEmbedded
    ? becauseOf("DATA_DIR", { source: sources.dataDir, config })
    : becauseOf("DATABASE_URL", { source: sources.databaseUrl, config });
  return {
    database: isEmbedded ? path.resolve(config.dataDir) : nameOfServer(config.databaseUrl ?? ""),
    because: why,
    folder: `${folder.path} (${folder.isNamed ? "STARPOST_FOLDER" : "the current folder"})`,
    settings: envFile ?? `no ${path.join(folder.path, ".env")}`,
  };
}

/** The end of a sentence for a command that found no installation. */
export function adviseOtherFolder(config: LocatedConfig): string {
  const { because, settings } = describeInstallation(config);
  const noFile = config.origin.envFile === null ? `; there is ${settings}` : "";
  return `(${because}${noFile}). Run the command in the folder of the service, or name that folder in STARPOST_FOLDER; starpost serve makes a new installation`;
}

function becauseOf(
  name: string,
  { source, config }: { source: Source; config: LocatedConfig },
): string {
  const { folder, envFile } = config.origin;
  if (source === "environment") return `${name} in the environment`;
  if (source === "file") return `${name} in ${envFile}`;
  const owner = folder.isNamed ? "the folder that STARPOST_FOLDER names" : "the current folder";
  return `neither DATABASE_URL nor ${name} is set, so it is the one of ${owner}`;
}

/** Without user and password. */
function nameOfServer(url: string): string {
  const { servers } = readServerUrls(url);
  const hosts = servers.map(({ host, port }) => `${host || "localhost"}${port ? `:${port}` : ""}`);
  return `the database ${servers[0]?.database ?? ""} at ${hosts.join(" or ")}`;
}
