// Brings the server to where it answers: uses the one that runs, waits for the one that starts or stops,
// starts it when there is none. Any number of processes may do this at once.
import { setTimeout as delay } from "node:timers/promises";
import { type Address, probe } from "./connection.ts";
import { EmbeddedPostgresError } from "./error.ts";
import type { ClusterLayout } from "./layout.ts";
import {
  identify,
  quarantineLock,
  readLockFile,
  readLogTail,
  type SqlAddress,
  type StartedProcess,
  startPostmaster,
} from "./postmaster.ts";
import { ensureSocketFolder, isShortEnough } from "./socket-folder.ts";

export type ServerOptions = {
  layout: ClusterLayout;
  password: string;
  logFile: string;
  /** Settings beyond postgresql.conf, such as `fsync: "off"` in tests. */
  settings: Readonly<Record<string, string>>;
  sqlAddress?: SqlAddress | undefined;
  /** Called before a server is started, and not when one is running already. */
  onStart: () => void;
};

type RunningServer = { address: Address; how: "started" | "adopted" };

const silenceMsMax = 60_000;
// A server that says "starting up" replays its log after a crash: at most 1 GB by its settings.
const recoveryMsMax = 600_000;

/**
 * Waiting ends with an error when `closing` is aborted.
 * @throws EmbeddedPostgresError with the end of the server's log when it does not start
 */
export async function ensureStarted(
  options: ServerOptions,
  closing: AbortSignal,
): Promise<RunningServer> {
  const silence = AbortSignal.timeout(silenceMsMax);
  const recovery = AbortSignal.timeout(recoveryMsMax);
  let started: StartedProcess | null = null;
  let how: RunningServer["how"] = "adopted";
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 1.5, 250)) {
    const status = await readStatus(options);
    if (status.state === "ready") return { address: status.address, how };
    if (started?.hasEnded()) {
      await requirePassingEnd(options, started);
      started = null;
      how = "adopted";
    } else if (status.state === "absent" && started === null) {
      started = await start(options);
      how = "started";
      continue;
    }
    const limit = status.state === "starting" ? recovery : silence;
    if (limit.aborted) {
      const logTail = await readLogTail(options.logFile, started?.logStart ?? 0);
      throw startFailure(options, { what: "does not answer", logTail });
    }
    await delay(waitMs, undefined, { signal: closing });
  }
}

type ServerStatus =
  | { state: "ready"; address: Address }
  | { state: "starting" | "busy" | "absent" };

async function readStatus({ layout, password }: ServerOptions): Promise<ServerStatus> {
  const lock = await readLockFile(layout.cluster);
  if (lock === null) return { state: "absent" };
  // The lock names its socket by its own paths; the cluster's folder is the usual one.
  for (const host of new Set([layout.cluster, lock.host])) {
    // Node up to 22 connects to the first part of a long path, Node 24 throws: neither finds our server.
    if (host === "" || !isShortEnough(host)) continue;
    const address = { host, port: lock.port, password };
    const result = await probe(address, lock.text);
    if (result === "ready") return { state: "ready", address };
    if (result === "starting") return { state: "starting" };
  }
  const identity = await identify(lock, layout.cluster);
  // Alive, ours and silent: the first or the last moments of a server.
  if (identity === "ours") return { state: "busy" };
  // The lock of a dead server is removed by PostgreSQL itself.
  if (identity === "other") await quarantineLock(lock, layout.cluster);
  return { state: "absent" };
}

async function start(options: ServerOptions): Promise<StartedProcess> {
  const { layout, logFile, settings, sqlAddress } = options;
  options.onStart();
  const host = await ensureSocketFolder(layout.cluster, layout.osUser);
  return startPostmaster({ layout, host, logFile, settings, sqlAddress });
}

// Log lines of a server that lost to another starter, or while sessions of a killed server still end.
const passingEnd = /lock file "[^"]*" already exists|pre-existing shared memory block/;

/** Returns when another attempt makes sense. */
async function requirePassingEnd(options: ServerOptions, started: StartedProcess): Promise<void> {
  const logTail = await readLogTail(options.logFile, started.logStart);
  const { sqlAddress } = options;
  const [, reason] = /could not bind IPv[46] address "[^"]*": (.+)/.exec(logTail) ?? [];
  if (sqlAddress && reason)
    throw new EmbeddedPostgresError(
      `SQL users can't be served at ${sqlAddress.host}:${sqlAddress.port}: ${reason}; set EMBEDDED_SQL_PORT to a free port`,
    );
  if (!passingEnd.test(logTail))
    throw startFailure(options, { what: "ended at its start", logTail });
}

function startFailure(
  { logFile }: ServerOptions,
  { what, logTail }: { what: string; logTail: string },
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`PostgreSQL ${what}; its log (${logFile}):\n${logTail}`);
}
