// The door of this room: one open database with every statement as a method, in or out of a
// transaction. Consumers name the part they need: `Pick<Keep, "listApps">`.
import pg from "pg";
import { isPlainAttempt } from "../domain/delivery.ts";
import type { Log } from "../lib/log.ts";
import { type Notices, openNotices } from "./change-notifications.ts";
import { type Db, inTransaction, typeParsers } from "./db.ts";
import { isMigrated, migrate } from "./migrate.ts";
import * as channelCounts from "./read-models/channel-counts.ts";
import * as deliveryLog from "./read-models/delivery-log.ts";
import * as overview from "./read-models/overview.ts";
import * as feedReviews from "./read-models/review-feed.ts";
import * as reviewPages from "./read-models/review-pages.ts";
import * as reviewSearch from "./read-models/review-search.ts";
import * as serviceFigures from "./read-models/service-metrics.ts";
import * as trends from "./read-models/trends.ts";
import * as analysisBacklog from "./repositories/analysis-backlog.ts";
import * as apiKeys from "./repositories/api-keys.ts";
import * as appVersions from "./repositories/app-versions.ts";
import * as apps from "./repositories/apps.ts";
import * as audit from "./repositories/audit.ts";
import * as channelReviews from "./repositories/channel-reviews.ts";
import * as channelSecrets from "./repositories/channel-secrets.ts";
import * as channels from "./repositories/channels.ts";
import * as credentials from "./repositories/credentials.ts";
import * as deliveries from "./repositories/deliveries.ts";
import * as deliveryChanges from "./repositories/delivery-changes.ts";
import * as deliveryLeases from "./repositories/delivery-leases.ts";
import * as deliveryOutcomes from "./repositories/delivery-outcomes.ts";
import * as deliveryRetention from "./repositories/delivery-retention.ts";
import * as dueDeliveries from "./repositories/due-deliveries.ts";
import * as sealedSecrets from "./repositories/encrypted-secrets.ts";
import * as encryptionKeys from "./repositories/encryption-keys.ts";
import * as feeds from "./repositories/feeds.ts";
import * as adaptations from "./repositories/fine-tuning.ts";
import * as invitations from "./repositories/invitations.ts";
import * as listings from "./repositories/listings.ts";
import * as signInTries from "./repositories/login-attempts.ts";
import * as members from "./repositories/members.ts";
import * as providerJobs from "./repositories/provider-jobs.ts";
import * as providerStates from "./repositories/provider-states.ts";
import * as rateWindows from "./repositories/rate-windows.ts";
import * as reviews from "./repositories/reviews.ts";
import * as rollups from "./repositories/rollups.ts";
import * as sessions from "./repositories/sessions.ts";
import * as snapshots from "./repositories/snapshots.ts";
import * as translations from "./repositories/translations.ts";
import * as users from "./repositories/users.ts";
import * as workspaces from "./repositories/workspaces.ts";
import { holdSoleService } from "./sole-service.ts";
import { openWorkerSession, type WorkerSession } from "./worker-session.ts";

const statements = {
  ...adaptations,
  ...analysisBacklog,
  ...apiKeys,
  ...apps,
  ...reviewSearch,
  ...overview,
  ...feedReviews,
  ...channelCounts,
  ...users,
  ...signInTries,
  ...sessions,
  ...members,
  ...invitations,
  ...appVersions,
  ...audit,
  ...channelReviews,
  ...channels,
  ...credentials,
  ...deliveries,
  ...channelSecrets,
  ...deliveryChanges,
  ...deliveryLeases,
  ...deliveryLog,
  ...deliveryOutcomes,
  ...deliveryRetention,
  ...dueDeliveries,
  ...encryptionKeys,
  ...feeds,
  ...listings,
  ...providerJobs,
  ...providerStates,
  ...rateWindows,
  ...reviewPages,
  ...reviews,
  ...rollups,
  ...sealedSecrets,
  ...serviceFigures,
  ...snapshots,
  ...translations,
  ...trends,
  ...workspaces,
};

type Bound<M> = {
  [K in keyof M]: M[K] extends (db: Db, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Every statement, bound to a connection. */
export type Statements = Bound<typeof statements>;

export type Database = Statements &
  Notices & {
    /** What is done through `tx` happens as a whole or not at all. No outside request inside. */
    transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T>;
    /** Applies missing migrations and returns their names. */
    migrate(): Promise<string[]>;
    isMigrated(): Promise<boolean>;
    /** Connections of their own for delivering, with the plans that a queue needs. */
    openDeliveryQueue(): DeliveryQueue;
    /** See `sole-service.ts`. */
    holdSoleService(): Promise<() => Promise<void>>;
    close(): Promise<void>;
  };

export type DeliveryQueue = Statements & {
  transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T>;
  /** See `worker-session.ts`. */
  openSession(open: { leaseMs: number }): Promise<WorkerSession>;
  close(): Promise<void>;
};

/** Where the database is: a URL, or the parts of a connection. */
export type Connection = { connectionString: string } | pg.ClientConfig;

export async function openDatabase(open: {
  log: Log;
  connection: Connection;
  connectionCountMax?: number;
}): Promise<Database> {
  const pool = openPool({ ...open, name: "starpost" });
  const notices = openNotices({ log: open.log, connection: open.connection, pool });
  return {
    ...bind(pool),
    ...notices,
    transaction: (work) => inTransaction(pool, (db) => work(bindOnce(db))),
    migrate: () => migrate(pool),
    isMigrated: () => isMigrated(pool),
    openDeliveryQueue: () => openDeliveryQueue(open),
    holdSoleService: () => holdSoleService(open),
    async close() {
      await notices.closeNotices();
      await pool.end();
    },
  };
}

function openPool(open: {
  log: Log;
  connection: Connection;
  connectionCountMax?: number;
  name: string;
  /** What each connection does before it is used. */
  first?: string;
}): pg.Pool {
  const { first } = open;
  const pool = new pg.Pool({
    ...(first === undefined ? {} : { onConnect: (client) => client.query(first).then(() => {}) }),
    ...open.connection,
    types: typeParsers,
    max: open.connectionCountMax ?? 10,
    connectionTimeoutMillis: 5_000,
    // A query that hangs must not hold a connection for ever.
    statement_timeout: 60_000,
    application_name: open.name,
  });
  // An idle connection that breaks is replaced by the pool at the next query.
  pool.on("error", (error) =>
    open.log.warn({ reason: error.message }, "a database connection broke"),
  );
  return pool;
}

// A queue is empty one moment and holds a million rows the next, which no statistics can follow: everything is
// found by its index, in plans that are made once.
const queuePlans = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set plan_cache_mode = force_generic_plan; set jit = off`;
const queueConnectionCount = 4;

function openDeliveryQueue(open: { log: Log; connection: Connection }): DeliveryQueue {
  const connectionCountMax = queueConnectionCount;
  const pool = openPool({
    ...open,
    connectionCountMax,
    name: "starpost-delivery",
    first: queuePlans,
  });
  const bound = bind(pool);
  const transaction: DeliveryQueue["transaction"] = (work) =>
    inTransaction(pool, (db) => work(bindOnce(db)));
  return {
    ...bound,
    transaction,
    saveOutcomes: (save) =>
      save.attempts.every(isPlainAttempt)
        ? bound.saveOutcomes(save)
        : transaction((tx) => tx.saveOutcomes(save)),
    openSession: ({ leaseMs }) => openWorkerSession({ ...open, leaseMs }),
    close: () => pool.end(),
  };
}

// A connection lives through many transactions, and binding is dearer than a small one of them.
const boundOf = new WeakMap<Db, Statements>();

function bindOnce(db: Db): Statements {
  const known = boundOf.get(db) ?? bind(db);
  boundOf.set(db, known);
  return known;
}

function bind(db: Db): Statements {
  const bound = Object.entries(statements).map(([name, statement]) => [
    name,
    (...rest: unknown[]) => callStatement(statement, db, rest),
  ]);
  return asStatements(Object.fromEntries(bound));
}

function callStatement(statement: unknown, db: Db, rest: unknown[]): unknown {
  if (typeof statement !== "function")
    throw new Error("a room of statements exports a non-function");
  return statement(db, ...rest);
}

// The one place that knows that binding keeps every name and drops only the first parameter.
function asStatements(bound: Record<string, unknown>): Statements {
  return bound as Statements;
}
