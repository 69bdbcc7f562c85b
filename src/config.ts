// The only reader of the environment: every setting, its default and one sentence on what it does.
import fs from "node:fs";
import { parseEnv } from "node:util";
import { type LogLevel, logLevels } from "./lib/log.ts";
import { AppError } from "./reviews/error.ts";
import { type Plan, plans } from "./reviews/workspace.ts";
import {
  decimal,
  httpUrl,
  isCidr,
  isHttpUrl,
  oneOf,
  optional,
  readDatabaseUrl,
  readHttpUrl,
  readKeys,
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
  roles: someOf("ROLES", roles, "What this process does, with commas."),
  logLevel: oneOf<LogLevel>("LOG_LEVEL", logLevels, "info", "How much is logged to stderr."),
  defaultPlan: oneOf<Plan>("DEFAULT_PLAN", plans, "studio", "Plan of new workspaces."),
  apiCorsOrigins: textList(
    "API_CORS_ORIGINS",
    "Origins that may call the API from a browser, with commas.",
    isHttpUrl,
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
  translateProvider: oneOf(
    "TRANSLATE_PROVIDER",
    ["none"] as const,
    "none",
    "Who translates reviews; this version knows `none`.",
  ),
  analysisProvider: oneOf(
    "ANALYSIS_PROVIDER",
    ["local"] as const,
    "local",
    "Who analyses reviews; this version knows `local`.",
  ),
} as const;

type Value<S> = S extends Setting<infer T> ? T : never;
export type Config = { -readonly [K in keyof typeof settings]: Value<(typeof settings)[K]> };

/** Reads the settings from the environment, then `.env` of the folder, then the defaults. */
export function readConfig(from: { env?: NodeJS.ProcessEnv; envFile?: string } = {}): Config {
  const file = readEnvFile(from.envFile ?? ".env");
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

function readEnvFile(path: string): Record<string, string | undefined> {
  let content: string;
  try {
    content = fs.readFileSync(path, "utf8");
  } catch (error) {
    // No .env is the usual case; one that can't be read must not pass for none.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new AppError("invalid_setting", `${path} can't be read`, { cause: error });
  }
  const parsed = parseEnv(content);
  const known = new Set(Object.values(settings).map((setting) => setting.name));
  const unknown = Object.keys(parsed).find((name) => !known.has(name));
  if (unknown)
    throw new AppError("invalid_setting", `${path}: there is no setting named ${unknown}`);
  return parsed;
}

// The keys and types are those of `settings` by construction.
function asConfig(values: Record<string, unknown>): Config {
  return values as Config;
}
