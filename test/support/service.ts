// The real service on a database of its own, asking simulated stores, with a workspace, a key and a
// receiver. What `starpost serve` does, without the command line.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readConfig } from "../../src/config.ts";
import { Closers } from "../../src/lib/closers.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";
import { type Service, startService } from "../../src/main.ts";
import { addApp, type NewAppChoice } from "../../src/manage/add-app.ts";
import { issueKey } from "../../src/manage/keys.ts";
import { createChannel } from "../../src/manage/save-channel.ts";
import { createWorkspace } from "../../src/manage/workspaces.ts";
import { type ChannelFilters, channelDefaults } from "../../src/reviews/channel.ts";
import type { Feed } from "../../src/reviews/feed.ts";
import type { App } from "../../src/reviews/listing.ts";
import { cloneDatabase } from "./database.ts";

export type TestService = Service & {
  workspaceId: string;
  key: string;
  follow(app: Pick<NewAppChoice, "store" | "externalAppId"> & Partial<NewAppChoice>): Promise<App>;
  /** A channel for everything of one app. */
  channelTo(
    url: string,
    app: App,
    given?: Partial<ChannelFilters>,
  ): Promise<{ id: string; secret: string }>;
  /** Makes every feed of the app due and waits until each was looked at. */
  collect(app: App): Promise<Feed[]>;
  /** An answer of the read API, parsed. */
  get(path: string): Promise<Record<string, unknown>>;
};

type TestServiceStart = {
  storesUrl: string;
  /** Settings beside those that every test needs. */
  env?: Record<string, string>;
  log?: Log;
};

export async function startTestService(given: TestServiceStart): Promise<TestService> {
  const service = await startBareService(given);
  const { clock, keep, stores } = service.rooms;
  const rooms = { ...service.rooms, actor: "test" };
  const workspace = await createWorkspace(rooms, { name: "Harbour Apps", plan: "studio" });
  const workspaceId = workspace.id;
  const { key } = await issueKey(rooms, { workspaceId, name: "test" });

  return {
    ...service,
    workspaceId,
    key,
    async follow(app) {
      const choice = {
        workspaceId,
        name: null,
        countries: null,
        languages: null,
        isCollected: true,
      };
      return (await addApp({ clock, keep, stores }, { ...choice, ...app })).app;
    },
    async channelTo(url, app, given = {}) {
      const about = { workspaceId, name: "Everything", url, apps: [app.id] };
      const choice = { ...channelDefaults, ...about, ...given };
      const { channel, secret } = await createChannel(rooms, choice);
      return { id: channel.id, secret };
    },
    async collect(app) {
      const askedAt = clock.now();
      for (const feed of await keep.listFeeds(app.listingId)) {
        await keep.hastenFeed({ ...feed, now: askedAt });
      }
      await keep.notify("feeds");
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
export async function startBareService(given: TestServiceStart): Promise<Service> {
  const closers = new Closers();
  const database = await cloneDatabase();
  closers.add(() => database.drop());
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-service-"));
  closers.add(() => fs.rm(dataDir, { recursive: true }));
  const config = readConfig({
    envFile: path.join(dataDir, "none"),
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: database.connectionString,
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
  closers.add(() => service.close());
  return { ...service, close: () => closers.closeAll() };
}

const waitMsMax = 15_000;

// The notice about saved reviews is no sign of an empty pass, so the coverage itself is asked.
async function waitForFeeds(
  { rooms }: Service,
  wanted: { listingId: string; since: Date },
): Promise<Feed[]> {
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    const feeds = await rooms.keep.listFeeds(wanted.listingId);
    if (feeds.every(({ checkedAt }) => checkedAt !== null && checkedAt >= wanted.since))
      return feeds;
    if (performance.now() > deadline) throw new Error(`feeds: ${JSON.stringify(feeds)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
