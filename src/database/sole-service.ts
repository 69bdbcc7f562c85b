// A lock for the one service that answers keys on an embedded database, because it counts requests in
// its memory. It ends with its connection: a killed service leaves none behind.
import pg from "pg";
import { AppError } from "../domain/error.ts";
import type { Log } from "../lib/log.ts";

// An arbitrary constant, beside the one that migrating takes.
const soleServiceLock = 7_215_002;
/** For the connection of a service that was killed a moment ago to end. */
const waitMs = 3_000;
const reconnectMs = 1_000;
const lockTimedOut = "55P03";

/**
 * Holds the lock until the returned function is called, also over restarts of the server.
 * @throws AppError `unavailable` when another service holds it
 */
export async function holdSingleServiceLock(open: {
  log: Log;
  connection: { connectionString: string } | pg.ClientConfig;
}): Promise<() => Promise<void>> {
  const { log } = open;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isClosed = false;

  async function take(): Promise<void> {
    const fresh = new pg.Client({ ...open.connection, application_name: "starpost-sole-service" });
    fresh.on("error", (error) => log.warn({ reason: error.message }, "a lock's connection broke"));
    try {
      await fresh.connect();
      await fresh.query(`set lock_timeout = ${waitMs}`);
      await fresh.query("select pg_advisory_lock($1)", [soleServiceLock]);
    } catch (error) {
      await endQuietly(fresh);
      throw explain(error);
    }
    client = fresh;
    fresh.on("end", takeAgain);
    if (isClosed) await endQuietly(fresh);
  }

  function takeAgain(): void {
    if (isClosed) return;
    retry = setTimeout(() => {
      take().catch((error: unknown) => {
        log.warn({ reason: String(error) }, "the lock of the one service is not held right now");
        takeAgain();
      });
    }, reconnectMs);
  }

  await take();
  return async () => {
    isClosed = true;
    if (retry) clearTimeout(retry);
    if (client) await endQuietly(client);
  };
}

function explain(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== lockTimedOut) return error;
  const advice = "stop it, or set DATABASE_URL: several services work on one external database";
  return new AppError("unavailable", `another service answers from this data folder; ${advice}`);
}

async function endQuietly(client: pg.Client): Promise<void> {
  // A connection that broke before has nothing left to end.
  await client.end().catch(() => {});
}
