// Checks everything that the service needs, before it is started or while it runs, and changes nothing:
// with the same functions as a start, the settings that go together, the database, the keys, the data folder, the stores, the providers, the ports and the clock.

import fs from "node:fs/promises";
import path from "node:path";
import { findAnalysisFault } from "../../app/analysis-files.ts";
import { checkSettings } from "../../app/check-settings.ts";
import { readEncryptionKeys } from "../../app/encryption-key.ts";
import { listListenAddresses, tryToListen } from "../../app/listen.ts";
import {
  checkDatabaseFolder,
  explainDatabaseFailure,
  openPostgres,
} from "../../app/open-database.ts";
import { listOperatorWarnings, type OperatorWarning } from "../../app/operator-warnings.ts";
import type { OutsideCheck, OutsideDeps } from "../../app/outside-checks.ts";
import { listProviderConfigs } from "../../app/providers.ts";
import { type Config, outgoingProxyOf, urlHost } from "../../config/config.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { exists } from "../../lib/files.ts";
import type { Http } from "../../lib/http.ts";
import { openHttpClient } from "../../lib/http-client.ts";
import { silentLog } from "../../lib/log.ts";
import { ResourceStack } from "../../lib/resource-stack.ts";
import { keyIdOfKey } from "../../lib/secret-box.ts";
import { minuteMs, secondMs } from "../../lib/timestamp.ts";
import { listSettingChecks, listStoredChecks } from "./check-others.ts";
import { createUnthrottledStores, nameOfCheck, planStoreChecks } from "./check-stores.ts";

/** `warning`: the service starts, but something will not work. */
export type Finding = { check: string; state: "ok" | "warning" | "failed"; detail: string };

/** @param deps.readsStores whether pages of one app in each store are read as well */
export async function runDoctor(deps: {
  config: Config;
  clock: Clock;
  readsStores?: boolean;
}): Promise<Finding[]> {
  const { config, clock, readsStores = false } = deps;
  const client = openHttpClient({
    totalTimeoutMs: 10 * secondMs,
    proxy: outgoingProxyOf(config),
  });
  try {
    return [
      await attempt("settings", () => checkSettingsTogether(config)),
      await attempt("analysis", checkModels),
      await attempt("data folder", () => checkDataFolder(config)),
      ...listOperatorWarnings(config).map(toWarning),
      ...(await checkDatabase({ config, clock, http: client.http })),
      ...(await checkPorts(config, client.http)),
      ...(await runChecks(await listSettingChecks({ config, clock, http: client.http }))),
      ...(await checkStores(deps, client.http)),
      ...(readsStores ? await checkPages(config, { clock, http: client.http }) : []),
    ];
  } finally {
    await client.close();
  }
}

function runChecks(checks: readonly OutsideCheck[]): Promise<Finding[]> {
  return Promise.all(checks.map(({ name, run }) => attempt(name, run)));
}

function toWarning({ subject, sentence }: OperatorWarning): Finding {
  return { check: subject, state: "warning", detail: sentence };
}

const embeddedNote =
  "embedded, for trying out and small teams; its PostgreSQL is a community build with libraries of 2018: for anything exposed, set DATABASE_URL";

/** Done is ok, and what is thrown has failed. */
async function attempt(check: string, work: () => Promise<string> | string): Promise<Finding> {
  try {
    return { check, state: "ok", detail: await work() };
  } catch (error) {
    return { check, state: "failed", detail: messageOf(error) };
  }
}

function checkSettingsTogether(config: Config): string {
  checkSettings(config);
  const providers = listProviderConfigs(config).map(({ kind, setting }) => `${kind}: ${setting}`);
  return `complete; ${providers.join(", ")}`;
}

function checkModels(): string {
  const fault = findAnalysisFault();
  if (fault !== null) throw new Error(fault);
  return "its weights and word lists can be used";
}

async function checkDataFolder({ dataDir, databaseUrl }: Config): Promise<string> {
  const folder = path.resolve(dataDir);
  try {
    const nearest = await nearestFolder(folder);
    await fs.access(nearest, fs.constants.W_OK | fs.constants.X_OK);
    if (databaseUrl === null && nearest === folder) await checkDatabaseFolder(folder);
    return `${folder} can be written`;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new Error(`${folder} can't be written: ${messageOf(error)}`, { cause: error });
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

async function checkDatabase(deps: OutsideDeps): Promise<Finding[]> {
  const { config } = deps;
  const check = "database";
  if (config.databaseUrl === null && !(await exists(path.join(config.dataDir, "postgres")))) {
    const detail = `none yet in ${path.resolve(config.dataDir)}: the first start creates one there`;
    return [{ check, state: "ok", detail }];
  }
  const resources = new ResourceStack();
  try {
    const access = await openPostgres({ config, log: silentLog, creates: false }, resources);
    const database = await openDatabase({ log: silentLog, ...access });
    resources.add(() => database.close());
    await database.requireUsable();
    if (!(await database.isMigrated())) {
      const detail = "reached, but it lacks migrations: run starpost migrate, or start the service";
      return [{ check, state: "warning", detail }];
    }
    const detail = `reached, with every migration (${config.databaseUrl ? "DATABASE_URL" : embeddedNote})`;
    await database.requireWritable();
    const keys = await attempt("encryption key", () => checkKeys(config, database));
    const others = await runChecks(await listStoredChecks(deps, database));
    const isDangerous = await database.areSqlUsersDangerous();
    return [
      { check, state: "ok", detail },
      ...(isDangerous ? [dangerousSqlUsers] : []),
      ...[keys, ...others],
    ];
  } catch (error) {
    return [{ check, state: "failed", detail: explainDatabaseFailure(error) }];
  } finally {
    await resources.closeAll();
  }
}

const dangerousSqlUsers: Finding = {
  check: "SQL users",
  state: "warning",
  detail: "they can stop the service by locks and large objects: run the statement of docs/sql.md",
};

async function checkKeys(
  config: Config,
  database: Pick<Database, "listEncryptionKeys">,
): Promise<string> {
  const keys = (await readEncryptionKeys(config)) ?? [];
  const used = await database.listEncryptionKeys();
  const available = keys.map(keyIdOfKey);
  const missing = used.filter((id) => !available.includes(id));
  if (missing.length > 0) {
    throw new Error(
      `${missing.length} of ${used.length} keys in use are missing: add them to ENCRYPTION_KEY`,
    );
  }
  if (keys.length === 0) return "none yet: the first start creates one";
  const source = config.encryptionKey ? "ENCRYPTION_KEY" : "the file in the data folder";
  return `${source} has every key in use`;
}

async function checkPorts(config: Config, http: Http): Promise<Finding[]> {
  return Promise.all(
    listListenAddresses(config).map(async (address): Promise<Finding> => {
      const { host, port, portSetting } = address;
      const isMain = portSetting === "PORT";
      const check = isMain ? "port" : "metrics port";
      try {
        await tryToListen(address);
        return { check, state: "ok", detail: `${host}:${port} is free` };
      } catch (error) {
        const url = `http://${urlHost(host)}:${port}${isMain ? "/healthz" : "/metrics"}`;
        const result = await http({ method: "GET", url, bodyBytesMax: 10_000_000 });
        const isStarpost = result.kind === "response" && result.status === 200;
        return isStarpost
          ? { check, state: "ok", detail: `a service answers at ${host}:${port}` }
          : { check, state: "failed", detail: messageOf(error) };
      }
    }),
  );
}

// Only workspaces with an add-on, or with an account at a store, need the others.
const storeBases = [
  ["App Store feed", "itunesBaseUrl", "failed"],
  ["App Store pages", "appleAppsBaseUrl", "failed"],
  ["Google Play", "googlePlayBaseUrl", "failed"],
  ["Firefox Add-ons", "firefoxAddonsBaseUrl", "warning"],
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
  const responses = results.flatMap(({ result }) => (result.kind === "response" ? result : []));
  // The clock of simulated stores is their own, and people move it.
  if (responses.some(({ headers }) => headers["server"] === simulatorName)) return findings;
  const dates = responses.map(({ headers }) => Date.parse(headers["date"] ?? ""));
  return [...findings, checkClock(clock, dates)];
}

async function checkPages(config: Config, deps: { clock: Clock; http: Http }): Promise<Finding[]> {
  const plan = planStoreChecks(createUnthrottledStores(config, deps));
  const checks = plan.map(async (check): Promise<Finding> => {
    const fault = await check.findFault();
    return {
      ...{ check: nameOfCheck(check), state: fault === null ? "ok" : "failed" },
      detail: fault ?? "a page of a well-known app is read as expected",
    };
  });
  return Promise.all(checks);
}

/** Simulated stores say who they are. */
const simulatorName = "starpost-simulator";

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
