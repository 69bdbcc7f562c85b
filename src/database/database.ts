// The open database: every repository and read model as a method, in or out of a transaction. Consumers
// declare the part that they need: `Pick<Database, "listApps">`.

import type pg from "pg";
import type { Log } from "../lib/log.ts";
import { openWorkerSession, type WorkerSession } from "./delivery/worker-session.ts";
import { isMigrated, migrateDatabase } from "./migrate.ts";
import {
  type ChangeNotifications,
  openChangeNotifications,
} from "./platform/change-notifications.ts";
import { type Connection, createPool, type DatabaseAccess } from "./pool.ts";
import type { Db } from "./query.ts";
import { openReadReplica, type ReadReplica } from "./read-replica.ts";
import { isPlannedOnce } from "./reviews/review-page-sql.ts";
import { listReviewPage } from "./reviews/review-pages.ts";
import type { PageQuery, ReviewPage } from "./reviews/review-ranges.ts";
import { bind, bindOnce, type DatabaseTransaction } from "./statements.ts";
import { inTransaction } from "./transaction.ts";

export type { DatabaseTransaction };

export type Database = DatabaseTransaction &
  ChangeNotifications & {
    /**
     * All statements of `tx` take effect together or not at all. No outside request inside; `work` may run
     * more than once, see `transaction.ts`.
     */
    transaction<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
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

export type DeliveryQueue = Omit<DatabaseTransaction, "saveOutcomes"> & {
  /** @param save.awaitsDisk whether the commit waits for the disk */
  saveOutcomes(
    save: Parameters<DatabaseTransaction["saveOutcomes"]>[0] & { awaitsDisk: boolean },
  ): ReturnType<DatabaseTransaction["saveOutcomes"]>;
  transaction<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
  /** See `delivery/worker-session.ts`. */
  openSession(options: { leaseMs: number }): Promise<WorkerSession>;
  close(): Promise<void>;
};

export async function openDatabase(options: DatabaseAccess & { log: Log }): Promise<Database> {
  const { log, directConnection: connection = options.connection } = options;
  const direct = { log, connection };
  const pool = createPool({ ...options, name: "starpost" });
  const { close: closeNotifications, ...notifications } = openChangeNotifications({
    log,
    connection,
    pool,
  });
  const bound = bind(pool);
  const pages = openPages(options, pool);
  const onPages: DatabaseTransaction = {
    ...bound,
    listFollowedApps: pages.bound.listFollowedApps,
    listReviewPage: pages.listReviewPage,
  };
  let replica: ReadReplica | null = null;
  let reader: { db: Db; bound: DatabaseTransaction } | null = null;
  function openReader(): DatabaseTransaction {
    if (!options.standby) return onPages;
    // Only processes that read pages compare the standby with the primary all the time.
    replica ??= openStandby({ ...options, primary: pool }, options.standby);
    const db = replica.openReader();
    if (db === null) return onPages;
    if (reader?.db !== db) reader = { db, bound: bind(db) };
    return reader.bound;
  }
  return {
    ...onPages,
    ...notifications,
    openReader,
    transaction: (work) => inTransaction(pool, (db) => work(bindOnce(db))),
    migrate: () => migrateDatabase(options),
    isMigrated: () => isMigrated(pool),
    openDeliveryQueue: () => openDeliveryQueue(direct),
    connectionCounts: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      await closeNotifications();
      await replica?.close();
      await pages.close();
      await pool.end();
    },
  };
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

const pageConnectionCount = 4;

// Citus plans for known values alone, except the simplest statements: it decides by itself which those are.
const keepPlans = `select set_config('plan_cache_mode',
  (select case when is_distributed then 'auto' else 'force_generic_plan' end from distribution), false)`;

/**
 * Pages of one app have connections of their own, opened by the first: each statement is planned once, because
 * planning takes longer than reading a page. Behind a pooler nothing of a session lasts, and no plan either.
 */
function openPages(options: DatabaseAccess & { log: Log }, main: pg.Pool) {
  const connectionCountMax = Math.min(pageConnectionCount, options.connectionCountMax ?? Infinity);
  const pool = createPool({
    ...options,
    connectionCountMax,
    name: "starpost-pages",
    ...(options.isPooled ? {} : { onConnect: keepPlans }),
  });
  return {
    bound: bind(pool),
    listReviewPage: (query: PageQuery): Promise<ReviewPage> =>
      listReviewPage(isPlannedOnce(query) ? pool : main, query),
    close: () => pool.end(),
  };
}

// A queue is empty one moment and holds a million rows the next, which no statistics can follow: everything is
// found by its index, in plans that are made once.
export const queuePlans = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set enable_memoize = off; set enable_sort = off; ${keepPlans}; set jit = off`;
const queueConnectionCount = 3;
const relaxedConnectionCount = 2;

/**
 * A commit that waits for the disk costs as much as the rest of a small batch. One that does not survives the end of this
 * process as well: only a crash of PostgreSQL may forget a claim, which is then made again, or a success, which is then
 * sent again.
 */
function openDeliveryQueue(options: { log: Log; connection: Connection }): DeliveryQueue {
  const pool = createPool({
    ...options,
    connectionCountMax: queueConnectionCount,
    name: "starpost-delivery",
    onConnect: queuePlans,
  });
  const relaxedPool = createPool({
    ...options,
    connectionCountMax: relaxedConnectionCount,
    name: "starpost-delivery-relaxed",
    onConnect: `${queuePlans}; set synchronous_commit = off`,
  });
  const bound = bind(pool);
  const relaxed = bind(relaxedPool);
  const transaction: DeliveryQueue["transaction"] = (work) =>
    inTransaction(pool, (db) => work(bindOnce(db)));
  return {
    ...bound,
    claimDeliveries: relaxed.claimDeliveries,
    saveOutcomes: ({ awaitsDisk, ...save }) => (awaitsDisk ? bound : relaxed).saveOutcomes(save),
    transaction,
    openSession: ({ leaseMs }) => openWorkerSession({ ...options, leaseMs }),
    async close() {
      await Promise.all([pool.end(), relaxedPool.end()]);
    },
  };
}
