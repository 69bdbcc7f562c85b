// Settings that go together, checked before anything is created, and by `starpost doctor`.
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/error.ts";
import { parseUserInput } from "../domain/people/user-input.ts";
import { nameFromEmail } from "../use-cases/accounts/users.ts";
import { signInProviders } from "./sign-in-provider.ts";

/** A table: features add theirs. Each throws AppError `invalid_setting`. */
export const settingChecks: ((config: Config) => unknown)[] = [];

/** @throws AppError `invalid_setting` when a setting lacks another one or its value is refused */
export function checkSettings(config: Config): void {
  for (const check of settingChecks) check(config);
  readAdmin(config);
  checkPairs(config);
}

function checkPairs(config: Config): void {
  const { databaseUrl, databaseListenUrl } = config;
  const isPooled = config.databaseStatements === "unnamed";
  const faults: [boolean, string][] = [
    [
      isPooled && databaseListenUrl === null,
      "DATABASE_STATEMENTS=unnamed needs DATABASE_LISTEN_URL: notifications and locks don't work through a pooler in transaction mode",
    ],
    [
      databaseListenUrl !== null && databaseUrl === null,
      "DATABASE_LISTEN_URL goes with DATABASE_URL",
    ],
    [
      config.databaseReadUrl !== null && databaseUrl === null,
      "DATABASE_READ_URL goes with DATABASE_URL",
    ],
    [
      config.embeddedSqlPort !== null && databaseUrl !== null,
      "EMBEDDED_SQL_PORT is for the embedded database, which DATABASE_URL replaces",
    ],
    [
      (config.smtpUrl === null) !== (config.emailFrom === null),
      "SMTP_URL and EMAIL_FROM go together",
    ],
    [
      !config.passwordSignIn && (config.oidcIssuer === null || signInProviders.length === 0),
      "PASSWORD_SIGN_IN=false needs OIDC_ISSUER",
    ],
  ];
  const fault = faults.find(([isFault]) => isFault);
  if (fault) throw new AppError("invalid_setting", fault[1]);
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
