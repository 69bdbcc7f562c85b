// Settings that go together, checked before anything is created, and by `starpost doctor`.
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/error.ts";
import { parseUserInput } from "../domain/user-input.ts";
import { nameFromEmail } from "../use-cases/accounts/users.ts";
import { parseEnrichmentOptions } from "./provider-settings.ts";
import { readProviderSettings } from "./sign-in-provider.ts";

/** @throws AppError `invalid_setting` when a setting lacks another one or its value is refused */
export function checkSettings(config: Config): void {
  parseEnrichmentOptions(config);
  readAdmin(config);
  readProviderSettings(config);
  checkDatabaseSettings(config);
}

function checkDatabaseSettings(config: Config): void {
  const { databaseUrl, databaseListenUrl, databaseStatements } = config;
  if (databaseStatements === "unnamed" && databaseListenUrl === null) {
    const message =
      "DATABASE_STATEMENTS=unnamed needs DATABASE_LISTEN_URL: notifications and locks don't work through a pooler in transaction mode";
    throw new AppError("invalid_setting", message);
  }
  if (databaseListenUrl !== null && databaseUrl === null) {
    throw new AppError("invalid_setting", "DATABASE_LISTEN_URL goes with DATABASE_URL");
  }
  if (config.databaseReadUrl !== null && databaseUrl === null) {
    throw new AppError("invalid_setting", "DATABASE_READ_URL goes with DATABASE_URL");
  }
}

/**
 * The first account as the settings describe it; null without one.
 *
 * @throws AppError `invalid_setting` when only one of the two is set or a value is refused
 */
export function readAdmin(
  config: Pick<Config, "adminEmail" | "adminPassword">,
): { email: string; password: string } | null {
  const { adminEmail: email, adminPassword: password } = config;
  if (email === null && password === null) return null;
  if (email === null || password === null) {
    throw new AppError("invalid_setting", "ADMIN_EMAIL and ADMIN_PASSWORD go together");
  }
  try {
    parseUserInput({ email, password, name: nameFromEmail(email.toLowerCase()) });
    return { email, password };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_input") throw error;
    const message = `ADMIN_EMAIL, ADMIN_PASSWORD: ${error.message}`;
    throw new AppError("invalid_setting", message, { cause: error });
  }
}
