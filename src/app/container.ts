// Opens the rooms that every command and the service share: database, stores, secrets, the pipeline.
// What is opened is closed in reverse order.

import type { Config } from "../config/config.ts";
import type { CrawlWorkerDeps } from "../crawling/crawl-worker.ts";
import { type ThrottledHttp, throttleHttp } from "../crawling/throttle.ts";
import { type Connection, type Database, openDatabase } from "../database/database.ts";
import { openHostNames } from "../delivery/host-names.ts";
import type { DeliverySettings } from "../delivery/settings.ts";
import { checkWebhookTarget, openUrlPolicy } from "../delivery/url-check.ts";
import { AppError } from "../domain/error.ts";
import type { StoreId } from "../domain/store-id.ts";
import { EmbeddedPostgresError } from "../embedded-postgres/error.ts";
import { openEmbeddedServer } from "../embedded-postgres/server.ts";
import { type Analyzer, createAnalyzer } from "../enrichment/analyzer.ts";
import { createJobQueue } from "../enrichment/enqueue-jobs.ts";
import type { IngestRatings, IngestReviews } from "../ingest/ingest-batch.ts";
import { createRatingsIngest } from "../ingest/ingest-ratings.ts";
import { createIngest } from "../ingest/ingest-reviews.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { type Delay, systemDelay } from "../lib/delay.ts";
import { openHttpClient } from "../lib/http-client.ts";
import type { Log } from "../lib/log.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { createSecretBox, type SecretBox } from "../lib/secret-box.ts";
import { version } from "../lib/version.ts";
import { createAppleStore } from "../stores/apple/apple-store.ts";
import { createGoogleStore } from "../stores/google/google-store.ts";
import type { Store } from "../stores/store.ts";
import { deriveKey, loadEncryptionKeys, reencryptSecrets } from "./encryption-key.ts";
import { createStoreClients, type OpenStoreClient } from "./store-clients.ts";
import { parseEnrichmentOptions } from "./workers/enrichment-workers.ts";

export type Container = {
  config: Config;
  log: Log;
  clock: Clock;
  database: Database;
  stores: Readonly<Record<StoreId, Store>>;
  /** The store as a workspace's own account sees it, by the id of its credential. */
  openStoreClient: OpenStoreClient;
  /** The built-in analysis as this installation has it. */
  analyzer: Analyzer;
  ingestReviews: IngestReviews;
  ingestRatings: IngestRatings;
  secretBox: SecretBox;
  /** Whether a channel may point there; the reason names the setting that would allow it. */
  checkUrl: (url: string) => Promise<{ ok: true } | { ok: false; reason: string }>;
  /** No store is asked from now on, and nobody waits for one. */
  stopRequests(): void;
  /** Authenticates cursors. */
  cursorKey: Buffer;
  /** Names of the migrations that opening applied. */
  appliedMigrations: readonly string[];
  close(): Promise<void>;
};

export async function openContainer(open: {
  config: Config;
  log: Log;
  clock?: Clock;
  /** Told before what takes a moment. */
  onProgress?: (sentence: string) => void;
}): Promise<Container> {
  const { config, log, clock = systemClock } = open;
  const resources = new ResourceStack();
  // Before anything is opened: what is missing is said at once.
  const enrichment = parseEnrichmentOptions(config);
  try {
    const connection = await openPostgres(open, resources);
    const database = await openDatabase({ log, connection });
    resources.add(() => database.close());
    const applied = await migrate(database, config);
    if (applied.length > 0) log.info({ migrations: applied }, "the database was migrated");
    const keys = await loadEncryptionKeys({ clock, config, database });
    const secretBox = createSecretBox(keys);
    const resealedCount = await reencryptSecrets({ clock, database }, { box: secretBox, keys });
    if (resealedCount > 0) log.info({ resealedCount }, "secrets were sealed with the first key");
    const paced = openPacedHttp({ config, clock, resources });
    const stores = openStores(config, paced);
    const analyzer = await createAnalyzer(database);
    return {
      config,
      log,
      clock,
      database,
      stores,
      openStoreClient: createStoreClients({
        config,
        clock,
        database,
        secretBox,
        paced,
        publicStores: stores,
      }),
      secretBox,
      checkUrl: openUrlCheck({ config, clock }),
      analyzer: analyzer,
      ingestReviews: createIngest({
        clock,
        database,
        jobs: createJobQueue(enrichment),
        analyze: analyzer.analyze,
      }),
      ingestRatings: createRatingsIngest({ clock, database }),
      stopRequests: () => paced.stop(),
      cursorKey: deriveKey(keys, "cursors"),
      appliedMigrations: applied,
      close: () => resources.closeAll(),
    };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

/** What collecting needs of the rooms, for the scheduler and for a single pass. */
export function toCrawlDeps(deps: Container): CrawlWorkerDeps {
  const { database, config } = deps;
  return {
    ...deps,
    feeds: database,
    delay: systemDelay,
    random: Math.random,
    async openStore({ id, store, credentialId = null }, kind) {
      // Accounts tell no ratings: those stand on the public pages alone.
      const isPublic = credentialId === null || kind === "ratings";
      return isPublic ? deps.stores[store] : deps.openStoreClient(credentialId, id);
    },
    listFeeds: database.listFeeds,
    intervalMinutes: config.collectIntervalMinutes,
    listSnapshotsAsOf: database.listSnapshotsAsOf,
    findListing: database.findListing,
    claimDueFeeds: database.claimDueFeeds,
    claimFeedsOfListing: database.claimFeedsOfListing,
    saveListingDetails: database.saveListingDetails,
    renewFeedLease: database.renewFeedLease,
  };
}

/** The one that the settings name, or the embedded one, started unless it runs. */
export async function openPostgres(
  open: { config: Config; log: Log; onProgress?: (sentence: string) => void },
  resources: ResourceStack,
): Promise<Connection> {
  const { dataDir, databaseUrl } = open.config;
  if (databaseUrl !== null) return { connectionString: databaseUrl };
  const { log, onProgress = () => {} } = open;
  const server = await withAppErrors(openEmbeddedServer({ dataDir, log, onProgress }));
  resources.add(() => withAppErrors(server.close()));
  return server.connection;
}

// The module of the embedded server is a library: it knows no AppError.
async function withAppErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    throw new AppError(error.code, error.message, { cause: error });
  }
}

// The first word with the database: what is wrong with it is told in the operator's terms.
async function migrate(database: Database, config: Config): Promise<string[]> {
  try {
    return await database.migrate();
  } catch (error) {
    const reason = reasonOf(error);
    if (config.databaseUrl === null || reason === null) throw error;
    throw new AppError(
      "unavailable",
      `the database that DATABASE_URL names can't be used: ${reason}`,
      { cause: error },
    );
  }
}

/** What the server or the network said; null for our own refusals, which explain themselves. */
function reasonOf(error: unknown): string | null {
  if (error instanceof AppError) {
    return error.cause instanceof Error ? reasonOf(error.cause) : null;
  }
  // An address that has several, as localhost does, fails with one error for all.
  if (error instanceof AggregateError) return error.errors.map(String).join("; ");
  return error instanceof Error ? error.message : null;
}

function openPacedHttp(open: {
  config: Config;
  clock: Clock;
  resources: ResourceStack;
}): ThrottledHttp {
  const client = openHttpClient({ userAgent: `Starpost/${version}` });
  open.resources.add(() => client.close());
  const requestsPerSecond = open.config.collectRequestsPerSecond;
  return throttleHttp(
    { clock: open.clock, delay: systemDelay, random: Math.random, requestsPerSecond },
    client.http,
  );
}

function openStores(config: Config, paced: ThrottledHttp): Readonly<Record<StoreId, Store>> {
  const { http } = paced;
  const { itunesBaseUrl, appleAppsBaseUrl: appsBaseUrl, googlePlayBaseUrl: baseUrl } = config;
  // Who reads faster than the default waits less between two tries, too.
  const delay: Delay = (durationMs) => systemDelay(durationMs / config.collectRequestsPerSecond);
  return {
    appstore: paced.wrapStore(createAppleStore({ http, itunesBaseUrl, appsBaseUrl, delay })),
    googleplay: paced.wrapStore(createGoogleStore({ http, baseUrl })),
  };
}

function openUrlCheck(open: { config: Config; clock: Clock }): Container["checkUrl"] {
  const { clock, config } = open;
  const policy = openUrlPolicy({
    allowHttp: config.webhookAllowHttp,
    allowedCidrs: config.webhookAllowedCidrs,
  });
  const names = openHostNames({ clock, addresses: policy.addresses });
  return async (url) => {
    const checked = await checkWebhookTarget(url, { policy, names });
    return checked.kind === "ok" ? { ok: true } : { ok: false, reason: checked.reason };
  };
}

/** What the operator set for deliveries. */
export function toDeliverySettings(
  config: Config,
): Partial<DeliverySettings> & { version: string } {
  return {
    timeoutMs: config.webhookTimeoutMs,
    cycleSeconds: config.webhookCycleSeconds,
    giveUpDays: config.webhookGiveUpDays,
    retentionDays: config.deliveryRetentionDays,
    allowHttp: config.webhookAllowHttp,
    allowedCidrs: config.webhookAllowedCidrs,
    version,
  };
}
