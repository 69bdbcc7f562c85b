// Pools of connections, each with a name that PostgreSQL shows and limits on waiting and statements.
import pg from "pg";
import type { Log } from "../lib/log.ts";
import { PrimaryClient, type PrimaryConfig } from "../lib/postgres/primary-client.ts";
import { typeParsers } from "./values.ts";

/** Where the database is: `connectionString`, or the parts of one; `servers` where there are several. */
export type Connection = PrimaryConfig;

/** How the database is reached. */
export type DatabaseAccess = {
  connection: Connection;
  /** Past a pooler, for what needs a session of its own; `connection` by default. */
  directConnection?: Connection;
  /** Behind a pooler in transaction mode, where nothing of a session lasts; `connection` only. */
  isPooled?: boolean;
  connectionCountMax?: number;
  /** To read pages from the first of these standbys that is at most so far behind. */
  standby?: { connections: readonly Connection[]; lagMaxMs: number };
};

/** To get a connection, a new one or one that others use. */
export const connectMsMax = 5_000;

// A query that hangs must not hold a connection for ever. Behind a pooler, which refuses settings of a
// session, the account's own settings do this.
const statementMsMaxDefault = 60_000;

/** The driver reads moments in this style alone, whatever the server, the database or the role has. */
const sessionStyles = "set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'";

// A server that says nothing for longer than any statement may take is behind a link that died in silence: TCP would
// wait a quarter of an hour for it. Probes find out earlier where nothing is under way.
const answerMsMax = 65_000;
const probeAfterMs = 10_000;

/** Behind a pooler the next statement may run on another server connection, which knows no names. */
class ClientWithoutNames extends PrimaryClient {
  // The driver's overloads come down to one: a statement, and what it is called with.
  override query(...args: unknown[]): never {
    const [statement, ...rest] = args;
    const isNamed = typeof statement === "object" && statement !== null && "name" in statement;
    const unnamed = isNamed ? { ...statement, name: undefined } : statement;
    return Reflect.apply(super.query, this, [unnamed, ...rest]) as never;
  }
}

/**
 * How long a statement waits for a lock while it holds a connection. Longer waits are tried again without one, or refused:
 * the lock of one tenant must not take the connections of all.
 */
export const lockMsMax = 200;

export class Pool extends pg.Pool {
  /** How long a statement or transaction that waits for a lock is tried again. */
  lockPatienceMs = 0;
}

export function createPool(options: {
  log: Log;
  connection: Connection;
  connectionCountMax?: number | undefined;
  isPooled?: boolean | undefined;
  name: string;
  /** How long a statement may take that is not part of a transaction. */
  statementMsMax?: number | undefined;
  /** How long an answer may take; 0 waits for ever. */
  answerMsMax?: number;
  /** The statements that each connection runs before it is used. */
  onConnect?: string;
  /** See `Pool`. */
  lockPatienceMs?: number;
}): Pool {
  const { log, connection, connectionCountMax = 10, isPooled = false, onConnect = "" } = options;
  const { statementMsMax = statementMsMaxDefault } = options;
  const { lockPatienceMs = statementMsMaxDefault } = options;
  const pool = new Pool({
    ...connection,
    ...(isPooled
      ? { Client: ClientWithoutNames }
      : { statement_timeout: statementMsMax, lock_timeout: lockMsMax, Client: PrimaryClient }),
    onConnect: (client) => client.query(`${sessionStyles}; ${onConnect}`).then(() => {}),
    types: typeParsers,
    max: connectionCountMax,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: options.answerMsMax ?? answerMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: probeAfterMs,
    application_name: options.name,
  });
  pool.lockPatienceMs = lockPatienceMs;
  // An idle connection that breaks is replaced by the pool at the next query.
  pool.on("error", (error) => log.warn({ reason: error.message }, "a database connection broke"));
  return pool;
}
