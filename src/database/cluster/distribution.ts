// Where each table belongs when the database is spread over servers: rows of one listing stay together, and a statement
// that names its listing goes to one server. The tests hold every statement to it: docs/adr/0093-one-server-delivers.md.

/** What grows with the reviews is placed by its `listing_id`. */
export const listingTables = [
  "reviews",
  "review_topics",
  "review_versions",
  "review_days",
  "review_weeks",
  "topic_days",
  "topic_weeks",
  "facet_days",
  "app_versions",
  "snapshots",
  "rating_averages",
  "provider_jobs",
  "translation_waits",
] as const;
export type ListingTable = (typeof listingTables)[number];

/**
 * Plain tables of the coordinator, which Citus doesn't know: what is due is looked for and locked in them, in an order over
 * all of their rows. Foreign keys between them and other tables are left out, because Citus would plan every statement on
 * them; deletions don't rely on these.
 */
export const coordinatorTables: readonly string[] = [
  "feeds",
  "channels",
  "channel_old_secrets",
  "channel_next_secrets",
  "channel_health",
  "channel_causes",
  "channel_reviews",
  "channel_queue",
  "pending",
  "deliveries",
  "attempts",
  "ended_deliveries",
];

/**
 * A copy of each on every server, because statements of one listing read or write it too. Those that others refer to come
 * first. All other tables stay on the coordinator.
 */
export const referenceTables: readonly string[] = [
  "workspaces",
  "users",
  "encryption_keys",
  "credentials",
  "listings",
  "apps",
  "saved_views",
  "analysis_runs",
  "second_factors",
  "recovery_codes",
  "own_topics",
  "own_topic_reviews",
  "own_topic_scans",
  "own_topic_ticks",
  "erased_reviews",
  "review_work",
  "review_replies",
];

const anyDue = "looks for what is due, whatever it belongs to, by an index";
const operator = "for the operator: over all of the installation";
const cleanUp = "cleans up, in batches and in no hurry";

/** Statements without their key, each with the reason. A name that ends in `*` matches all names with this prefix. */
export const statementsWithoutKey: Readonly<Record<string, string>> = {
  claimDueFeeds: anyDue,
  postponeLostFeeds: anyDue,
  pullFeedsForward: anyDue,
  listAppsOfStorefront: operator,
  listFailingChannels: operator,
  listFailingFeeds: operator,
  readOddFeeds: "looks at the feeds of a store that are held back, by an index",
  forgetOddFeeds: "looks at the feeds of a store that looked odd, by an index",
  hasOddRatings: "looks at the feeds of a store that are held back, by an index",
  readOddSince: "looks at the feeds of a store that are held back, by an index",
  listWitnessFeeds: "looks for full feeds of a store when a small page can't be judged",
  acceptLayoutIncident: operator,
  listLayoutIncidents: operator,
  listHeldFeeds: operator,
  forgetHeldPages: operator,
  listFailingStorefronts: operator,
  listFeedClasses: operator,
  listJobBacklogs: operator,
  listDueProviderJobs: anyDue,
  listTickedReviews: "trains a topic in the background with some hundred reviews of several apps",
  countProviderJobs: operator,
  "readServiceMetrics*": operator,
  readStoreLoads: operator,
  deleteRowsOfRemovedListing: cleanUp,
  thinSnapshots: cleanUp,
  deleteOldProviderJobs: cleanUp,
};

/** Statements that ask several servers for rows with several keys. Reads of several listings are not listed. */
export const statementsOfSeveralServers: Readonly<Record<string, string>> = {
  finishProviderJobs: "jobs of several listings that a provider answered together",
  releaseProviderJobs: "jobs of several listings that a provider was asked together",
  leaseProviderJobs: "jobs of several listings that a provider is asked together",
  listDueProviderJobs: anyDue,
  deleteOldProviderJobs: cleanUp,
};

export function mayLackKey(name: string): boolean {
  return Object.keys(statementsWithoutKey).some((one) =>
    one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one,
  );
}
