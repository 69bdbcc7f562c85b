// Brings the server to where it answers: adopts the one that runs, waits for the one that starts or
// stops, starts it when there is none. Any number of processes may do this at once.
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../domain/error.ts";
import { type Address, probe } from "./connection.ts";
import type { ClusterLayout } from "./layout.ts";
import {
  identify,
  readLockFile,
  readLogTail,
  type StartedProcess,
  quarantineLock,
  startPostmaster,
} from "./postmaster.ts";
import { openSocketFolder } from "./socket-folder.ts";

export type ServerOptions = {
  place: ClusterLayout;
  password: string;
  logFile: string;
  /** Settings beyond postgresql.conf, such as `fsync: "off"` in tests. */
  settings: Readonly<Record<string, string>>;
  /** Told before a server is started, and not when one is there already. */
  onStart: () => void;
};

export type RunningServer = { address: Address; how: "started" | "adopted" };

const silenceLimitMs = 60_000;
// A server that says "starting up" replays its log after a crash: at most 1 GB by its settings.
const recoveryLimitMs = 600_000;

/** Stops waiting with an error when `leaving` is aborted. */
export async function ensureStarted(cluster: ServerOptions, leaving: AbortSignal): Promise<RunningServer> {
  const silence = AbortSignal.timeout(silenceLimitMs);
  const recovery = AbortSignal.timeout(recoveryLimitMs);
  let started: StartedProcess | null = null;
  let how: RunningServer["how"] = "adopted";
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 1.5, 250)) {
    const found = await readStatus(cluster);
    if (found.state === "ready") return { address: found.address, how };
    if (started?.hasEnded()) {
      await explainEnd(cluster, started);
      started = null;
      how = "adopted";
    } else if (found.state === "absent" && started === null) {
      started = await start(cluster);
      how = "started";
      continue;
    }
    const limit = found.state === "starting" ? recovery : silence;
    if (limit.aborted) {
      const words = await readLogTail(cluster.logFile, started?.logStart ?? 0);
      throw describeFailure({ cluster, what: "does not answer", words });
    }
    await delay(waitMs, undefined, { signal: leaving });
  }
}

type ServerStatus = { state: "ready"; address: Address } | { state: "starting" | "busy" | "absent" };

async function readStatus({ place, password }: ServerOptions): Promise<ServerStatus> {
  const lock = await readLockFile(place.cluster);
  if (lock === null) return { state: "absent" };
  // The lock names its socket by its own paths; the cluster's folder is the usual place of it.
  for (const host of new Set([place.cluster, lock.host])) {
    if (host === "") continue;
    const address = { host, port: lock.port, password };
    const answer = await probe(address, lock.text);
    if (answer === "ready") return { state: "ready", address };
    if (answer === "starting") return { state: "starting" };
  }
  const identity = await identify(lock, place.cluster);
  // Alive, ours and silent: the first or the last moments of a server.
  if (identity === "ours") return { state: "busy" };
  // A dead one's lock is PostgreSQL's own affair.
  if (identity === "other") await quarantineLock(lock, place.cluster);
  return { state: "absent" };
}

async function start(cluster: ServerOptions): Promise<StartedProcess> {
  const { place, logFile, settings } = cluster;
  cluster.onStart();
  const host = await openSocketFolder(place.cluster, place.osUser);
  return startPostmaster({ place, host, logFile, settings });
}

// Its last words when it lost to another starter, or when the sessions of a killed server still end.
const passing = /lock file "[^"]*" already exists|pre-existing shared memory block/;

/** Returns when another attempt makes sense. */
async function explainEnd(cluster: ServerOptions, started: StartedProcess): Promise<void> {
  const words = await readLogTail(cluster.logFile, started.logStart);
  if (!passing.test(words)) throw describeFailure({ cluster, what: "ended at its start", words });
}

function describeFailure(failure: { cluster: ServerOptions; what: string; words: string }): AppError {
  const { cluster, what, words } = failure;
  const message = `PostgreSQL ${what}; its log (${cluster.logFile}):\n${words}`;
  return new AppError("unavailable", message);
}
