// A lock for the one service that answers API requests on an embedded database: it counts requests in its
// memory. The lock ends with its connection, so that a killed service leaves none behind.
import type pg from "pg";
import { AppError } from "../domain/error.ts";
import { errorCode } from "../lib/error-code.ts";
import type { Log } from "../lib/log.ts";
import { ReconnectingConnection } from "../lib/postgres/reconnecting-connection.ts";
import { advisoryLocks } from "./advisory-locks.ts";

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
