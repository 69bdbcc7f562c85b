// Where each table belongs when the database is spread over servers or partitions: rows of one key stay together,
// and a statement that names its key goes to one place. Tables that are not named here are small, or are needed
// beside every key. The tests hold every statement to it: docs/adr/0045-statements-name-their-key.md.

export type DistributionKey = "listing_id" | "bucket";

/** The column by which rows of a table are placed. */
const keys = {
  reviews: "listing_id",
  review_topics: "listing_id",
  review_versions: "listing_id",
  review_days: "listing_id",
  review_weeks: "listing_id",
  topic_days: "listing_id",
  topic_weeks: "listing_id",
  facet_days: "listing_id",
  app_versions: "listing_id",
  snapshots: "listing_id",
  rating_averages: "listing_id",
  feeds: "listing_id",
  provider_jobs: "listing_id",
  translation_waits: "listing_id",
  channel_queue: "bucket",
  channel_health: "bucket",
  channel_reviews: "bucket",
  pending: "bucket",
  deliveries: "bucket",
  attempts: "bucket",
  ended_deliveries: "bucket",
} as const;
export const keyOfTable: Readonly<Record<string, DistributionKey>> = keys;

export type ListingTable = {
  [Table in keyof typeof keys]: (typeof keys)[Table] extends "listing_id" ? Table : never;
}[keyof typeof keys];

/**
 * Those of them that stay on the coordinator nevertheless: looking for what is due over all of them, and locking it, is
 * what Citus can't do, and twenty million of them are 5.5 GB.
 */
export const coordinatorTables: readonly string[] = ["feeds"];

/**
 * A copy of each on every server: small, or needed beside every key. Those that others refer to come first. All other
 * tables stay on the coordinator.
 */
export const referenceTables: readonly string[] = [
  "workspaces",
  "users",
  "encryption_keys",
  "credentials",
  "listings",
  "apps",
  "saved_views",
  "channels",
  "channel_old_secrets",
  "channel_next_secrets",
  "analysis_runs",
  "second_factors",
  "recovery_codes",
  "own_topics",
  "own_topic_reviews",
  "own_topic_scans",
  "own_topic_ticks",
  "erased_reviews",
  "review_work",
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
  beginLayoutIncident: "looks at the feeds of a store that are held back, by an index",
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
};

/** Statements that ask several servers for rows with several keys. Reads of several listings are not listed. */
export const statementsOfSeveralServers: Readonly<Record<string, string>> = {
  finishProviderJobs: "jobs of several listings that a provider answered together",
  releaseProviderJobs: "jobs of several listings that a provider was asked together",
  leaseProviderJobs: "jobs of several listings that a provider is asked together",
  listDueProviderJobs: anyDue,
  deleteOldProviderJobs: cleanUp,
  countDrafts: "one figure over all buckets",
  findOldestDelivery: "the oldest of all buckets, before a day of the log is deleted",
  hasPending: "whether anything of a day still waits, before the day is dropped",
  listBucketsWithWork: "which buckets have anything due, before each of them is asked",
};

export function mayLackKey(name: string): boolean {
  return Object.keys(statementsWithoutKey).some((one) =>
    one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one,
  );
}
