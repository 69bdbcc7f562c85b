// Connections to the servers of a Citus, past its coordinator. One that can't be reached from here is no failure: the
// coordinator answers in its place, and it is tried again now and then.
import type pg from "pg";
import { monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs } from "../lib/timestamp.ts";
import { type Connection, createPool } from "./pool.ts";

/** As the Citus names it, with the group of servers that it is known by. */
export type ServerAddress = { host: string; port: number; groupId: number };

export type ShardServers = {
  /** null while it is not known to be reached; no caller waits for that. */
  find(address: ServerAddress): pg.Pool | null;
  /** It did not answer as it should. */
  suspend(address: ServerAddress, error: unknown): void;
  close(): Promise<void>;
};

type Server = { pool: pg.Pool; isReached: boolean; triedAtMs: number; trial: Promise<void> };

const againMs = minuteMs / 2;

export function openShardServers(options: {
  log: Log;
  /** To the coordinator, past a pooler: the others are reached by the same account. */
  connection: Connection;
  connectionCountMax: number;
  name: string;
  onConnect: string;
}): ShardServers {
  const { log, connection } = options;
  const servers = new Map<string, Server>();
  const keyOf = ({ host, port }: ServerAddress): string => `${host}:${port}`;

  function report(address: ServerAddress, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const what = "a server of the Citus can't be used: pages of its rows come from the coordinator";
    log.warn({ server: keyOf(address), reason }, what);
  }

  // The name can mean another server here than it does for the coordinator.
  async function tryOut(server: Server, address: ServerAddress): Promise<void> {
    try {
      const { rows } = await server.pool.query<{ groupId: number }>(
        'select groupid as "groupId" from pg_dist_local_group',
      );
      if (rows[0]?.groupId !== address.groupId) throw new Error("another server has this name");
      server.isReached = true;
      log.info({ server: keyOf(address) }, "pages are read from a server of the Citus");
    } catch (error) {
      report(address, error);
    }
  }

  return {
    find(address) {
      const key = keyOf(address);
      let server = servers.get(key);
      if (!server) {
        const pool = createPool({ ...options, connection: connectionTo(connection, address) });
        const triedAtMs = Number.NEGATIVE_INFINITY;
        server = { pool, isReached: false, triedAtMs, trial: Promise.resolve() };
        servers.set(key, server);
      }
      if (server.isReached) return server.pool;
      if (monotonicMs() - server.triedAtMs >= againMs) {
        server.triedAtMs = monotonicMs();
        server.trial = tryOut(server, address);
      }
      return null;
    },
    suspend(address, error) {
      report(address, error);
      const server = servers.get(keyOf(address));
      if (!server) return;
      server.isReached = false;
      server.triedAtMs = monotonicMs();
    },
    async close() {
      for (const { pool, trial } of servers.values()) {
        await trial;
        await pool.end();
      }
    },
  };
}

function connectionTo(connection: Connection, { host, port }: ServerAddress): Connection {
  const { connectionString, servers: _, ...rest } = connection;
  if (connectionString === undefined) return { ...rest, host, port };
  const url = new URL(connectionString);
  // The folder of a socket, which comes first where there is one.
  url.searchParams.delete("host");
  url.hostname = host.includes(":") ? `[${host}]` : host;
  url.port = String(port);
  return { ...rest, connectionString: url.href };
}
