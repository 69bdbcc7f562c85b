// The only reader of the environment: every setting, its default and one sentence on what it does.

import { AppError } from "../domain/error.ts";
import { type Plan, plans } from "../domain/workspace.ts";
import { type LogLevel, logLevels } from "../lib/log.ts";
import { readEnvFile } from "./env-file.ts";
import {
  decimal,
  httpUrl,
  isCidr,
  isOrigin,
  oneOf,
  optional,
  readDatabaseUrl,
  readHttpUrl,
  readKeys,
  readLine,
  readPort,
  readToken,
  type Setting,
  someOf,
  text,
  textList,
  wholeNumber,
  yesOrNo,
} from "./setting.ts";

export const roles = ["api", "collect", "deliver", "dashboard"] as const;
export type Role = (typeof roles)[number];

export const settings = {
  host: text("HOST", "127.0.0.1", "Address to listen on; `0.0.0.0` for all."),
  port: wholeNumber("PORT", 8080, "Port to listen on; 0 takes a free one.", {
    min: 0,
    max: 65_535,
  }),
  publicUrl: optional("PUBLIC_URL", "Where people reach this service, e.g. behind a proxy.", {
    read: readHttpUrl,
    expected: "a URL that begins with http:// or https://",
  }),
  dataDir: text("DATA_DIR", "./data", "Folder for the embedded database and generated keys."),
  databaseUrl: optional(
    "DATABASE_URL",
    "PostgreSQL 15 or newer; without it an embedded one runs in DATA_DIR.",
    { read: readDatabaseUrl, expected: "a URL that begins with postgresql://", isSecret: true },
  ),
  encryptionKeys: optional(
    "ENCRYPTION_KEY",
    "32 bytes in base64 or hex that encrypt secrets at rest; several with commas, the first encrypts. Without it one is generated into DATA_DIR.",
    { read: readKeys, expected: "32 bytes in base64 or hex", isSecret: true },
  ),
  metricsPort: optional(
    "METRICS_PORT",
    "Port for Prometheus figures at `/metrics`; 0 takes a free one.",
    { read: readPort, expected: "a whole number from 0 to 65535" },
  ),
  roles: someOf("ROLES", roles, "What this process does, with commas."),
  logLevel: oneOf<LogLevel>("LOG_LEVEL", logLevels, "info", "How much is logged to stderr."),
  defaultPlan: oneOf<Plan>("DEFAULT_PLAN", plans, "studio", "Plan of new workspaces."),
  adminEmail: optional(
    "ADMIN_EMAIL",
    "E-mail address of the first account, made at a first start.",
    {
      read: readLine,
      expected: "an e-mail address",
    },
  ),
  adminPassword: optional("ADMIN_PASSWORD", "Its password, of at least 12 characters.", {
    read: readLine,
    expected: "a password",
    isSecret: true,
  }),
  apiCorsOrigins: textList(
    "API_CORS_ORIGINS",
    "Origins that may call the API from a browser, with commas; `*` for any.",
    isOrigin,
    "origins like https://example.com, with commas",
  ),
  webhookAllowHttp: yesOrNo(
    "WEBHOOK_ALLOW_HTTP",
    "Whether channels may use http:// beside https://.",
  ),
  webhookAllowedCidrs: textList(
    "WEBHOOK_ALLOWED_CIDRS",
    "Private networks that channels may reach, e.g. `10.1.0.0/16`, with commas.",
    isCidr,
    "networks like 10.1.0.0/16, with commas",
  ),
  webhookTimeoutMs: wholeNumber(
    "WEBHOOK_TIMEOUT_MS",
    10_000,
    "Total deadline of one delivery attempt, in milliseconds.",
    { min: 100, max: 120_000 },
  ),
  webhookCycleSeconds: wholeNumber(
    "WEBHOOK_CYCLE_SECONDS",
    60,
    "Seconds until the first retry; doubles up to an hour.",
    { min: 1, max: 3_600 },
  ),
  webhookGiveUpDays: wholeNumber(
    "WEBHOOK_GIVE_UP_DAYS",
    7,
    "Days after which a delivery expires.",
    { min: 1, max: 90 },
  ),
  deliveryRetentionDays: wholeNumber(
    "DELIVERY_RETENTION_DAYS",
    30,
    "Days that finished deliveries stay in the log.",
    { min: 1, max: 3_650 },
  ),
  collectIntervalMinutes: wholeNumber(
    "COLLECT_INTERVAL_MINUTES",
    60,
    "Minutes between two looks at the same feed.",
    { min: 1, max: 10_080 },
  ),
  collectRequestsPerSecond: decimal(
    "COLLECT_REQUESTS_PER_SECOND",
    1,
    "Requests per second to one store host.",
    { min: 0.01, max: 1_000 },
  ),
  itunesBaseUrl: httpUrl(
    "ITUNES_BASE_URL",
    "https://itunes.apple.com",
    "Base of Apple's review feed and lookup.",
  ),
  appleAppsBaseUrl: httpUrl(
    "APPLE_APPS_BASE_URL",
    "https://apps.apple.com",
    "Base of Apple's product pages.",
  ),
  googlePlayBaseUrl: httpUrl(
    "GOOGLE_PLAY_BASE_URL",
    "https://play.google.com",
    "Base of Google Play.",
  ),
  appStoreConnectBaseUrl: httpUrl(
    "APP_STORE_CONNECT_BASE_URL",
    "https://api.appstoreconnect.apple.com",
    "Base of Apple's App Store Connect API.",
  ),
  androidPublisherBaseUrl: httpUrl(
    "ANDROID_PUBLISHER_BASE_URL",
    "https://androidpublisher.googleapis.com",
    "Base of Google's developer API.",
  ),
  googleOauthBaseUrl: httpUrl(
    "GOOGLE_OAUTH_BASE_URL",
    "https://oauth2.googleapis.com",
    "Base of Google's access tokens.",
  ),
  googleStorageBaseUrl: httpUrl(
    "GOOGLE_STORAGE_BASE_URL",
    "https://storage.googleapis.com",
    "Base of Google's storage, where Play Console puts its reports.",
  ),
  translateProvider: oneOf(
    "TRANSLATE_PROVIDER",
    ["none", "libretranslate", "deepl", "openai", "apertium"] as const,
    "none",
    "Who translates reviews into English: `none`, `libretranslate`, `deepl`, `openai` (any compatible endpoint) or `apertium`.",
  ),
  translateUrl: optional(
    "TRANSLATE_URL",
    "Base of the translator's API; `libretranslate` and `apertium` need it.",
    { read: readHttpUrl, expected: "a URL that begins with http:// or https://" },
  ),
  translateApiKey: optional("TRANSLATE_API_KEY", "The translator's key; `deepl` needs one.", {
    read: readToken,
    expected: "a key without spaces",
    isSecret: true,
  }),
  translateModel: text("TRANSLATE_MODEL", "", "The model that `openai` translates with."),
  translateWaitSeconds: wholeNumber(
    "TRANSLATE_WAIT_SECONDS",
    600,
    "Seconds that a delivery waits for its translation before it goes out without.",
    { min: 0, max: 86_400 },
  ),
  translateCharactersPerDay: wholeNumber(
    "TRANSLATE_CHARACTERS_PER_DAY",
    1_000_000,
    "Characters sent to the translator on one UTC day at most.",
    { min: 20_000, max: 1_000_000_000 },
  ),
  analysisProvider: oneOf(
    "ANALYSIS_PROVIDER",
    ["local", "openai"] as const,
    "local",
    "Who analyses reviews: `local`, or `openai` (any compatible endpoint) once more afterwards.",
  ),
  analysisUrl: optional("ANALYSIS_URL", "Base of the analysing endpoint's API.", {
    read: readHttpUrl,
    expected: "a URL that begins with http:// or https://",
  }),
  analysisApiKey: optional("ANALYSIS_API_KEY", "The analysing endpoint's key.", {
    read: readToken,
    expected: "a key without spaces",
    isSecret: true,
  }),
  analysisModel: text("ANALYSIS_MODEL", "", "The model that `openai` analyses with."),
  analysisReviewsPerDay: wholeNumber(
    "ANALYSIS_REVIEWS_PER_DAY",
    5_000,
    "Reviews sent to the analysing endpoint on one UTC day at most.",
    { min: 10, max: 10_000_000 },
  ),
} as const;

type Value<S> = S extends Setting<infer T> ? T : never;
export type Config = { -readonly [K in keyof typeof settings]: Value<(typeof settings)[K]> };

/** Reads the settings from the environment, then `.env` of the folder, then the defaults. */
export function readConfig(from: { env?: NodeJS.ProcessEnv; envFile?: string } = {}): Config {
  const names = Object.values(settings).map(({ name }) => name);
  const file = readEnvFile(from.envFile ?? ".env", names);
  const env = from.env ?? process.env;
  const values = Object.entries(settings).map(([key, setting]) => [
    key,
    readSetting(setting, env[setting.name] ?? file[setting.name]),
  ]);
  return asConfig(Object.fromEntries(values));
}

function readSetting(setting: Setting<unknown>, given: string | undefined): unknown {
  const stated = given === undefined || given.trim() === "" ? setting.fallback : given.trim();
  const parsed = setting.parse(stated);
  if ("value" in parsed) return parsed.value;
  const shown = setting.isSecret ? "what was given" : JSON.stringify(stated);
  throw new AppError(
    "invalid_setting",
    `${setting.name}: expected ${parsed.expected}, not ${shown}`,
  );
}

// The keys and types are those of `settings` by construction.
function asConfig(values: Record<string, unknown>): Config {
  return values as Config;
}

/**
 * Where the user is. `npm run starpost` runs in the package's folder and notes where it was called; under
 * any other script of npm that note is not about us.
 */
export function callerFolder(env: NodeJS.ProcessEnv = process.env): string {
  const isOurScript = env["npm_lifecycle_event"] === "starpost";
  return (isOurScript && env["INIT_CWD"]) || process.cwd();
}
