// Opens the rooms that every command and the service share: database, stores, secrets, the pipeline.
// What is opened is closed in reverse order.
import type { CollectRoom } from "./collect/collector.ts";
import type { Ingest, RecordSnapshots } from "./collect/ingest.ts";
import { paceHttp } from "./collect/pace.ts";
import type { Config } from "./config.ts";
import { checkSealedSecrets, deriveKey, readEncryptionKeys } from "./encryption-key.ts";
import { openEmbeddedServer } from "./keep/embedded/server.ts";
import { type Connection, type Keep, openKeep } from "./keep/keep.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { Closers } from "./lib/closers.ts";
import { openHttpClient } from "./lib/http-client.ts";
import type { Log } from "./lib/log.ts";
import { systemPause } from "./lib/pause.ts";
import { openSecretBox, type SecretBox } from "./lib/secret-box.ts";
import { openIngest } from "./pipeline.ts";
import { openRecordSnapshots } from "./rating-pipeline.ts";
import type { StoreId } from "./reviews/store-id.ts";
import { openAppleStore } from "./stores/apple/store.ts";
import { openGoogleStore } from "./stores/google/store.ts";
import type { Store } from "./stores/store.ts";
import { version } from "./version.ts";

export type Rooms = {
  config: Config;
  log: Log;
  clock: Clock;
  keep: Keep;
  stores: Readonly<Record<StoreId, Store>>;
  ingest: Ingest;
  recordSnapshots: RecordSnapshots;
  secrets: SecretBox;
  /** Authenticates cursors. */
  cursorKey: Buffer;
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
  try {
    const connection = await openDatabase(open, closers);
    const keep = await openKeep({ log, connection });
    closers.add(() => keep.close());
    const applied = await keep.migrate();
    if (applied.length > 0) log.info({ migrations: applied }, "the database was migrated");
    const keys = await readEncryptionKeys(config);
    const secrets = openSecretBox(keys);
    await checkSealedSecrets(keep, secrets);
    const stores = openStores({ config, clock, closers });
    return {
      config,
      log,
      clock,
      keep,
      stores,
      secrets,
      ingest: openIngest({ clock, keep }),
      recordSnapshots: openRecordSnapshots({ clock, keep }),
      cursorKey: deriveKey(keys, "cursors"),
      close: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/** What collecting needs of the rooms, for the scheduler and for a single pass. */
export function collectRoom(rooms: Rooms): CollectRoom {
  const { keep, config } = rooms;
  return {
    ...rooms,
    feeds: keep,
    pause: systemPause,
    random: Math.random,
    intervalMinutes: config.collectIntervalMinutes,
    listSnapshotsAsOf: keep.listSnapshotsAsOf,
    findListing: keep.findListing,
    claimDueFeeds: keep.claimDueFeeds,
    claimFeedsOfListing: keep.claimFeedsOfListing,
    saveListingFacts: keep.saveListingFacts,
  };
}

async function openDatabase(
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

function openStores(open: {
  config: Config;
  clock: Clock;
  closers: Closers;
}): Readonly<Record<StoreId, Store>> {
  const { config, clock } = open;
  const client = openHttpClient({ userAgent: `Starpost/${version}` });
  open.closers.add(() => client.close());
  const requestsPerSecond = config.collectRequestsPerSecond;
  const http = paceHttp(
    { clock, pause: systemPause, random: Math.random, requestsPerSecond },
    client.http,
  );
  return {
    appstore: openAppleStore({
      http,
      itunesBaseUrl: config.itunesBaseUrl,
      appsBaseUrl: config.appleAppsBaseUrl,
    }),
    googleplay: openGoogleStore({ http, baseUrl: config.googlePlayBaseUrl }),
  };
}
