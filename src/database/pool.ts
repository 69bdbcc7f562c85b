// Pools of connections, each with a name that PostgreSQL shows and limits on waiting and statements.
import pg from "pg";
import type { Log } from "../lib/log.ts";
import { typeParsers } from "./type-parsers.ts";

/** Where the database is: `connectionString`, or the parts of one. */
export type Connection = pg.ClientConfig;

const statementTimeoutMs = 60_000;

export function createPool(options: {
  log: Log;
  connection: Connection;
  connectionCountMax?: number;
  name: string;
  /** What each connection does before it is used. */
  onConnect?: string;
}): pg.Pool {
  const { log, connection, connectionCountMax = 10, onConnect } = options;
  const pool = new pg.Pool({
    ...connection,
    ...(onConnect ? { onConnect: (client) => client.query(onConnect).then(() => {}) } : {}),
    types: typeParsers,
    max: connectionCountMax,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // A query that hangs must not hold a connection for ever.
    statement_timeout: statementTimeoutMs,
    application_name: options.name,
  });
  // An idle connection that breaks is replaced by the pool at the next query.
  pool.on("error", (error) => log.warn({ reason: error.message }, "a database connection broke"));
  return pool;
}
