// Connections to the servers of a Citus, past its coordinator. One that can't be reached from here is no failure: the
// coordinator answers in its place, and it is tried again now and then.
import type pg from "pg";
import { monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs } from "../lib/timestamp.ts";
import { type Connection, createPool } from "./pool.ts";

export type ServerAddress = { host: string; port: number };

export type ShardServers = {
  /** null while it is not known to be reached; no caller waits for that. */
  find(address: ServerAddress): pg.Pool | null;
  /** It did not answer. */
  suspend(address: ServerAddress): void;
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

  async function tryOut(server: Server, key: string): Promise<void> {
    try {
      await server.pool.query("select");
      server.isReached = true;
      log.info({ server: key }, "pages are read from a server of the Citus");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const facts = { server: key, reason };
      log.warn(
        facts,
        "a server of the Citus can't be reached: pages of its rows are read from the coordinator",
      );
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
        server.trial = tryOut(server, key);
      }
      return null;
    },
    suspend(address) {
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
