// Every repository and read model in one object, and how they are bound to a connection or a pool.

import * as deliveryChanges from "./delivery/changes.ts";
import * as deliveryLeases from "./delivery/claim.ts";
import * as dueDeliveries from "./delivery/claim.ts";
import * as deliveries from "./delivery/enqueue.ts";
import * as channelHealth from "./delivery/health.ts";
import * as deliveryOutcomes from "./delivery/outcomes.ts";
import * as queueRepair from "./delivery/repair.ts";
import * as deliveryRetention from "./delivery/retention.ts";
import * as deliveryWorkers from "./delivery/workers.ts";
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
import * as topicOpinions from "./read-models/topic-opinions.ts";
import * as trends from "./read-models/trends.ts";
import * as analysisBacklog from "./repositories/analysis-backlog.ts";
import * as apiKeys from "./repositories/api-keys.ts";
import * as appVersions from "./repositories/app-versions.ts";
import * as apps from "./repositories/apps.ts";
import * as audit from "./repositories/audit.ts";
import * as channelAlerts from "./repositories/channel-alerts.ts";
import * as channelReviews from "./repositories/channel-reviews.ts";
import * as channelSecrets from "./repositories/channel-secrets.ts";
import * as channels from "./repositories/channels.ts";
import * as credentials from "./repositories/credentials.ts";
import * as drafts from "./repositories/drafts.ts";
import * as emailRecipients from "./repositories/email-recipients.ts";
import * as encryptedSecrets from "./repositories/encrypted-secrets.ts";
import * as encryptionKeys from "./repositories/encryption-keys.ts";
import * as erasedReviews from "./repositories/erased-reviews.ts";
import * as feedClaims from "./repositories/feed-claims.ts";
import * as feedRepairs from "./repositories/feed-repairs.ts";
import * as feeds from "./repositories/feeds.ts";
import * as fineTuning from "./repositories/fine-tuning.ts";
import * as invitations from "./repositories/invitations.ts";
import * as listingCopies from "./repositories/listing-copies.ts";
import * as listings from "./repositories/listings.ts";
import * as loginAttempts from "./repositories/login-attempts.ts";
import * as members from "./repositories/members.ts";
import * as ownTopicReviews from "./repositories/own-topic-reviews.ts";
import * as ownTopicTicks from "./repositories/own-topic-ticks.ts";
import * as ownTopics from "./repositories/own-topics.ts";
import * as providerJobs from "./repositories/provider-jobs.ts";
import * as providerStates from "./repositories/provider-states.ts";
import * as rateWindows from "./repositories/rate-windows.ts";
import * as ratingAverages from "./repositories/rating-averages.ts";
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
  ...channelHealth,
  ...channelReviews,
  ...channels,
  ...channelAlerts,
  ...credentials,
  ...deliveries,
  ...channelSecrets,
  ...deliveryChanges,
  ...deliveryLeases,
  ...deliveryLog,
  ...deliveryOutcomes,
  ...deliveryRetention,
  ...deliveryWorkers,
  ...drafts,
  ...dueDeliveries,
  ...emailRecipients,
  ...encryptionKeys,
  ...erasedReviews,
  ...feedClaims,
  ...feedRepairs,
  ...feeds,
  ...listingCopies,
  ...listings,
  ...ownTopics,
  ...ownTopicReviews,
  ...ownTopicTicks,
  ...providerJobs,
  ...providerStates,
  ...ratingAverages,
  ...queueRepair,
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
  ...topicOpinions,
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

// A connection lives through many transactions, and binding costs more than a small one of them.
const boundConnections = new WeakMap<Db, DatabaseTransaction>();

/** For connections that are bound often. */
export function bindOnce(db: Db): DatabaseTransaction {
  const bound = boundConnections.get(db) ?? bind(db);
  boundConnections.set(db, bound);
  return bound;
}

export function bind(db: Db): DatabaseTransaction {
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
