// The advisory locks of the database, and the lock of the one service that answers API requests on an embedded database.
import type pg from "pg";
import { AppError } from "../../domain/error.ts";
import { errorCode } from "../../lib/error-code.ts";
import type { Log } from "../../lib/log.ts";
import { ReconnectingConnection } from "../../lib/postgres/reconnecting-connection.ts";

// Enough for the connection of a service that was killed a moment ago to end.
const waitMsMax = 3_000;
const lockNotAvailable = "55P03";

/**
 * Holds the lock until the returned function is called, also over restarts of the server.
 * @throws AppError `unavailable` when another service holds it
 */
export async function holdSingleServiceLock(options: {
  log: Log;
  connection: pg.ClientConfig;
}): Promise<() => Promise<void>> {
  const connection = new ReconnectingConnection({
    log: options.log,
    name: "the connection that holds the lock of this service",
    config: () => ({ ...options.connection, application_name: "starpost-single-service" }),
    prepare: takeLock,
  });
  await connection.connect();
  return () => connection.close();
}

async function takeLock(client: pg.Client): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${waitMsMax}`);
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.singleService]);
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error;
    throw new AppError(
      "unavailable",
      "another service answers from this data folder; stop it, or set DATABASE_URL: several services work on one external database",
    );
  }
}

// Every advisory lock that Starpost takes in its database. The numbers are arbitrary; each is used once.
//
// The embedded server's own locks are taken in the database `postgres`, not in this one, and stand in
// embedded-postgres/shared-lock.ts: 7_215_002 (users of the server) and 7_215_003 (creating the role).

export const advisoryLocks = {
  /** Held by the transaction that migrates: starters take turns. */
  migration: 7_215_001,
  /** Held by the one service that answers API requests on an embedded database. */
  singleService: 7_215_004,
  /** With the number of a worker: held by the session of each process that delivers. */
  deliveryWorker: 7_215_005,
  /** With a second: shared by the transactions that change reviews since then. `begin_change()` in SQL. */
  reviewChange: 7_215_006,
  /** With a hash of a listing's id: held by the transaction that changes the listing, on several servers. */
  listing: 7_215_008,
} as const;
