// The door of this room: one open database with every statement as a method, in or out of a
// transaction. Consumers name the part they need: `Pick<Keep, "listApps">`.
import pg from "pg";
import type { Log } from "../lib/log.ts";
import * as adaptations from "./adaptations.ts";
import * as analysisBacklog from "./analysis-backlog.ts";
import * as apiKeys from "./api-keys.ts";
import * as appVersions from "./app-versions.ts";
import * as apps from "./apps.ts";
import * as audit from "./audit.ts";
import * as channelCounts from "./channel-counts.ts";
import * as channelReviews from "./channel-reviews.ts";
import * as channels from "./channels.ts";
import * as credentials from "./credentials.ts";
import { type Db, inTransaction, typeParsers } from "./db.ts";
import * as deliveries from "./deliveries.ts";
import * as deliveryClaims from "./delivery-claims.ts";
import * as deliveryLeases from "./delivery-leases.ts";
import * as deliveryLog from "./delivery-log.ts";
import * as deliveryResults from "./delivery-results.ts";
import * as encryptionKeys from "./encryption-keys.ts";
import * as feedReviews from "./feed-reviews.ts";
import * as feeds from "./feeds.ts";
import * as invitations from "./invitations.ts";
import * as listings from "./listings.ts";
import * as members from "./members.ts";
import { isMigrated, migrate } from "./migrate.ts";
import { type Notices, openNotices } from "./notices.ts";
import * as overview from "./overview.ts";
import * as providerJobs from "./provider-jobs.ts";
import * as providerStates from "./provider-states.ts";
import * as rateWindows from "./rate-windows.ts";
import * as reviewPages from "./review-pages.ts";
import * as reviewSearch from "./review-search.ts";
import * as reviews from "./reviews.ts";
import * as rollups from "./rollups.ts";
import * as sealedSecrets from "./sealed-secrets.ts";
import * as serviceFigures from "./service-figures.ts";
import * as sessions from "./sessions.ts";
import * as signInTries from "./sign-in-tries.ts";
import * as snapshots from "./snapshots.ts";
import { holdSoleService } from "./sole-service.ts";
import * as translations from "./translations.ts";
import * as trends from "./trends.ts";
import * as users from "./users.ts";
import * as workspaces from "./workspaces.ts";

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
  ...deliveryClaims,
  ...deliveryLeases,
  ...deliveryLog,
  ...deliveryResults,
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

export type Keep = Statements &
  Notices & {
    /** What is done through `tx` happens as a whole or not at all. No outside request inside. */
    transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T>;
    /** Applies missing migrations and returns their names. */
    migrate(): Promise<string[]>;
    isMigrated(): Promise<boolean>;
    /** See `sole-service.ts`. */
    holdSoleService(): Promise<() => Promise<void>>;
    close(): Promise<void>;
  };

/** Where the database is: a URL, or the parts of a connection. */
export type Connection = { connectionString: string } | pg.ClientConfig;

export async function openKeep(open: {
  log: Log;
  connection: Connection;
  connectionCountMax?: number;
}): Promise<Keep> {
  const pool = new pg.Pool({
    ...open.connection,
    types: typeParsers,
    max: open.connectionCountMax ?? 10,
    connectionTimeoutMillis: 5_000,
    // A query that hangs must not hold a connection for ever.
    statement_timeout: 60_000,
    application_name: "starpost",
  });
  // An idle connection that breaks is replaced by the pool at the next query.
  pool.on("error", (error) =>
    open.log.warn({ reason: error.message }, "a database connection broke"),
  );
  const notices = openNotices({ log: open.log, connection: open.connection, pool });
  return {
    ...bind(pool),
    ...notices,
    transaction: (work) => inTransaction(pool, (db) => work(bindOnce(db))),
    migrate: () => migrate(pool),
    isMigrated: () => isMigrated(pool),
    holdSoleService: () => holdSoleService(open),
    async close() {
      await notices.closeNotices();
      await pool.end();
    },
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
