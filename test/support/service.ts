// The real service on a database of its own, asking simulated stores, with a workspace, a key and a
// receiver. What `starpost serve` does, without the command line.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { type ChannelFilters, channelDefaults } from "../../src/domain/channel.ts";
import type { Feed } from "../../src/domain/feed.ts";
import type { App } from "../../src/domain/listing.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { type Service, startService } from "../../src/main.ts";
import { addApp, type NewAppChoice } from "../../src/use-cases/apps/add-app.ts";
import { createChannel } from "../../src/use-cases/channels/save-channel.ts";
import { issueKey } from "../../src/use-cases/keys/keys.ts";
import { createWorkspace } from "../../src/use-cases/members/workspaces.ts";
import { cloneDatabase } from "./database.ts";

export type TestService = Service & {
  workspaceId: string;
  key: string;
  addApp(app: Pick<NewAppChoice, "store" | "externalAppId"> & Partial<NewAppChoice>): Promise<App>;
  /** A channel for everything of one app. */
  addChannel(
    url: string,
    app: App,
    given?: Partial<ChannelFilters>,
  ): Promise<{ id: string; secret: string }>;
  /** Makes every feed of the app due and waits until each was looked at. */
  collect(app: App): Promise<Feed[]>;
  /** An answer of the read API, parsed. */
  get(path: string): Promise<Record<string, unknown>>;
};

type StartTestServiceOptions = {
  storesUrl: string;
  /** Settings beside those that every test needs. */
  env?: Record<string, string>;
  log?: Log;
};

export async function startTestService(given: StartTestServiceOptions): Promise<TestService> {
  const service = await startBareService(given);
  const { clock, database, stores } = service.deps;
  const deps = { ...service.deps, actor: "test" };
  const workspace = await createWorkspace(deps, { name: "Harbour Apps", plan: "studio" });
  const workspaceId = workspace.id;
  const { key } = await issueKey(deps, { workspaceId, name: "test" });

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
      return (await addApp({ clock, database, stores }, { ...choice, ...app })).app;
    },
    async addChannel(url, app, given = {}) {
      const about = { workspaceId, name: "Everything", url, apps: [app.id] };
      const choice = { ...channelDefaults, ...about, ...given };
      const { channel, secret } = await createChannel(deps, choice);
      return { id: channel.id, secret };
    },
    async collect(app) {
      const askedAt = clock.now();
      for (const feed of await database.listFeeds(app.listingId)) {
        await database.makeFeedDueNow({ ...feed, now: askedAt });
      }
      await database.notify("feeds");
      return waitForFeeds(service, { listingId: app.listingId, since: askedAt });
    },
    async get(path) {
      const answer = await fetch(`${service.url}/api/v1${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      if (answer.status !== 200)
        throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
  };
}

/** The service as it first starts: nobody has an account, and there is no workspace. */
export async function startBareService(given: StartTestServiceOptions): Promise<Service> {
  const resources = new ResourceStack();
  const testDatabase = await cloneDatabase();
  resources.add(() => testDatabase.drop());
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-service-"));
  resources.add(() => fs.rm(dataDir, { recursive: true }));
  const config = readConfig({
    envFile: path.join(dataDir, "none"),
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: testDatabase.connectionString,
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
      COLLECT_REQUESTS_PER_SECOND: "1000",
      ITUNES_BASE_URL: given.storesUrl,
      APPLE_APPS_BASE_URL: given.storesUrl,
      GOOGLE_PLAY_BASE_URL: given.storesUrl,
      ...given.env,
    },
  });
  const service = await startService({ config, log: given.log ?? silentLog });
  resources.add(() => service.close());
  return { ...service, close: () => resources.closeAll() };
}

const waitMsMax = 15_000;

// The notice about saved reviews is no sign of an empty pass, so the coverage itself is asked.
async function waitForFeeds(
  { deps }: Service,
  wanted: { listingId: string; since: Date },
): Promise<Feed[]> {
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    const feeds = await deps.database.listFeeds(wanted.listingId);
    if (feeds.every(({ checkedAt }) => checkedAt !== null && checkedAt >= wanted.since))
      return feeds;
    if (performance.now() > deadline) throw new Error(`feeds: ${JSON.stringify(feeds)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
