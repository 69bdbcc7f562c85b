// Checks everything that the service needs, before it is started or while it runs, and changes nothing:
// the database, the keys, the data folder, the stores, the providers, the ports and the clock.
import fs from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { readEncryptionKeys } from "../app/encryption-key.ts";
import { openPostgres } from "../app/open-database.ts";
import { listProviderConfigs, parseEnrichmentOptions } from "../app/workers/enrichment-workers.ts";
import type { Config } from "../config/config.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Http } from "../lib/http.ts";
import { openHttpClient } from "../lib/http-client.ts";
import { silentLog } from "../lib/log.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { keyIdOfKey } from "../lib/secret-box.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import { version } from "../lib/version.ts";

/** `warning`: the service starts, but something will not work. */
export type Finding = { check: string; state: "ok" | "warning" | "failed"; detail: string };

export async function runDoctor(deps: { config: Config; clock: Clock }): Promise<Finding[]> {
  const { config } = deps;
  const client = openHttpClient({
    userAgent: `Starpost/${version}`,
    totalTimeoutMs: 10 * secondMs,
  });
  try {
    return [
      await checkDataFolder(config),
      ...(await checkDatabase(config)),
      checkProviders(config),
      ...(await checkPorts(config, client.http)),
      ...(await checkStores(deps, client.http)),
    ];
  } finally {
    await client.close();
  }
}

async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  const check = "data folder";
  const folder = path.resolve(dataDir);
  try {
    await fs.access(await nearestFolder(folder), fs.constants.W_OK | fs.constants.X_OK);
    return { check, state: "ok", detail: `${folder} can be written` };
  } catch (error) {
    return { check, state: "failed", detail: `${folder} can't be written: ${messageOf(error)}` };
  }
}

/** The data folder is created at the first start: until then its nearest existing parent is checked. */
async function nearestFolder(folder: string): Promise<string> {
  try {
    if ((await fs.stat(folder)).isDirectory()) return folder;
  } catch (error) {
    if (path.dirname(folder) === folder) throw error;
    return nearestFolder(path.dirname(folder));
  }
  throw new Error(`${folder} is not a folder`);
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const check = "database";
  if (config.databaseUrl === null && !(await exists(path.join(config.dataDir, "postgres")))) {
    const detail = "none yet: the first start creates one in the data folder";
    return [{ check, state: "ok", detail }];
  }
  const resources = new ResourceStack();
  try {
    const connection = await openPostgres({ config, log: silentLog }, resources);
    const database = await openDatabase({ log: silentLog, connection });
    resources.add(() => database.close());
    if (!(await database.isMigrated())) {
      const detail = "reached, but it lacks migrations: run starpost migrate, or start the service";
      return [{ check, state: "warning", detail }];
    }
    const detail = `reached, with every migration (${config.databaseUrl ? "DATABASE_URL" : "embedded"})`;
    return [{ check, state: "ok", detail }, await checkKeys(config, database)];
  } catch (error) {
    return [{ check, state: "failed", detail: messageOf(error) }];
  } finally {
    await resources.closeAll();
  }
}

async function checkKeys(
  config: Config,
  database: Pick<Database, "listEncryptionKeys">,
): Promise<Finding> {
  const check = "encryption key";
  try {
    const keys = (await readEncryptionKeys(config)) ?? [];
    const used = await database.listEncryptionKeys();
    const available = keys.map(keyIdOfKey);
    const missing = used.filter((id) => !available.includes(id));
    if (missing.length > 0) {
      const detail = `${missing.length} of ${used.length} keys in use are missing: add them to ENCRYPTION_KEY`;
      return { check, state: "failed", detail };
    }
    const source = config.encryptionKey ? "ENCRYPTION_KEY" : "the file in the data folder";
    const detail =
      keys.length > 0 ? `${source} has every key in use` : "none yet: the first start creates one";
    return { check, state: "ok", detail };
  } catch (error) {
    return { check, state: "failed", detail: messageOf(error) };
  }
}

function checkProviders(config: Config): Finding {
  const check = "providers";
  try {
    parseEnrichmentOptions(config);
    const detail = listProviderConfigs(config)
      .map(({ kind, setting }) => `${kind}: ${setting}`)
      .join(", ");
    return { check, state: "ok", detail };
  } catch (error) {
    return { check, state: "failed", detail: messageOf(error) };
  }
}

async function checkPorts(config: Config, http: Http): Promise<Finding[]> {
  const { host, port, metricsPort } = config;
  const ports = [
    { check: "port", port, probe: "/healthz" },
    ...(metricsPort === null
      ? []
      : [{ check: "metrics port", port: metricsPort, probe: "/metrics" }]),
  ];
  return Promise.all(
    ports.map(async ({ check, port, probe }): Promise<Finding> => {
      const problem = await findListenProblem({ host, port });
      if (problem === null) return { check, state: "ok", detail: `${host}:${port} is free` };
      const target = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
      const url = `http://${target.includes(":") ? `[${target}]` : target}:${port}${probe}`;
      const result = await http({ method: "GET", url, bodyBytesMax: 10_000_000 });
      const isStarpost = result.kind === "response" && result.status === 200;
      return isStarpost
        ? { check, state: "ok", detail: `a service answers at ${host}:${port}` }
        : { check, state: "failed", detail: `${host}:${port} can't be used: ${problem}` };
    }),
  );
}

function findListenProblem(address: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error) => resolve(error.message));
    server.listen(address.port, address.host, () => server.close(() => resolve(null)));
  });
}

// Only workspaces with an account at the store need the official APIs.
const storeBases = [
  ["App Store feed", "itunesBaseUrl", "failed"],
  ["App Store pages", "appleAppsBaseUrl", "failed"],
  ["Google Play", "googlePlayBaseUrl", "failed"],
  ["App Store Connect", "appStoreConnectBaseUrl", "warning"],
  ["Google Play API", "androidPublisherBaseUrl", "warning"],
  ["Google tokens", "googleOauthBaseUrl", "warning"],
  ["Google storage", "googleStorageBaseUrl", "warning"],
] as const;

async function checkStores(
  { config, clock }: { config: Config; clock: Clock },
  http: Http,
): Promise<Finding[]> {
  const results = await Promise.all(
    storeBases.map(async ([check, setting, stateIfNot]) => {
      // Any response will do: only whether the host can be reached is checked.
      const result = await http({ method: "GET", url: `${config[setting]}/robots.txt` });
      return { check, result, stateIfNot, host: new URL(config[setting]).host };
    }),
  );
  const findings = results.map(({ check, result, stateIfNot, host }): Finding => {
    const isReached = result.kind === "response" || result.reason === "redirected";
    if (isReached) return { check, state: "ok", detail: `${host} answers` };
    const detail = `${host} can't be reached: ${result.detail || result.reason}`;
    return { check, state: stateIfNot, detail };
  });
  const dates = results.flatMap(({ result }) =>
    result.kind === "response" ? Date.parse(result.headers["date"] ?? "") : [],
  );
  return [...findings, checkClock(clock, dates)];
}

// Tokens of the official APIs are valid for minutes only, and every event carries a time.
const skewMsMax = minuteMs;

/** @param dates of the stores' responses, in milliseconds since 1970, or NaN */
function checkClock(clock: Clock, dates: readonly number[]): Finding {
  const check = "clock";
  const storeMs = dates.find((date) => !Number.isNaN(date));
  if (storeMs === undefined) {
    return { check, state: "warning", detail: "no store's clock to compare with" };
  }
  const skewMs = Math.abs(clock.now().getTime() - storeMs);
  const difference = `${Math.round(skewMs / secondMs)} s off the stores' clocks`;
  if (skewMs <= skewMsMax) return { check, state: "ok", detail: difference };
  return { check, state: "failed", detail: `${difference}: set the clock by NTP` };
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}

function messageOf(error: unknown): string {
  if (error instanceof AppError) {
    const cause = error.cause instanceof Error ? error.cause : null;
    return cause ? `${error.message}: ${messageOf(cause)}` : error.message;
  }
  // An address that has several, as localhost does, fails with one error for all.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
