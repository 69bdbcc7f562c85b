// The real service on a database of its own and simulated stores, with a workspace and a key: what
// `starpost serve` runs, without the command line.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Service, startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { type ChannelFilters, channelDefaults } from "../../src/domain/channel/channel.ts";
import type { Feed } from "../../src/domain/feed/feed.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { type AddAppInput, addApp, createKey, createWebhook, createWorkspace } from "./acts.ts";
import { cloneDatabase } from "./database.ts";
import { waitFor } from "./wait-for.ts";

export type TestService = Service & {
  workspaceId: string;
  key: string;
  addApp(app: Pick<AddAppInput, "store" | "externalAppId"> & Partial<AddAppInput>): Promise<App>;
  /** A channel for all events of one app. */
  addChannel(
    url: string,
    app: App,
    overrides?: Partial<ChannelFilters>,
  ): Promise<{ id: string; secret: string }>;
  /** Makes every feed of the app due and waits until each was crawled. */
  collect(app: App): Promise<Feed[]>;
  /** The parsed body of a read API response. */
  get(path: string): Promise<Record<string, unknown>>;
};

type StartTestServiceOptions = {
  storesUrl: string;
  /** Settings in addition to those that every test needs. */
  env?: Record<string, string>;
  log?: Log;
  /** The database's by default. */
  clock?: Clock;
  /** A database to use, which stays; one of its own by default. */
  connectionString?: string;
};

export async function startTestService(options: StartTestServiceOptions): Promise<TestService> {
  const service = await startBareService(options);
  const { clock, database, stores } = service.deps;
  const deps = { ...service.deps, actor: "test" };
  const workspace = await createWorkspace(deps, { name: "Harbour Apps", plan: "studio" });
  const workspaceId = workspace.id;
  const { key } = await createKey(deps, { workspaceId, name: "test" });

  return {
    ...service,
    workspaceId,
    key,
    async addApp(app) {
      const choice = {
        workspaceId,
        name: null,
        countries: null,
        languages: null,
        isCollected: true,
      };
      return (await addApp({ clock, database, stores, actor: "test" }, { ...choice, ...app })).app;
    },
    async addChannel(url, app, overrides = {}) {
      const target = { workspaceId, name: "Everything", url, apps: [app.id] };
      const choice = { ...channelDefaults, ...target, ...overrides };
      const { channel, secret } = await createWebhook(deps, choice);
      return { id: channel.id, secret };
    },
    async collect(app) {
      const startedAt = clock.now();
      for (const feed of await database.listFeeds(app.listingId)) {
        await database.makeFeedDueNow({ ...feed, now: startedAt });
      }
      await database.notify("feeds");
      return waitForFeeds(service, { listingId: app.listingId, since: startedAt });
    },
    async get(path) {
      const response = await fetch(`${service.url}/api/v1${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      if (response.status !== 200)
        throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

/** The service before its first use: without users and workspaces. */
export async function startBareService(options: StartTestServiceOptions): Promise<Service> {
  const resources = new ResourceStack();
  const connectionString = options.connectionString ?? (await cloneInto(resources));
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-service-"));
  resources.add(() => fs.rm(dataDir, { recursive: true }));
  const config = readConfig({
    envFile: path.join(dataDir, "none"),
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: connectionString,
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
      COLLECT_REQUESTS_PER_SECOND: "1000",
      ITUNES_BASE_URL: options.storesUrl,
      APPLE_APPS_BASE_URL: options.storesUrl,
      GOOGLE_PLAY_BASE_URL: options.storesUrl,
      FIREFOX_ADDONS_BASE_URL: options.storesUrl,
      ...options.env,
    },
  });
  const service = await startService({
    config,
    log: options.log ?? silentLog,
    ...(options.clock && { clock: options.clock }),
  });
  resources.add(() => service.close());
  return { ...service, close: () => resources.closeAll() };
}

async function cloneInto(resources: ResourceStack): Promise<string> {
  const { connectionString, drop } = await cloneDatabase();
  resources.add(drop);
  return connectionString;
}

// A crawl without new reviews sends no change notification, so the feeds themselves are read.
async function waitForFeeds(
  { deps: { clock, database } }: Service,
  { listingId, since }: { listingId: string; since: Date },
): Promise<Feed[]> {
  let feeds: Feed[] = [];
  return waitFor(
    async () => {
      feeds = await database.listFeeds(listingId);
      const late = feeds.filter(({ checkedAt }) => checkedAt === null || checkedAt < since);
      if (late.length === 0) return feeds;
      // A crawl that was on its way when its feed was made due has begun before, and does not count.
      const now = clock.now();
      const postponed = late.filter(({ nextDueAt }) => nextDueAt > now);
      for (const feed of postponed) await database.makeFeedDueNow({ ...feed, now });
      if (postponed.length > 0) await database.notify("feeds");
      return null;
    },
    { withinMs: 15_000, what: () => `the crawl of ${JSON.stringify(feeds)}` },
  );
}
