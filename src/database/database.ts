// The open database: every repository and read model as a method, in or out of a transaction. Consumers
// declare the part that they need: `Pick<Database, "listApps">`.
import { isPlainAttempt } from "../domain/delivery.ts";
import type { Log } from "../lib/log.ts";
import { type ChangeNotifications, openChangeNotifications } from "./change-notifications.ts";
import { isMigrated, migrate } from "./migrate.ts";
import { type Connection, createPool, type DatabaseAccess } from "./pool.ts";
import type { Db } from "./query.ts";
import * as channelCounts from "./read-models/channel-counts.ts";
import * as channelDays from "./read-models/channel-days.ts";
import * as deliveryLog from "./read-models/delivery-log.ts";
import * as digest from "./read-models/digest.ts";
import * as followedApps from "./read-models/followed-apps.ts";
import * as overview from "./read-models/overview.ts";
import * as reviewChanges from "./read-models/review-changes.ts";
import * as reviewFeed from "./read-models/review-feed.ts";
import * as reviewPages from "./read-models/review-pages.ts";
import * as reviewSearch from "./read-models/review-search.ts";
import * as reviewSummary from "./read-models/review-summary.ts";
import * as serviceMetrics from "./read-models/service-metrics.ts";
import * as serviceStatus from "./read-models/service-status.ts";
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
import * as deliveryWorkers from "./repositories/delivery-workers.ts";
import * as dueDeliveries from "./repositories/due-deliveries.ts";
import * as encryptedSecrets from "./repositories/encrypted-secrets.ts";
import * as encryptionKeys from "./repositories/encryption-keys.ts";
import * as erasedReviews from "./repositories/erased-reviews.ts";
import * as feedClaims from "./repositories/feed-claims.ts";
import * as feeds from "./repositories/feeds.ts";
import * as fineTuning from "./repositories/fine-tuning.ts";
import * as invitations from "./repositories/invitations.ts";
import * as listingCopies from "./repositories/listing-copies.ts";
import * as listings from "./repositories/listings.ts";
import * as loginAttempts from "./repositories/login-attempts.ts";
import * as members from "./repositories/members.ts";
import * as providerJobs from "./repositories/provider-jobs.ts";
import * as providerStates from "./repositories/provider-states.ts";
import * as rateWindows from "./repositories/rate-windows.ts";
import * as removedListings from "./repositories/removed-listings.ts";
import * as removedReviews from "./repositories/removed-reviews.ts";
import * as retention from "./repositories/retention.ts";
import * as reviewWork from "./repositories/review-work.ts";
import * as reviews from "./repositories/reviews.ts";
import * as rollups from "./repositories/rollups.ts";
import * as savedViews from "./repositories/saved-views.ts";
import * as secondFactors from "./repositories/second-factors.ts";
import * as sessions from "./repositories/sessions.ts";
import * as snapshots from "./repositories/snapshots.ts";
import * as storeHosts from "./repositories/store-hosts.ts";
import * as translations from "./repositories/translations.ts";
import * as users from "./repositories/users.ts";
import * as workspaces from "./repositories/workspaces.ts";
import { holdSingleServiceLock } from "./single-service-lock.ts";
import { inTransaction } from "./transaction.ts";
import { openWorkerSession, type WorkerSession } from "./worker-session.ts";

/** Functions of all modules in one object: no two export one name, which a test makes sure of. */
const repositories = {
  ...fineTuning,
  ...analysisBacklog,
  ...apiKeys,
  ...apps,
  ...reviewSearch,
  ...followedApps,
  ...digest,
  ...reviewSummary,
  ...overview,
  ...reviewChanges,
  ...reviewFeed,
  ...channelCounts,
  ...channelDays,
  ...users,
  ...loginAttempts,
  ...secondFactors,
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
  ...deliveryWorkers,
  ...dueDeliveries,
  ...encryptionKeys,
  ...erasedReviews,
  ...feedClaims,
  ...feeds,
  ...listingCopies,
  ...listings,
  ...providerJobs,
  ...providerStates,
  ...rateWindows,
  ...removedListings,
  ...removedReviews,
  ...retention,
  ...reviewPages,
  ...reviews,
  ...reviewWork,
  ...savedViews,
  ...rollups,
  ...encryptedSecrets,
  ...serviceMetrics,
  ...serviceStatus,
  ...snapshots,
  ...storeHosts,
  ...translations,
  ...trends,
  ...workspaces,
};

type BoundTo<M> = {
  [K in keyof M]: M[K] extends (db: Db, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Every repository and read model, on the one connection of a transaction. */
export type DatabaseTransaction = BoundTo<typeof repositories>;

export type Database = DatabaseTransaction &
  ChangeNotifications & {
    /**
     * What is done through `tx` happens as a whole or not at all. No outside request inside; `work` may run
     * more than once, see `transaction.ts`.
     */
    transaction<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
    /** See `migrate.ts`. */
    migrate(): Promise<string[]>;
    isMigrated(): Promise<boolean>;
    /** Connections of their own for delivering, with the plans that a queue needs. */
    openDeliveryQueue(): DeliveryQueue;
    /** Of this process: connections, and queries that wait for one. */
    connectionCounts(): { open: number; idle: number; waiting: number };
    /** See `single-service-lock.ts`. */
    holdSingleServiceLock(): Promise<() => Promise<void>>;
    close(): Promise<void>;
  };

export type DeliveryQueue = DatabaseTransaction & {
  transaction<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
  /** See `worker-session.ts`. */
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
  return {
    ...bind(pool),
    ...notifications,
    transaction: (work) => inTransaction(pool, (db) => work(bindOnce(db))),
    migrate: () => migrate(pool),
    isMigrated: () => isMigrated(pool),
    openDeliveryQueue: () => openDeliveryQueue(direct),
    connectionCounts: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    holdSingleServiceLock: () => holdSingleServiceLock(direct),
    async close() {
      await closeNotifications();
      await pool.end();
    },
  };
}

// A queue is empty one moment and holds a million rows the next, which no statistics can follow: everything is
// found by its index, in plans that are made once.
export const queuePlans = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set enable_memoize = off; set enable_sort = off; set plan_cache_mode = force_generic_plan; set jit = off`;
const queueConnectionCount = 4;

function openDeliveryQueue(options: { log: Log; connection: Connection }): DeliveryQueue {
  const pool = createPool({
    ...options,
    connectionCountMax: queueConnectionCount,
    name: "starpost-delivery",
    onConnect: queuePlans,
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
    openSession: ({ leaseMs }) => openWorkerSession({ ...options, leaseMs }),
    close: () => pool.end(),
  };
}

// A connection lives through many transactions, and binding costs more than a small one of them.
const boundConnections = new WeakMap<Db, DatabaseTransaction>();

function bindOnce(db: Db): DatabaseTransaction {
  const bound = boundConnections.get(db) ?? bind(db);
  boundConnections.set(db, bound);
  return bound;
}

function bind(db: Db): DatabaseTransaction {
  const bound = Object.entries(repositories).map(([name, statement]) => [
    name,
    (...rest: unknown[]) => callStatement(statement, db, rest),
  ]);
  return asTransaction(Object.fromEntries(bound));
}

function callStatement(statement: unknown, db: Db, rest: unknown[]): unknown {
  if (typeof statement !== "function") throw new Error("a repository exports a non-function");
  return statement(db, ...rest);
}

// The one place that knows that binding keeps every name and drops only the first parameter.
function asTransaction(bound: Record<string, unknown>): DatabaseTransaction {
  return bound as DatabaseTransaction;
}
