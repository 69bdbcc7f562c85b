// Looks at everything the service needs before it is started, or while it runs, and changes nothing: the
// database, the keys, the data folder, the stores, the providers, the ports and the clock.
import fs from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { openPostgres } from "../app/container.ts";
import { readEncryptionKeys } from "../app/encryption-key.ts";
import { listProviderChoices, parseEnrichmentOptions } from "../app/workers/enrichment-workers.ts";
import type { Config } from "../config/config.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Http, HttpAnswer } from "../lib/http.ts";
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
    return { check, state: "failed", detail: `${folder} can't be written: ${wordsOf(error)}` };
  }
}

/** What is not there yet is made inside the nearest folder that is. */
async function nearestFolder(folder: string): Promise<string> {
  try {
    if ((await fs.stat(folder)).isDirectory()) return folder;
  } catch (error) {
    if (path.dirname(folder) === folder) throw error;
    return nearestFolder(path.dirname(folder));
  }
  throw new Error(`${folder} is no folder`);
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const check = "database";
  if (config.databaseUrl === null && !(await isThere(path.join(config.dataDir, "postgres")))) {
    const detail = "none yet: the first start makes one in the data folder";
    return [{ check, state: "ok", detail }];
  }
  const resources = new ResourceStack();
  try {
    const connection = await openPostgres({ config, log: silentLog }, resources);
    const database = await openDatabase({ log: silentLog, connection });
    resources.add(() => database.close());
    if (!(await database.isMigrated())) {
      const detail = "reached, but not of this version's shape: starpost migrate, or start it";
      return [{ check, state: "warning", detail }];
    }
    const detail = `reached, with every migration (${config.databaseUrl ? "DATABASE_URL" : "embedded"})`;
    return [{ check, state: "ok", detail }, await checkKeys(config, database)];
  } catch (error) {
    return [{ check, state: "failed", detail: wordsOf(error) }];
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
    const ring = keys.map(keyIdOfKey);
    const missing = used.filter((id) => !ring.includes(id));
    if (missing.length > 0) {
      const detail = `${missing.length} of ${used.length} keys in use are not at hand: set ENCRYPTION_KEY to them`;
      return { check, state: "failed", detail };
    }
    const from = config.encryptionKey ? "ENCRYPTION_KEY" : "the file in the data folder";
    const detail = keys.length > 0 ? `${from} fits` : "none yet: the first start makes one";
    return { check, state: "ok", detail };
  } catch (error) {
    return { check, state: "failed", detail: wordsOf(error) };
  }
}

function checkProviders(config: Config): Finding {
  const check = "providers";
  try {
    parseEnrichmentOptions(config);
    const detail = listProviderChoices(config)
      .map(({ kind, setting }) => `${kind}: ${setting}`)
      .join(", ");
    return { check, state: "ok", detail };
  } catch (error) {
    return { check, state: "failed", detail: wordsOf(error) };
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
      const refusal = await whyNotListen({ host, port });
      if (refusal === null) return { check, state: "ok", detail: `${host}:${port} is free` };
      const at = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
      const url = `http://${at.includes(":") ? `[${at}]` : at}:${port}${probe}`;
      const answer = await http({ method: "GET", url, bodyBytesMax: 10_000_000 });
      const isOurs = answer.kind === "answer" && answer.status === 200;
      return isOurs
        ? { check, state: "ok", detail: `a service answers at ${host}:${port}` }
        : { check, state: "failed", detail: `${host}:${port} can't be used: ${refusal}` };
    }),
  );
}

function whyNotListen(at: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error) => resolve(error.message));
    server.listen(at.port, at.host, () => server.close(() => resolve(null)));
  });
}

// The official sides are asked by workspaces with an account only.
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
  const asked = await Promise.all(
    storeBases.map(async ([check, setting, ifNot]) => {
      // Any answer will do; what is asked for is of no interest.
      const answer = await http({ method: "GET", url: `${config[setting]}/robots.txt` });
      return { check, answer, ifNot, at: new URL(config[setting]).host };
    }),
  );
  const found = asked.map(({ check, answer, ifNot, at }): Finding => {
    const isReached = answer.kind === "answer" || answer.reason === "redirected";
    if (isReached) return { check, state: "ok", detail: `${at} answers` };
    return {
      check,
      state: ifNot,
      detail: `${at} can't be reached: ${answer.detail || answer.reason}`,
    };
  });
  return [
    ...found,
    checkClock(
      clock,
      asked.map(({ answer }) => answer),
    ),
  ];
}

// Tokens of the official APIs are good for minutes, and every event carries a time.
const skewMsMax = minuteMs;

function checkClock(clock: Clock, answers: readonly HttpAnswer[]): Finding {
  const check = "clock";
  const dates = answers.flatMap((answer) =>
    answer.kind === "answer" ? Date.parse(answer.headers["date"] ?? "") : [],
  );
  const told = dates.find((date) => !Number.isNaN(date));
  if (told === undefined) {
    return { check, state: "warning", detail: "no store's clock to compare with" };
  }
  const skewMs = Math.abs(clock.now().getTime() - told);
  const seconds = Math.round(skewMs / secondMs);
  if (skewMs <= skewMsMax) return { check, state: "ok", detail: `${seconds} s beside the stores'` };
  return { check, state: "failed", detail: `${seconds} s beside the stores': set it by NTP` };
}

async function isThere(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof AppError) {
    const cause = error.cause instanceof Error ? error.cause : null;
    return cause ? `${error.message}: ${wordsOf(cause)}` : error.message;
  }
  // An address that has several, as localhost does, fails with one error for all.
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
