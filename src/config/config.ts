// The only reader of the environment: every setting with its schema, its default and one sentence for
// docs/configuration.md, which a test compares with this table.

import { z } from "zod";
import { AppError } from "../domain/error.ts";
import type { ReadingPace } from "../domain/reading-round.ts";
import { plans, type WorkspaceLimits, workspaceLimitsDefault } from "../domain/workspace.ts";
import { logLevels } from "../lib/log.ts";
import { databaseSettings } from "./database-settings.ts";
import { deliverySettings } from "./delivery-settings.ts";
import { readEnvFile } from "./env-file.ts";
import {
  decimal,
  encryptionKeys,
  headerToken,
  httpUrl,
  isCidr,
  isOrigin,
  line,
  listOf,
  oneOf,
  optional,
  someOf,
  wholeNumber,
  yesOrNo,
} from "./setting-fields.ts";
import { signInSettings } from "./sign-in-settings.ts";

export const roles = ["api", "collect", "deliver", "dashboard"] as const;
export type Role = (typeof roles)[number];

const workspaceFields = {
  DEFAULT_PLAN: oneOf(plans).default("studio").describe("Plan of new workspaces."),
  WORKSPACE_APPS_MAX: limitOf("apps").describe("Apps that one workspace may follow."),
  WORKSPACE_CHANNELS_MAX: limitOf("channels").describe("Channels of one workspace."),
  WORKSPACE_KEYS_MAX: limitOf("keys").describe("API keys in use of one workspace."),
  WORKSPACE_MEMBERS_MAX: limitOf("members").describe("Members of one workspace."),
};

function limitOf(kind: keyof WorkspaceLimits) {
  return wholeNumber({ min: 1, max: 1_000_000 }).default(workspaceLimitsDefault[kind]);
}

/** By the name in the environment and in `.env`. Values with `isSecret` never appear in an error. */
export const settingsSchema = z.object({
  HOST: z.string().default("127.0.0.1").describe("Address to listen on; `0.0.0.0` for all."),
  PORT: wholeNumber({ min: 0, max: 65_535 })
    .default(8080)
    .describe("Port to listen on; 0 takes a free one."),
  PUBLIC_URL: optional(httpUrl()).describe(
    "Where people reach this service; needed where that is a name and not an address.",
  ),
  DATA_DIR: z
    .string()
    .default("./data")
    .describe("Folder for the embedded database and generated keys."),
  ...databaseSettings,
  ENCRYPTION_KEY: optional(encryptionKeys()).meta({
    description:
      "32 bytes in base64 or hex that encrypt secrets at rest; several with commas, the first encrypts. Without it one is generated into DATA_DIR.",
    isSecret: true,
  }),
  METRICS_PORT: optional(wholeNumber({ min: 0, max: 65_535 })).describe(
    "Port for Prometheus figures at `/metrics`; 0 takes a free one.",
  ),
  METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address that METRICS_PORT listens on; figures need no sign-in."),
  METRICS_APPS: yesOrNo()
    .default(false)
    .describe("Whether the figures have ratings and reviews of each app as well."),
  ROLES: someOf(roles)
    .default([...roles])
    .describe("The roles of this process, separated by commas."),
  LOG_LEVEL: oneOf(logLevels).default("info").describe("How much is logged to stderr."),
  ...workspaceFields,
  ADMIN_EMAIL: optional(line("an e-mail address")).describe(
    "E-mail address of the first account, created at a first start.",
  ),
  ADMIN_PASSWORD: optional(line("a password")).meta({
    description: "Its password, of at least 12 characters.",
    isSecret: true,
  }),
  STARPOST_WORKSPACE: optional(line("a workspace")).describe(
    "Workspace of commands without `--workspace`: its name or id. Not needed while there is one.",
  ),
  STARPOST_URL: optional(httpUrl()).describe(
    "Service that `starpost mcp` reads; without it PUBLIC_URL, or HOST and PORT.",
  ),
  STARPOST_KEY: optional(headerToken()).meta({
    description: "API key that `starpost mcp` reads with.",
    isSecret: true,
  }),
  API_CORS_ORIGINS: listOf("origins like https://example.com", isOrigin)
    .default([])
    .describe("Origins that may call the API from a browser, with commas; `*` for any."),
  TRUSTED_PROXIES: listOf("networks like 10.1.0.0/16", isCidr)
    .default([])
    .describe(
      "Networks of reverse proxies whose `X-Forwarded-For` names the client, e.g. `127.0.0.1/32`, with commas.",
    ),
  ...deliverySettings,
  ...signInSettings,
  COLLECT_INTERVAL_MINUTES: wholeNumber({ min: 1, max: 10_080 })
    .default(60)
    .describe("Minutes between two crawls of the same feed."),
  COLLECT_INTERVAL_MAX_MINUTES: wholeNumber({ min: 1, max: 40_320 })
    .default(10_080)
    .describe(
      "The same for feeds with few reviews, where not all of a store can be read within COLLECT_INTERVAL_MINUTES; as small as that, none makes room for others.",
    ),
  COLLECT_REQUESTS_PER_SECOND: decimal({ min: 0.01, max: 1_000 })
    .default(1)
    .describe("Requests per second to one store host."),
  COLLECT_CANARY: yesOrNo()
    .default(true)
    .describe(
      "Whether one well-known app is read from each store's public pages once a day, to notice a change of their layout early.",
    ),
  ITUNES_BASE_URL: httpUrl()
    .default("https://itunes.apple.com")
    .describe("Base of Apple's review feed and lookup."),
  APPLE_APPS_BASE_URL: httpUrl()
    .default("https://apps.apple.com")
    .describe("Base of Apple's product pages."),
  GOOGLE_PLAY_BASE_URL: httpUrl()
    .default("https://play.google.com")
    .describe("Base of Google Play."),
  APP_STORE_CONNECT_BASE_URL: httpUrl()
    .default("https://api.appstoreconnect.apple.com")
    .describe("Base of Apple's App Store Connect API."),
  ANDROID_PUBLISHER_BASE_URL: httpUrl()
    .default("https://androidpublisher.googleapis.com")
    .describe("Base of Google's developer API."),
  GOOGLE_OAUTH_BASE_URL: httpUrl()
    .default("https://oauth2.googleapis.com")
    .describe("Base of Google's access tokens."),
  GOOGLE_STORAGE_BASE_URL: httpUrl()
    .default("https://storage.googleapis.com")
    .describe("Base of Google's storage, where Play Console puts its reports."),
  TRANSLATE_PROVIDER: oneOf(["none", "libretranslate", "deepl", "openai", "apertium"])
    .default("none")
    .describe(
      "The translator of reviews into English: `none`, `libretranslate`, `deepl`, `openai` (any compatible endpoint) or `apertium`.",
    ),
  TRANSLATE_URL: optional(httpUrl()).describe(
    "Base of the translator's API; `libretranslate` and `apertium` need it.",
  ),
  TRANSLATE_API_KEY: optional(headerToken()).meta({
    description: "The translator's key; `deepl` needs one.",
    isSecret: true,
  }),
  TRANSLATE_MODEL: z.string().default("").describe("The model that `openai` translates with."),
  TRANSLATE_WAIT_SECONDS: wholeNumber({ min: 0, max: 86_400 })
    .default(600)
    .describe("Seconds that a delivery waits for its translation before it goes out without."),
  TRANSLATE_CHARACTERS_PER_DAY: wholeNumber({ min: 20_000, max: 1_000_000_000 })
    .default(1_000_000)
    .describe("Characters sent to the translator on one UTC day at most."),
  ANALYSIS_PROVIDER: oneOf(["local", "openai"])
    .default("local")
    .describe(
      "The analysis of reviews: `local`, or `openai` (any compatible endpoint) once more afterwards.",
    ),
  ANALYSIS_URL: optional(httpUrl()).describe("Base of the analysing endpoint's API."),
  ANALYSIS_API_KEY: optional(headerToken()).meta({
    description: "The analysing endpoint's key.",
    isSecret: true,
  }),
  ANALYSIS_MODEL: z.string().default("").describe("The model that `openai` analyses with."),
  ANALYSIS_REVIEWS_PER_DAY: wholeNumber({ min: 10, max: 10_000_000 })
    .default(5_000)
    .describe("Reviews sent to the analysing endpoint on one UTC day at most."),
});

type Settings = z.output<typeof settingsSchema>;
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;
/** The settings by camel-case names: `PUBLIC_URL` is `publicUrl`. Unset settings are null. */
export type Config = { -readonly [Name in keyof Settings as CamelCase<Name>]: Settings[Name] };

/**
 * Reads the settings from the environment, then from `.env` of the folder, then the defaults.
 *
 * @throws AppError `invalid_setting`, in one line that names every faulty setting
 */
export function readConfig(from: { env?: NodeJS.ProcessEnv; envFile?: string } = {}): Config {
  const names = Object.keys(settingsSchema.shape);
  const file = readEnvFile(from.envFile ?? ".env", names);
  const env = from.env ?? process.env;
  // An empty value counts as unset.
  const texts = names.map((name) => [name, (env[name] ?? file[name])?.trim() || undefined]);
  const values: Record<string, string | undefined> = Object.fromEntries(texts);
  const parsed = settingsSchema.safeParse(values);
  if (!parsed.success) throw invalidSettings(parsed.error, values);
  const entries = Object.entries(parsed.data);
  return asConfig(Object.fromEntries(entries.map(([name, value]) => [camelCase(name), value])));
}

function invalidSettings(
  error: z.ZodError,
  values: Readonly<Record<string, string | undefined>>,
): AppError {
  const secrets = listSettings().filter(({ isSecret }) => isSecret);
  const fields = error.issues.map(({ path: [key], message: expected }) => {
    const field = String(key);
    const isSecret = secrets.some(({ name }) => name === field);
    const actual = isSecret ? "what is set" : JSON.stringify(values[field]);
    return { field, message: `expected ${expected}, not ${actual}` };
  });
  const message = fields.map((fault) => `${fault.field}: ${fault.message}`).join("; ");
  return new AppError("invalid_setting", message, { fields });
}

/** Every setting for documentation; `fallback` is the default as it would be written, "" for none. */
export function listSettings() {
  return Object.entries(settingsSchema.shape).map(([name, schema]) => ({
    name,
    fallback: String(schema.def.defaultValue ?? ""),
    description: schema.meta()?.description ?? "",
    isSecret: schema.meta()?.["isSecret"] === true,
  }));
}

/** Where the service is reached: PUBLIC_URL, else by the address that it listens on. */
export function ownUrl(config: Pick<Config, "host" | "port" | "publicUrl">): string {
  const { host, port, publicUrl } = config;
  if (publicUrl !== null) return publicUrl;
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
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

// The keys are the camel-case names of the schema's, as in the type.
function asConfig(values: Record<string, unknown>): Config {
  return values as Config;
}

/** A variable that a file of the set-up names, such as a channel's secret. */
export function readVariable(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return env[name];
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
