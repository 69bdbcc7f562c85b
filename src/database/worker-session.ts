// The database session that stands for a process which delivers: it holds an advisory lock on the number of its
// worker. A process that is killed loses the session at once, and others need not wait for its lease to end.
import pg from "pg";
import type { Log } from "../lib/log.ts";

// An arbitrary constant, the first half of the lock; the worker's number is the second.
export const workerLock = 7_215_003;
// Others wait a second before they believe that a worker is gone.
const reconnectMs = 200;

export type WorkerSession = {
  workerId: number;
  close(): Promise<void>;
};

/**
 * Registers a worker and holds its lock until it is closed, also over cut connections.
 * @throws AppError `unavailable` while the database is away
 */
export async function openWorkerSession(open: {
  log: Log;
  connection: { connectionString: string } | pg.ClientConfig;
  leaseMs: number;
}): Promise<WorkerSession> {
  let isClosed = false;
  let client = await connect();
  let retry: NodeJS.Timeout | null = null;
  const { rows } = await client.query<{ id: number }>(
    `insert into delivery_workers (leased_until)
     values (clock_timestamp() + $1 * interval '1 ms') returning id`,
    [open.leaseMs],
  );
  const workerId = rows[0]?.id ?? 0;
  await hold(client);

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      ...open.connection,
      application_name: "starpost-delivery",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    fresh.on("error", (error) =>
      open.log.warn({ reason: error.message }, "the session of the delivery worker broke off"),
    );
    try {
      await fresh.connect();
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    return fresh;
  }

  async function hold(fresh: pg.Client): Promise<void> {
    fresh.once("end", reconnect);
    await fresh.query("select pg_advisory_lock($1, $2)", [workerLock, workerId]);
  }

  function reconnect(): void {
    if (isClosed) return;
    connect()
      .then(async (fresh) => {
        client = fresh;
        if (isClosed) await fresh.end();
        else await hold(fresh);
      })
      .catch((error: unknown) => {
        open.log.warn({ reason: String(error) }, "the delivery worker has no session right now");
        if (!isClosed) retry = setTimeout(reconnect, reconnectMs);
      });
  }

  return {
    workerId,
    async close() {
      isClosed = true;
      if (retry) clearTimeout(retry);
      // A connection that broke before has nothing left to end.
      await client.query("delete from delivery_workers where id = $1", [workerId]).catch(() => {});
      await client.end().catch(() => {});
    },
  };
}
