// Builds what every command and the service share: database, stores, secrets, analysis, ingest. Everything
// that was opened is closed in reverse order.

import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { openHostNames } from "../delivery/host-names.ts";
import { checkWebhookTarget, openUrlPolicy } from "../delivery/url-check.ts";
import type { StoreId } from "../domain/store-id.ts";
import { type Analyzer, createAnalyzer } from "../enrichment/analyzer.ts";
import { createJobQueue } from "../enrichment/enqueue-jobs.ts";
import type { IngestRatings, IngestReviews } from "../ingest/ingest-batch.ts";
import { createRatingsIngest } from "../ingest/ingest-ratings.ts";
import { createIngest } from "../ingest/ingest-reviews.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { createSecretBox, type SecretBox } from "../lib/secret-box.ts";
import type { Store } from "../stores/store.ts";
import { deriveKeys, loadEncryptionKeys, reencryptSecrets } from "./encryption-key.ts";
import { openMigratedDatabase } from "./open-database.ts";
import {
  createPublicStores,
  createStoreClients,
  type OpenStoreClient,
  openThrottledHttp,
} from "./store-clients.ts";
import { parseEnrichmentOptions } from "./workers/enrichment-workers.ts";

export type ContainerOptions = {
  config: Config;
  log: Log;
  /** The system's clock by default. */
  clock?: Clock;
  /** Called with a sentence before each step that takes a moment. */
  onProgress?: (sentence: string) => void;
};

export type Container = {
  config: Config;
  log: Log;
  clock: Clock;
  database: Database;
  /** The public pages of each store. */
  stores: Readonly<Record<StoreId, Store>>;
  /** A store through a workspace's own account, by the id of its credential. */
  openStoreClient: OpenStoreClient;
  analyzer: Analyzer;
  ingestReviews: IngestReviews;
  ingestRatings: IngestRatings;
  secretBox: SecretBox;
  /** Whether a channel may have this URL; the reason names the setting that would allow it. */
  checkUrl: (url: string) => Promise<{ ok: true } | { ok: false; reason: string }>;
  /** Ends all requests to stores, now and from now on. */
  stopRequests(): void;
  /** Authenticate cursors; the same in every process. */
  cursorKeys: readonly [Buffer, ...Buffer[]];
  /** Names of the migrations that were applied by opening. */
  appliedMigrations: readonly string[];
  close(): Promise<void>;
};

/** @throws AppError `invalid_setting` or `unavailable`; nothing stays open then */
export async function openContainer(options: ContainerOptions): Promise<Container> {
  const { config, log, clock = systemClock } = options;
  const resources = new ResourceStack();
  // First, so that a missing setting is reported before anything is opened.
  const enrichment = parseEnrichmentOptions(config);
  try {
    const { database, appliedMigrations } = await openMigratedDatabase(options, resources);
    const keys = await loadEncryptionKeys({ clock, config, database });
    const secretBox = createSecretBox(keys);
    const secretCount = await reencryptSecrets({ clock, database }, { box: secretBox, keys });
    if (secretCount > 0) {
      log.info(
        { secretCount },
        "secrets were encrypted again with the first key of ENCRYPTION_KEY",
      );
    }
    const http = openThrottledHttp({ config, clock, resources });
    const stores = createPublicStores(config, http);
    const analyzer = await createAnalyzer(database);
    const jobs = createJobQueue(enrichment);
    return {
      config,
      log,
      clock,
      database,
      stores,
      openStoreClient: createStoreClients({ config, clock, database, secretBox, http, stores }),
      analyzer,
      ingestReviews: createIngest({ clock, database, jobs, analyze: analyzer.analyze }),
      ingestRatings: createRatingsIngest({ clock, database }),
      secretBox,
      checkUrl: createUrlCheck(config, clock),
      stopRequests: () => http.stop(),
      cursorKeys: deriveKeys(keys, "cursors"),
      appliedMigrations,
      close: () => resources.closeAll(),
    };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

function createUrlCheck(config: Config, clock: Clock): Container["checkUrl"] {
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
