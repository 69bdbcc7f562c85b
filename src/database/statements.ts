// Every repository in one object, and how they are bound to a connection or a pool.
import * as apiKeys from "./accounts/api-keys.ts";
import * as audit from "./accounts/audit.ts";
import * as credentials from "./accounts/credentials.ts";
import * as encryptedSecrets from "./accounts/encrypted-secrets.ts";
import * as idempotencyKeys from "./accounts/idempotency-keys.ts";
import * as identities from "./accounts/identities.ts";
import * as rateWindows from "./accounts/rate-windows.ts";
import * as sharedLinks from "./accounts/shared-links.ts";
import * as sqlUsers from "./accounts/sql-users.ts";
import * as users from "./accounts/users.ts";
import * as workspaces from "./accounts/workspaces.ts";
import * as apps from "./collecting/apps.ts";
import * as feedClaims from "./collecting/feed-claims.ts";
import * as feeds from "./collecting/feeds.ts";
import * as layoutIncidents from "./collecting/layout-incidents.ts";
import * as learnedShapes from "./collecting/learned-shapes.ts";
import * as listings from "./collecting/listings.ts";
import * as snapshots from "./collecting/snapshots.ts";
import * as storeChecks from "./collecting/store-checks.ts";
import * as storeHosts from "./collecting/store-hosts.ts";
import * as deliveryChanges from "./delivery/changes.ts";
import * as channelAlerts from "./delivery/channel-alerts.ts";
import * as channelCounts from "./delivery/channel-counts.ts";
import * as channelReviews from "./delivery/channel-reviews.ts";
import * as channels from "./delivery/channels.ts";
import * as claim from "./delivery/claim-deliveries.ts";
import * as deliveryLog from "./delivery/delivery-log.ts";
import * as emailRecipients from "./delivery/email-recipients.ts";
import * as enqueue from "./delivery/enqueue.ts";
import { addHealths } from "./delivery/health.ts";
import * as leases from "./delivery/leases.ts";
import * as outcomes from "./delivery/outcomes.ts";
import * as repair from "./delivery/repair.ts";
import * as deliveryRetention from "./delivery/retention.ts";
import * as analysisBacklog from "./enrichment/analysis-backlog.ts";
import * as ownTopicReviews from "./enrichment/own-topic-reviews.ts";
import * as ownTopics from "./enrichment/own-topics.ts";
import * as providerJobs from "./enrichment/provider-jobs.ts";
import * as translations from "./enrichment/translations.ts";
import * as retention from "./platform/retention.ts";
import * as serviceStatus from "./platform/service-status.ts";
import type { Db } from "./query.ts";
import * as digest from "./reviews/digest.ts";
import * as erasedReviews from "./reviews/erased-reviews.ts";
import * as followedApps from "./reviews/followed-apps.ts";
import * as listingCopies from "./reviews/listing-copies.ts";
import * as reviewCounts from "./reviews/review-counts.ts";
import * as reviewFacets from "./reviews/review-facets.ts";
import * as reviewFeed from "./reviews/review-feed.ts";
import * as reviewPages from "./reviews/review-pages.ts";
import * as reviewWork from "./reviews/review-work.ts";
import * as reviews from "./reviews/reviews.ts";
import * as rollups from "./reviews/rollups.ts";
import * as savedViews from "./reviews/saved-views.ts";
import * as verdict from "./reviews/verdict.ts";

/** No two of these files export one name, which a test makes sure of. */
const repositories = {
  ...apiKeys,
  ...idempotencyKeys,
  ...audit,
  ...credentials,
  ...encryptedSecrets,
  ...identities,
  ...rateWindows,
  ...sqlUsers,
  ...users,
  ...workspaces,
  ...apps,
  ...feedClaims,
  ...feeds,
  ...layoutIncidents,
  ...learnedShapes,
  ...storeChecks,
  ...listingCopies,
  ...listings,
  ...snapshots,
  ...storeHosts,
  ...deliveryChanges,
  ...channelAlerts,
  ...channelCounts,
  ...channelReviews,
  ...channels,
  ...claim,
  ...deliveryLog,
  ...emailRecipients,
  ...enqueue,
  addHealths,
  ...outcomes,
  ...repair,
  ...deliveryRetention,
  ...leases,
  ...analysisBacklog,
  ...ownTopicReviews,
  ...ownTopics,
  ...providerJobs,
  ...translations,
  ...retention,
  ...serviceStatus,
  ...digest,
  ...erasedReviews,
  ...followedApps,
  ...reviewCounts,
  ...reviewFeed,
  ...reviewPages,
  ...reviewFacets,
  ...reviewWork,
  ...reviews,
  ...rollups,
  ...savedViews,
  ...sharedLinks,
  ...verdict,
};

/** Functions on a connection are its methods; parts of statements that the same files export are not. */
type BoundTo<M> = {
  [K in keyof M as M[K] extends (db: Db, ...rest: never[]) => unknown ? K : never]: M[K] extends (
    db: Db,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Every repository, on the one connection of a transaction. */
export type DatabaseTransaction = BoundTo<typeof repositories>;

// A connection lives through many transactions, and binding costs more than a small one of them.
const boundConnections = new WeakMap<Db, DatabaseTransaction>();

/** For connections that are bound often. */
export function bindOnce(db: Db): DatabaseTransaction {
  const bound = boundConnections.get(db) ?? bind(db);
  boundConnections.set(db, bound);
  return bound;
}

export function bind(db: Db): DatabaseTransaction {
  const bound = Object.entries(repositories).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "function" ? [[name, (...rest: unknown[]) => value(db, ...rest)]] : [],
  );
  return asTransaction(Object.fromEntries(bound));
}

// The one place that knows that binding keeps every name and drops only the first parameter.
function asTransaction(bound: Record<string, unknown>): DatabaseTransaction {
  return bound as DatabaseTransaction;
}
