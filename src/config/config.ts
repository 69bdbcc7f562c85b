// The only reader of the environment: every setting with its schema and its default. docs/configuration.md says what
// each does, and a test compares the two tables.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../domain/error.ts";
import { healModes } from "../domain/feed/learned-shape.ts";
import type { ReadingPace } from "../domain/feed/reading-round.ts";
import {
  ownedWorkspacesMaxDefault,
  plans,
  type WorkspaceLimits,
  workspaceLimitsDefault,
} from "../domain/people/workspace.ts";
import { logLevels } from "../lib/log.ts";
import { readEnvFile, readSetting, refuseMistakes } from "./env-file.ts";
import type { SettingsOrigin } from "./installation.ts";
import {
  databaseUrl,
  decimal,
  encryptionKeys,
  exactUrl,
  headerToken,
  httpUrl,
  line,
  listOf,
  networks,
  oneOf,
  optional,
  originUrl,
  roleMap,
  secret,
  sender,
  smtpUrl,
  someOf,
  toDomain,
  toHostName,
  toOrigin,
  wholeNumber,
  yesOrNo,
} from "./setting-fields.ts";

export const roles = ["api", "collect", "deliver", "dashboard"] as const;
export type Role = (typeof roles)[number];

/** By the name in the environment and in `.env`. */
const settingsSchema = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber({ min: 0, max: 65_535 }).default(8080),
  PUBLIC_URL: optional(originUrl()),
  PUBLIC_NAMES: listOf("hosts like reviews.example.com", toHostName).default([]),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: secret(databaseUrl()),
  DATABASE_POOL_MAX: wholeNumber({ min: 2, max: 1_000 }).default(10),
  DATABASE_LISTEN_URL: secret(databaseUrl()),
  DATABASE_READ_URL: secret(databaseUrl("standby")),
  DATABASE_READ_LAG_SECONDS: wholeNumber({ min: 1, max: 300 }).default(5),
  EMBEDDED_SQL_PORT: optional(wholeNumber({ min: 1, max: 65_535 })),
  EMBEDDED_SQL_HOST: z
    .string()
    .regex(/^[\w.:*-]+$/, { error: "must be an address" })
    .default("127.0.0.1"),
  DATABASE_STATEMENTS: oneOf(["named", "unnamed"]).default("named"),
  ENCRYPTION_KEY: secret(encryptionKeys()),
  METRICS_PORT: optional(wholeNumber({ min: 0, max: 65_535 })),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_APPS: yesOrNo().default(false),
  ROLES: someOf(roles).default([...roles]),
  LOG_LEVEL: oneOf(logLevels).default("info"),
  DEFAULT_PLAN: oneOf(plans).default("studio"),
  WORKSPACE_APPS_MAX: limitOf("apps"),
  WORKSPACE_CHANNELS_MAX: limitOf("channels"),
  WORKSPACE_KEYS_MAX: limitOf("keys"),
  WORKSPACE_MEMBERS_MAX: limitOf("members"),
  OWNED_WORKSPACES_MAX: wholeNumber({ min: 0, max: 1_000_000 }).default(ownedWorkspacesMaxDefault),
  ADMIN_EMAIL: optional(line("an e-mail address")),
  ADMIN_PASSWORD: secret(line("a password")),
  STARPOST_WORKSPACE: optional(line("a workspace")),
  STARPOST_URL: optional(httpUrl()),
  STARPOST_KEY: secret(headerToken()),
  API_CORS_ORIGINS: listOf("origins like https://example.com", toOrigin).default([]),
  TRUSTED_PROXIES: networks().default([]),
  WEBHOOK_ALLOW_HTTP: yesOrNo().default(false),
  WEBHOOK_ALLOWED_CIDRS: networks().default([]),
  WEBHOOK_TIMEOUT_MS: wholeNumber({ min: 100, max: 120_000 }).default(10_000),
  WEBHOOK_CYCLE_SECONDS: wholeNumber({ min: 1, max: 3_600 }).default(60),
  WEBHOOK_GIVE_UP_DAYS: wholeNumber({ min: 1, max: 90 }).default(7),
  WEBHOOK_SECRET_OVERLAP_HOURS: wholeNumber({ min: 0, max: 720 }).default(24),
  OUTGOING_PROXY: secret(httpUrl()),
  OUTGOING_PROXY_EXCEPT: listOf("hosts like mail.example.com", toHostName).default([]),
  CHANNEL_HOSTS: listOf("hosts like chat.example.com", toHostName).default([]),
  TELEGRAM_BASE_URL: httpUrl().default("https://api.telegram.org"),
  SMTP_URL: secret(smtpUrl()),
  EMAIL_FROM: optional(sender()),
  EMAIL_ALLOWED_DOMAINS: listOf("domains like example.com", toDomain).default([]),
  DELIVERY_RETENTION_DAYS: wholeNumber({ min: 1, max: 3_650 }).default(30),
  EDIT_EVENT_DAYS: wholeNumber({ min: 1, max: 36_500 }).default(400),
  PASSWORD_SIGN_IN: yesOrNo().default(true),
  OIDC_ISSUER: optional(exactUrl()),
  OIDC_CLIENT_ID: optional(line("a client id")),
  OIDC_CLIENT_SECRET: secret(line("a secret")),
  OIDC_CLIENT_AUTH: oneOf(["auto", "client_secret_basic", "client_secret_post"]).default("auto"),
  OIDC_SCOPES: line("scopes").default("openid email profile"),
  OIDC_SIGN_UP: oneOf(["invitation", "viewer", "member"]).default("invitation"),
  OIDC_WORKSPACE: optional(z.uuid({ error: "the id of a workspace" })),
  OIDC_TRUST_EMAILS: yesOrNo().default(false),
  OIDC_ALLOWED_DOMAINS: listOf("domains like example.com", toDomain).default([]),
  OIDC_ROLE_CLAIM: line("the name of a claim").default("groups"),
  OIDC_ROLES: roleMap().default([]),
  OIDC_SESSION_HOURS: wholeNumber({ min: 1, max: 720 }).default(12),
  COLLECT_INTERVAL_MINUTES: wholeNumber({ min: 1, max: 10_080 }).default(60),
  COLLECT_INTERVAL_MAX_MINUTES: wholeNumber({ min: 1, max: 40_320 }).default(10_080),
  COLLECT_REQUESTS_PER_SECOND: decimal({ min: 0.01, max: 1_000 }).default(1),
  COLLECT_CANARY: yesOrNo().default(true),
  COLLECT_HEAL: oneOf(healModes).default("on"),
  ITUNES_BASE_URL: httpUrl().default("https://itunes.apple.com"),
  APPLE_APPS_BASE_URL: httpUrl().default("https://apps.apple.com"),
  GOOGLE_PLAY_BASE_URL: httpUrl().default("https://play.google.com"),
  FIREFOX_ADDONS_BASE_URL: httpUrl().default("https://addons.mozilla.org"),
  APP_STORE_CONNECT_BASE_URL: httpUrl().default("https://api.appstoreconnect.apple.com"),
  ANDROID_PUBLISHER_BASE_URL: httpUrl().default("https://androidpublisher.googleapis.com"),
  GOOGLE_OAUTH_BASE_URL: httpUrl().default("https://oauth2.googleapis.com"),
  GOOGLE_STORAGE_BASE_URL: httpUrl().default("https://storage.googleapis.com"),
  REPLIES: oneOf(["on", "off"]).default("on"),
  TRANSLATE_PROVIDER: oneOf(["none", "libretranslate", "deepl", "openai", "apertium"]).default(
    "none",
  ),
  TRANSLATE_URL: optional(httpUrl()),
  TRANSLATE_API_KEY: secret(headerToken()),
  TRANSLATE_MODEL: z.string().default(""),
  TRANSLATE_WAIT_SECONDS: wholeNumber({ min: 0, max: 86_400 }).default(600),
  TRANSLATE_CHARACTERS_PER_DAY: wholeNumber({ min: 20_000, max: 1_000_000_000 }).default(1_000_000),
  ANALYSIS_PROVIDER: oneOf(["local", "openai"]).default("local"),
  ANALYSIS_URL: optional(httpUrl()),
  ANALYSIS_API_KEY: secret(headerToken()),
  ANALYSIS_MODEL: z.string().default(""),
  ANALYSIS_REVIEWS_PER_DAY: wholeNumber({ min: 10, max: 10_000_000 }).default(5_000),
});

function limitOf(kind: keyof WorkspaceLimits) {
  return wholeNumber({ min: 1, max: 1_000_000 }).default(workspaceLimitsDefault[kind]);
}

type Settings = z.output<typeof settingsSchema>;
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;
/** The settings by camel-case names: `PUBLIC_URL` is `publicUrl`. Unset settings are null. */
export type Config = { -readonly [Name in keyof Settings as CamelCase<Name>]: Settings[Name] } & {
  origin: SettingsOrigin;
};

/**
 * Reads the settings from the environment, then from `.env` of the folder, then the defaults. The folder is the current one,
 * or STARPOST_FOLDER; relative paths in settings begin there.
 *
 * @throws AppError `invalid_setting`, in one line that names every faulty setting
 */
export function readConfig(from: { env?: NodeJS.ProcessEnv; envFile?: string } = {}): Config {
  const names = Object.keys(settingsSchema.shape);
  const fileNames = names.map((name) => `${name}_FILE`);
  const env = from.env ?? process.env;
  const folder = findFolder(env);
  const envFile = from.envFile ?? path.join(folder.path, ".env");
  const file = readEnvFile(envFile, [...names, ...fileNames]);
  const read = (name: string, sources = [env, file ?? {}]) =>
    readSetting(name, { sources, folder: folder.path });
  const values = Object.fromEntries(names.map((name) => [name, read(name)]));
  refuseMistakes(env, values);
  const parsed = settingsSchema.safeParse(values);
  if (!parsed.success) throw invalidSettings(parsed.error, values);
  const entries = Object.entries(parsed.data);
  const sourceOf = (name: string) =>
    values[name] === undefined ? null : read(name, [env]) === undefined ? "file" : "environment";
  // The keys are the camel-case names of the schema's, as in the type.
  const config = Object.fromEntries(
    entries.map(([name, value]) => [camelCase(name), value]),
  ) as Omit<Config, "origin">;
  return {
    ...config,
    dataDir: folder.isNamed ? path.resolve(folder.path, config.dataDir) : config.dataDir,
    origin: {
      folder,
      envFile: file && path.resolve(envFile),
      sources: { dataDir: sourceOf("DATA_DIR"), databaseUrl: sourceOf("DATABASE_URL") },
    },
  };
}

/** Where the public sides of the stores are. */
export const storeBaseSettings = [
  "ITUNES_BASE_URL",
  "APPLE_APPS_BASE_URL",
  "GOOGLE_PLAY_BASE_URL",
  "FIREFOX_ADDONS_BASE_URL",
] as const satisfies readonly (keyof Settings)[];

/** The same in a configuration: by their names there. */
export function storeBasesOf(config: Config) {
  const { itunesBaseUrl, appleAppsBaseUrl, googlePlayBaseUrl, firefoxAddonsBaseUrl } = config;
  return { itunesBaseUrl, appleAppsBaseUrl, googlePlayBaseUrl, firefoxAddonsBaseUrl };
}

/** All of them at one address, as of a simulator. */
export function pointStores(config: Config, url: string): ReturnType<typeof storeBasesOf> {
  const names = Object.keys(storeBasesOf(config)) as (keyof ReturnType<typeof storeBasesOf>)[];
  return Object.fromEntries(names.map((name) => [name, url])) as Record<
    (typeof names)[number],
    string
  >;
}

/**
 * The defaults, with these settings of the installation alone. For a run beside it that must not act as the installation: a
 * setting that isn't named here, such as a later one, stays behind.
 */
export function takeSettings(config: Config, names: readonly (keyof Settings)[]): Config {
  const defaults = Object.entries(settingsSchema.parse({}));
  const taken = defaults.map(([name, fallback]) => {
    const key = camelCase(name) as keyof Config;
    return [key, names.some((one) => one === name) ? config[key] : fallback];
  });
  return { ...config, ...Object.fromEntries(taken) };
}

function findFolder(env: NodeJS.ProcessEnv): SettingsOrigin["folder"] {
  const named = env["STARPOST_FOLDER"]?.trim();
  const folder = { path: path.resolve(named || "."), isNamed: Boolean(named) };
  if (fs.statSync(folder.path, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new AppError("invalid_setting", `STARPOST_FOLDER: there is no folder ${folder.path}`);
}

function invalidSettings(
  error: z.ZodError,
  values: Readonly<Record<string, string | undefined>>,
): AppError {
  const secrets = listSettings().filter(({ isSecret }) => isSecret);
  const fields = error.issues.map((issue) => {
    const { message: expected } = issue;
    const field = String(issue.path[0]);
    if (issue.code === "custom" && issue.params?.["isSentence"])
      return { field, message: expected };
    const isSecret = secrets.some(({ name }) => name === field);
    const actual = isSecret ? "what is set" : JSON.stringify(values[field]);
    return { field, message: `expected ${expected}, not ${actual}` };
  });
  const message = fields.map((fault) => `${fault.field}: ${fault.message}`).join("; ");
  return new AppError("invalid_setting", message, { fields });
}

/** Every setting; `fallback` is the default as it would be written, "" for none. */
export function listSettings() {
  return Object.entries(settingsSchema.shape).map(([name, schema]) => ({
    name,
    fallback: String(schema.def.defaultValue ?? ""),
    isSecret: schema.meta()?.["isSecret"] === true,
  }));
}

/** Whether it listens for this machine alone. */
export function isLocalHost(host: string): boolean {
  return /^(127\.|localhost$|::1$)/.test(host);
}

/** Where the service is reached: PUBLIC_URL, else by the address that it listens on. */
export function ownUrl(config: Pick<Config, "host" | "port" | "publicUrl">): string {
  const { host, port, publicUrl } = config;
  if (publicUrl !== null) return publicUrl;
  return `http://${urlHost(host)}:${port}`;
}

/** A listening address in the form that URLs on this machine take. */
export function urlHost(host: string): string {
  const name = ["0.0.0.0", "::", "*"].includes(host) ? "127.0.0.1" : host;
  return name.includes(":") ? `[${name}]` : name;
}

/** The proxy to the outside; null without one. This machine itself is never behind it. */
export function outgoingProxyOf(
  config: Pick<Config, "outgoingProxy" | "outgoingProxyExcept">,
): { url: string; except: readonly string[] } | null {
  const { outgoingProxy: url, outgoingProxyExcept: except } = config;
  return url === null ? null : { url, except };
}

/** How fast the stores are read, and how often. */
export function paceOf(
  config: Pick<Config, "collectIntervalMinutes" | "collectRequestsPerSecond">,
): ReadingPace {
  return {
    requestsPerSecond: config.collectRequestsPerSecond,
    intervalMinutes: config.collectIntervalMinutes,
  };
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A variable that a file of the set-up names, such as a channel's secret; never a setting of Starpost itself. */
export function readVariable(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return Object.hasOwn(settingsSchema.shape, name) ? undefined : env[name];
}

/** The script that npm or npx runs Starpost as, such as "demo", "starpost" or "npx"; undefined without them. */
export function npmScript(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env["npm_lifecycle_event"];
}

/**
 * The folder that the user called from: `npm run starpost` runs in the package's folder and passes the
 * caller's folder in INIT_CWD. Other npm scripts set INIT_CWD too, but relative paths are not theirs.
 */
export function callerFolder(env: NodeJS.ProcessEnv = process.env): string {
  const isOurScript = npmScript(env) === "starpost";
  return (isOurScript && env["INIT_CWD"]) || process.cwd();
}

/** Where reports keep what they have read; XDG_CACHE_HOME is the folder of all programs' caches. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const isMac = process.platform === "darwin";
  const usual = path.join(os.homedir(), isMac ? "Library/Caches" : ".cache");
  return path.join(env["XDG_CACHE_HOME"] || usual, "starpost");
}
