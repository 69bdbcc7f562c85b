// The open database: every repository and read model as a method, in or out of a transaction. Consumers
// declare the part that they need: `Pick<Database, "listApps">`.

import type pg from "pg";
import { AppError, RateLimitedError } from "../domain/error.ts";
import { keepRecent } from "../lib/bounded-map.ts";
import { createCachedValue } from "../lib/cached-value.ts";
import { monotonicMs, systemClock } from "../lib/clock.ts";
import { systemDelay } from "../lib/delay.ts";
import { createFairQueue, type Turn } from "../lib/fair-queue.ts";
import type { Log } from "../lib/log.ts";
import { isLockTimeout, isStatementTimeout } from "../lib/postgres/sql-errors.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import { withLastWrites } from "./cluster/last-writes.ts";
import { isMigrated, migrateDatabase, requireMigrated } from "./migrate.ts";
import { assertNotHeld, whileHolding } from "./nested-use.ts";
import {
  type ChangeNotifications,
  openChangeNotifications,
} from "./platform/change-notifications.ts";
import { type Connection, createPool, type DatabaseAccess } from "./pool.ts";
import { type Db, ofDatabase } from "./query.ts";
import { openReadReplica, type ReadReplica } from "./read-replica.ts";
import { requireUsable, requireWritable } from "./requirements.ts";
import { bind, bindOnce, type DatabaseTransaction } from "./statements.ts";
import { inTransaction } from "./transaction.ts";

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
    /**
     * On connections that no reading of reviews can take: keys, limits, sessions, health. A statement that waits there for
     * a lock is refused with RateLimitedError at once: changes of a workspace belong on `forWorkspace`.
     */
    control(): Database;
    /**
     * For the requests of one workspace, which take turns and whose statements end after ten seconds. A statement or
     * transaction that gets no turn or lock, or ends, is refused with RateLimitedError. All workspaces of
     * one owner leave connections to others. See `fair-queue.ts`.
     */
    forWorkspace(workspaceId: string): Database;
    /** See `migrate.ts`. */
    migrate(): Promise<string[]>;
    isMigrated(): Promise<boolean>;
    requireMigrated(): Promise<void>;
    /** See `requirements.ts`. */
    requireUsable(): Promise<void>;
    requireWritable(): Promise<void>;
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
  const named = (name: string, countMax: number, limits = {}): pg.Pool =>
    createPool({
      ...options,
      name,
      connectionCountMax: Math.min(countMax, connectionCountMax),
      ...limits,
    });
  const ofRequests = { statementMsMax: requestStatementMsMax, lockPatienceMs: 0 };
  const pool = named("starpost", workConnectionCount);
  const requestPool = named("starpost-requests", connectionCountMax, ofRequests);
  const controlPool = named("starpost-control", controlConnectionCount, ofRequests);
  const pools = [pool, requestPool, controlPool];
  const requests = bindPool(requestPool);
  const { close: closeNotifications, ...notifications } = openChangeNotifications({
    log,
    connection,
    pool: controlPool,
  });
  const takeTurn = openRequestTurns(connectionCountMax);
  const controlStatements = bindPool(controlPool);
  const findOwner = keepOwners(controlStatements);
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
  const common: Omit<Database, keyof Statements> = {
    ...notifications,
    control: () => control,
    forWorkspace(workspaceId) {
      const take: TakeTurn = async (work) => {
        assertNotHeld(requestPool);
        const turn = { line: workspaceId, owner: await findOwner(workspaceId) };
        return untilUnlocked(() => takeTurn(turn, work));
      };
      const own = { ...common, openReader: () => inTurns(openReader(), take) };
      return inTurns(requested, take, own);
    },
    openReader,
    migrate: () => migrateDatabase(options),
    isMigrated: () => isMigrated(controlPool),
    requireMigrated: () => requireMigrated(controlPool),
    requireUsable: () => ofDatabase(requireUsable(controlPool, { writes: true })),
    requireWritable: () => requireWritable(controlPool),
    openDeliveryQueue: () => openDeliveryQueue(direct),
    connectionCounts: () => countConnections(pools),
    async close() {
      await closeNotifications();
      await replica?.close();
      await Promise.all(pools.map((one) => one.end()));
    },
  };
  const requested: Database = { ...requests, ...common };
  const controlled = { ...inLinesOfKeys(controlStatements), ...common };
  const control = inTurns(controlled, (work) => untilUnlocked(work, 0), common);
  return { ...bindPool(pool), ...common };
}

const waitingMax = 1_000;
const tooMany = (): AppError => new RateLimitedError("Too many requests at a time.", 5);
/** The turns of a workspace, or of a key. Inside of a transaction only its own statements may run: it would wait for itself. */
const ownLine = {
  perLineMax: 2,
  waitMsMax: 5 * secondMs,
  admit({ line }: Turn, waiting: readonly Turn[]): void {
    if (waiting.filter((other) => other.line === line).length >= waitingMax) throw tooMany();
  },
  refuse: tooMany,
};
/** A page of reviews takes some hundredths. */
const muchMs = 2 * secondMs;
const shareOfMuch = 0.6;

const openRequestTurns = (connectionCount: number) =>
  createFairQueue({
    ...ownLine,
    slotCount: connectionCount,
    much: { ms: muchMs, slotCount: Math.max(1, Math.floor(connectionCount * shareOfMuch)) },
  });

/** For workers and commands. */
const workConnectionCount = 8;
const controlConnectionCount = 3;
/** Longer than readers wait for a page. */
const requestStatementMsMax = 10 * secondMs;

function countConnections(pools: readonly pg.Pool[]) {
  const count = (name: "totalCount" | "idleCount" | "waitingCount"): number =>
    pools.reduce((sum, one) => sum + one[name], 0);
  return { open: count("totalCount"), idle: count("idleCount"), waiting: count("waitingCount") };
}

function bindPool(pool: pg.Pool): Statements {
  return {
    ...bind(pool),
    transaction: async (work) => {
      assertNotHeld(pool);
      const inside = (db: pg.PoolClient) =>
        whileHolding(pool, () => withLastWrites(db, () => work(bindOnce(db))));
      return inTransaction(pool, inside);
    },
  };
}

/** Statements of one key wait for its row: without a line of their own they would hold all connections meanwhile. */
function inLinesOfKeys(bound: Statements): Statements {
  const takeTurn = createFairQueue({ ...ownLine, slotCount: Number.POSITIVE_INFINITY });
  const { findApiKeyOwner, takeRatePermit } = bound;
  return {
    ...bound,
    findApiKeyOwner: (query) =>
      takeTurn({ line: query.hash.toString("base64") }, () => findApiKeyOwner(query)),
    takeRatePermit: (take) => takeTurn({ line: take.key }, () => takeRatePermit(take)),
  };
}

const ownerKeptMs = minuteMs;
const ownersKeptMax = 1_000;

/** The use of connections counts for the first owner of a workspace, because one person can have many. */
function keepOwners({ listMembers }: Pick<DatabaseTransaction, "listMembers">) {
  const kept = new Map<string, () => Promise<string>>();
  return (workspaceId: string): Promise<string> => {
    const known = kept.get(workspaceId);
    if (known) return known();
    const find = createCachedValue({ clock: systemClock, cachedMs: ownerKeptMs }, async () => {
      const owner = (await listMembers(workspaceId)).find(({ role }) => role === "owner");
      return owner?.userId ?? workspaceId;
    });
    keepRecent(kept, { key: workspaceId, value: find, countMax: ownersKeptMax });
    return find();
  };
}

type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** The same statements, each of which takes a turn first; `own` are not statements. */
function inTurns<Bound extends object>(
  bound: Bound,
  take: TakeTurn,
  own: Partial<Bound> = {},
): Bound {
  return new Proxy(bound, {
    get(target, name, receiver) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const run: unknown = Reflect.get(target, name, receiver);
      if (typeof run !== "function") return run;
      if (name === "with") return (statements: object) => inTurns(run(statements), take);
      return (...args: unknown[]) => take(async () => run(...args));
    },
  });
}

const requestLockMsMax = 5 * secondMs;
const lockPauseMs = 100;

/**
 * Work that waits for a lock gives its turn back and takes another one, for that long.
 *
 * @throws RateLimitedError for work that gets no lock, and for a statement that PostgreSQL ended
 */
async function untilUnlocked<T>(work: () => Promise<T>, patienceMs = requestLockMsMax): Promise<T> {
  const startedMs = monotonicMs();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof AppError ? error.cause : null;
      if (isStatementTimeout(cause))
        throw new RateLimitedError("This takes too long: ask for less, such as fewer days.", 10);
      if (!isLockTimeout(cause)) throw error;
      if (monotonicMs() - startedMs >= patienceMs)
        throw new RateLimitedError("Another change is being made: try again in a moment.", 1);
    }
    await systemDelay(lockPauseMs);
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
