// The database session that represents a delivering process: it holds an advisory lock on the number of its
// worker. A process that is killed loses the session at once, and others need not wait for its lease to end.
import type pg from "pg";
import type { Log } from "../../lib/log.ts";
import { ReconnectingConnection } from "../../lib/postgres/reconnecting-connection.ts";
import { advisoryLocks } from "../platform/locks.ts";

export type WorkerSession = {
  workerId: number;
  close(): Promise<void>;
};

/**
 * Registers a worker and holds its lock until it is closed, also over cut connections.
 * @throws what connecting threw
 */
export async function openWorkerSession(options: {
  log: Log;
  connection: pg.ClientConfig;
  leaseMs: number;
}): Promise<WorkerSession> {
  let workerId: number | null = null;
  const connection = new ReconnectingConnection({
    log: options.log,
    name: "the session of the delivery worker",
    config: () => ({ ...options.connection, application_name: "starpost-delivery" }),
    async prepare(client) {
      workerId ??= await register(client, options.leaseMs);
      await client.query("select pg_advisory_lock($1, $2)", [
        advisoryLocks.deliveryWorker,
        workerId,
      ]);
    },
  });
  await connection.connect();
  return {
    workerId: workerId ?? 0,
    async close() {
      const client = await connection.detach();
      // Other processes remove the leftovers of a lost session.
      await client?.query("delete from delivery_workers where id = $1", [workerId]).catch(() => {});
      await client?.end().catch(() => {});
    },
  };
}

async function register(client: pg.Client, leaseMs: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into delivery_workers (leased_until)
     values (clock_timestamp() + $1 * interval '1 ms') returning id`,
    [leaseMs],
  );
  if (!rows[0]) throw new Error("an insert that returns a row returned none");
  return rows[0].id;
}
