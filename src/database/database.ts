// The open database: every repository and read model as a method, in or out of a transaction. Consumers
// declare the part that they need: `Pick<Database, "listApps">`.

import type pg from "pg";
import { AppError, RateLimitedError } from "../domain/error.ts";
import type { Log } from "../lib/log.ts";
import { isStatementTimeout } from "../lib/postgres/sql-errors.ts";
import { secondMs } from "../lib/timestamp.ts";
import { withLastWrites } from "./cluster/last-writes.ts";
import { isMigrated, migrateDatabase } from "./migrate.ts";
import {
  type ChangeNotifications,
  openChangeNotifications,
} from "./platform/change-notifications.ts";
import { type Connection, createPool, type DatabaseAccess } from "./pool.ts";
import type { Db } from "./query.ts";
import { openReadReplica, type ReadReplica } from "./read-replica.ts";
import { bind, bindOnce, type DatabaseTransaction } from "./statements.ts";
import { inTransaction } from "./transaction.ts";
import { createWorkspaceTurns } from "./workspace-turns.ts";

export type { DatabaseTransaction };

type Statements = DatabaseTransaction & {
  /**
   * All statements of `tx` take effect together or not at all. No outside request inside; `work` may run
   * more than once, see `transaction.ts`.
   */
  transaction<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
};

/** Its own statements are those of workers and commands: they wait for each other, and for nothing that a request asks. */
export type Database = Statements &
  ChangeNotifications & {
    /** On connections that no reading of reviews can take: keys, limits, sessions, health. */
    control(): Database;
    /**
     * For the requests of one workspace, which take turns and whose statements end after ten seconds. A statement or
     * transaction that gets no turn, or ends, is refused with RateLimitedError. See `workspace-turns.ts`.
     */
    forWorkspace(workspaceId: string): Database;
    /** See `migrate.ts`. */
    migrate(): Promise<string[]>;
    isMigrated(): Promise<boolean>;
    /**
     * For the reads of one request, which may be as old as the standby is allowed to be; without a standby the
     * database itself. It writes nothing. See `read-replica.ts`.
     */
    openReader(): DatabaseTransaction;
    /** Connections of their own for delivering, with the plans that a queue needs. */
    openDeliveryQueue(): DeliveryQueue;
    /** The figures of this process: connections, and queries that wait for one. */
    connectionCounts(): { open: number; idle: number; waiting: number };
    close(): Promise<void>;
  };

export type DeliveryQueue = DatabaseTransaction & {
  transaction<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export async function openDatabase(options: DatabaseAccess & { log: Log }): Promise<Database> {
  const { log, directConnection: connection = options.connection } = options;
  const { connectionCountMax = 10 } = options;
  const direct = { log, connection };
  const named = (name: string, countMax: number, statementMsMax?: number): pg.Pool =>
    createPool({
      ...options,
      name,
      connectionCountMax: Math.min(countMax, connectionCountMax),
      statementMsMax,
    });
  const pool = named("starpost", workConnectionCount);
  const requestPool = named("starpost-requests", connectionCountMax, requestStatementMsMax);
  const controlPool = named("starpost-control", controlConnectionCount);
  const pools = [pool, requestPool, controlPool];
  const requests = bindPool(requestPool);
  const { close: closeNotifications, ...notifications } = openChangeNotifications({
    log,
    connection,
    pool: controlPool,
  });
  const takeTurn = createWorkspaceTurns(connectionCountMax);
  let replica: ReadReplica | null = null;
  let reader: { db: Db; bound: DatabaseTransaction } | null = null;
  function openReader(): DatabaseTransaction {
    if (!options.standby) return requests;
    // Only processes that read pages compare the standby with the primary all the time.
    replica ??= openStandby({ ...options, primary: controlPool }, options.standby);
    const db = replica.openReader();
    if (db === null) return requests;
    if (reader?.db !== db) reader = { db, bound: bind(db) };
    return reader.bound;
  }
  const count = (name: "totalCount" | "idleCount" | "waitingCount"): number =>
    pools.reduce((sum, one) => sum + one[name], 0);
  const common: Omit<Database, keyof Statements> = {
    ...notifications,
    control: () => control,
    forWorkspace(workspaceId) {
      const take: TakeTurn = (work) => refuseSlow(takeTurn(workspaceId, work));
      const own = { ...common, openReader: () => inTurns(openReader(), take) };
      return inTurns(requested, take, own);
    },
    openReader,
    migrate: () => migrateDatabase(options),
    isMigrated: () => isMigrated(controlPool),
    openDeliveryQueue: () => openDeliveryQueue(direct),
    connectionCounts: () => ({
      open: count("totalCount"),
      idle: count("idleCount"),
      waiting: count("waitingCount"),
    }),
    async close() {
      await closeNotifications();
      await replica?.close();
      await Promise.all(pools.map((one) => one.end()));
    },
  };
  const requested: Database = { ...requests, ...common };
  const control: Database = { ...inLinesOfKeys(bindPool(controlPool)), ...common };
  return { ...bindPool(pool), ...common };
}

/** For workers and commands. */
const workConnectionCount = 8;
const controlConnectionCount = 3;
/** Longer than readers wait for a page. */
const requestStatementMsMax = 10 * secondMs;

function bindPool(pool: pg.Pool): Statements {
  return {
    ...bind(pool),
    transaction: (work) =>
      inTransaction(pool, (db) => withLastWrites(db, () => work(bindOnce(db)))),
  };
}

/** Statements of one key wait for its row: without a line of their own they would hold all connections meanwhile. */
function inLinesOfKeys(bound: Statements): Statements {
  const takeTurn = createWorkspaceTurns();
  const { findApiKeyOwner, takeRatePermit } = bound;
  return {
    ...bound,
    findApiKeyOwner: (query) =>
      takeTurn(query.hash.toString("base64"), () => findApiKeyOwner(query)),
    takeRatePermit: (take) => takeTurn(take.key, () => takeRatePermit(take)),
  };
}

type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** The same statements, each of which takes a turn first; `own` are not statements. */
function inTurns<Bound extends DatabaseTransaction>(
  bound: Bound,
  take: TakeTurn,
  own: Partial<Bound> = {},
): Bound {
  return new Proxy(bound, {
    get(target, name, receiver) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const run: unknown = Reflect.get(target, name, receiver);
      if (typeof run !== "function") return run;
      return (...args: unknown[]) => take(async () => run(...args));
    },
  });
}

/** @throws RateLimitedError for a statement that PostgreSQL ended */
async function refuseSlow<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError && isStatementTimeout(error.cause))) throw error;
    throw new RateLimitedError("This takes too long: ask for less, such as fewer days.", 10);
  }
}

function openStandby(
  options: DatabaseAccess & { log: Log; primary: pg.Pool },
  { connections, lagMaxMs }: NonNullable<DatabaseAccess["standby"]>,
): ReadReplica {
  // One that doesn't answer is given up.
  const standbys = connections.map((connection) =>
    createPool({
      ...options,
      connection: { ...connection, query_timeout: lagMaxMs },
      name: "starpost-standby",
    }),
  );
  return openReadReplica({ ...options, standbys, lagMaxMs });
}

// A queue is empty one moment and holds a million rows the next, which no statistics can follow: everything is
// found by its index, in plans that are made once.
export const queuePlans = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set enable_memoize = off; set enable_sort = off; set plan_cache_mode = force_generic_plan; set jit = off`;
const queueConnectionCount = 3;

function openDeliveryQueue(options: { log: Log; connection: Connection }): DeliveryQueue {
  const pool = createPool({
    ...options,
    connectionCountMax: queueConnectionCount,
    name: "starpost-delivery",
    onConnect: queuePlans,
  });
  return { ...bindPool(pool), close: () => pool.end() };
}
