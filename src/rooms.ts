// Opens the rooms that every command and the service share: database, stores, secrets, the pipeline.
// What is opened is closed in reverse order.
import { type OpenAccount, openAccounts } from "./accounts.ts";
import { type Analyst, openAnalyst } from "./analyst.ts";
import type { CollectorRoom } from "./collect/collector.ts";
import type { Ingest, RecordSnapshots } from "./collect/ingest.ts";
import { type PacedHttp, paceHttp } from "./collect/pace.ts";
import type { Config } from "./config.ts";
import { openHostNames } from "./deliver/host-names.ts";
import type { DeliverySettings } from "./deliver/settings.ts";
import { checkWebhookTarget, openUrlPolicy } from "./deliver/url-check.ts";
import { deriveKey, openEncryptionKeys, resealSecrets } from "./encryption-key.ts";
import { openEmbeddedServer } from "./keep/embedded/server.ts";
import { type Connection, type Keep, openKeep } from "./keep/keep.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { Closers } from "./lib/closers.ts";
import { openHttpClient } from "./lib/http-client.ts";
import type { Log } from "./lib/log.ts";
import { type Pause, systemPause } from "./lib/pause.ts";
import { openSecretBox, type SecretBox } from "./lib/secret-box.ts";
import { openIngest } from "./pipeline.ts";
import { readProviderWishes } from "./provider-workers.ts";
import { openRecordSnapshots } from "./rating-pipeline.ts";
import { AppError } from "./reviews/error.ts";
import type { StoreId } from "./reviews/store-id.ts";
import { openAppleStore } from "./stores/apple/apple-store.ts";
import { openGoogleStore } from "./stores/google/google-store.ts";
import type { Store } from "./stores/store.ts";
import { version } from "./version.ts";

export type Rooms = {
  config: Config;
  log: Log;
  clock: Clock;
  keep: Keep;
  stores: Readonly<Record<StoreId, Store>>;
  /** The store as a workspace's own account sees it, by the id of its credential. */
  openAccount: OpenAccount;
  /** The built-in analysis as this installation has it. */
  analyst: Analyst;
  ingest: Ingest;
  recordSnapshots: RecordSnapshots;
  secretBox: SecretBox;
  /** Whether a channel may point there; the reason names the setting that would allow it. */
  checkUrl: (url: string) => Promise<{ ok: true } | { ok: false; reason: string }>;
  /** No store is asked from now on, and nobody waits for one. */
  stopAsking(): void;
  /** Authenticates cursors. */
  cursorKey: Buffer;
  /** Names of the migrations that opening applied. */
  migrated: readonly string[];
  close(): Promise<void>;
};

export async function openRooms(open: {
  config: Config;
  log: Log;
  clock?: Clock;
  /** Told before what takes a moment. */
  onProgress?: (sentence: string) => void;
}): Promise<Rooms> {
  const { config, log, clock = systemClock } = open;
  const closers = new Closers();
  // Before anything is opened: what is missing is said at once.
  const providers = readProviderWishes(config);
  try {
    const connection = await openDatabase(open, closers);
    const keep = await openKeep({ log, connection });
    closers.add(() => keep.close());
    const applied = await migrate(keep, config);
    if (applied.length > 0) log.info({ migrations: applied }, "the database was migrated");
    const keys = await openEncryptionKeys({ clock, config, keep });
    const secretBox = openSecretBox(keys);
    const resealedCount = await resealSecrets({ clock, keep }, { box: secretBox, keys });
    if (resealedCount > 0) log.info({ resealedCount }, "secrets were sealed with the first key");
    const paced = openPacedHttp({ config, clock, closers });
    const stores = openStores(config, paced);
    const analyst = await openAnalyst(keep);
    return {
      config,
      log,
      clock,
      keep,
      stores,
      openAccount: openAccounts({ config, clock, keep, secretBox, paced, publicStores: stores }),
      secretBox,
      checkUrl: openUrlCheck({ config, clock }),
      analyst,
      ingest: openIngest({ clock, keep, providers, analyse: analyst.analyse }),
      recordSnapshots: openRecordSnapshots({ clock, keep }),
      stopAsking: () => paced.stop(),
      cursorKey: deriveKey(keys, "cursors"),
      migrated: applied,
      close: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/** What collecting needs of the rooms, for the scheduler and for a single pass. */
export function collectRoom(rooms: Rooms): CollectorRoom {
  const { keep, config } = rooms;
  return {
    ...rooms,
    feeds: keep,
    pause: systemPause,
    random: Math.random,
    async openStore({ id, store, credentialId = null }, kind) {
      // Accounts tell no ratings: those stand on the public pages alone.
      const isPublic = credentialId === null || kind === "ratings";
      return isPublic ? rooms.stores[store] : rooms.openAccount(credentialId, id);
    },
    listFeeds: keep.listFeeds,
    intervalMinutes: config.collectIntervalMinutes,
    listSnapshotsAsOf: keep.listSnapshotsAsOf,
    findListing: keep.findListing,
    claimDueFeeds: keep.claimDueFeeds,
    claimFeedsOfListing: keep.claimFeedsOfListing,
    saveListingFacts: keep.saveListingFacts,
    renewFeedLease: keep.renewFeedLease,
  };
}

/** The one that the settings name, or the embedded one, started unless it runs. */
export async function openDatabase(
  open: { config: Config; log: Log; onProgress?: (sentence: string) => void },
  closers: Closers,
): Promise<Connection> {
  const { dataDir, databaseUrl } = open.config;
  if (databaseUrl !== null) return { connectionString: databaseUrl };
  const { log, onProgress = () => {} } = open;
  const server = await openEmbeddedServer({ dataDir, log, onProgress });
  closers.add(() => server.close());
  return server.connection;
}

// The first word with the database: what is wrong with it is told in the operator's terms.
async function migrate(keep: Keep, config: Config): Promise<string[]> {
  try {
    return await keep.migrate();
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

function openPacedHttp(open: { config: Config; clock: Clock; closers: Closers }): PacedHttp {
  const client = openHttpClient({ userAgent: `Starpost/${version}` });
  open.closers.add(() => client.close());
  const requestsPerSecond = open.config.collectRequestsPerSecond;
  return paceHttp(
    { clock: open.clock, pause: systemPause, random: Math.random, requestsPerSecond },
    client.http,
  );
}

function openStores(config: Config, paced: PacedHttp): Readonly<Record<StoreId, Store>> {
  const { http } = paced;
  const { itunesBaseUrl, appleAppsBaseUrl: appsBaseUrl, googlePlayBaseUrl: baseUrl } = config;
  // Who reads faster than the default waits less between two tries, too.
  const pause: Pause = (durationMs) => systemPause(durationMs / config.collectRequestsPerSecond);
  return {
    appstore: paced.watch(openAppleStore({ http, itunesBaseUrl, appsBaseUrl, pause })),
    googleplay: paced.watch(openGoogleStore({ http, baseUrl })),
  };
}

function openUrlCheck(open: { config: Config; clock: Clock }): Rooms["checkUrl"] {
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
export function deliverSettings(config: Config): Partial<DeliverySettings> & { version: string } {
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
