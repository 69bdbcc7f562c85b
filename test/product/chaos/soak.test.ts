// A whole service under mixed load for as long as SOAK_SECONDS says (`npm run soak`: 30 minutes): reviews come in,
// are delivered to good, failing and hanging endpoints, are read over the API and on the pages, and exported. At
// the end memory is flat, what should be short is short, nothing is lost, and responses take as long as before.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openSimulator } from "../../../simulator/simulator.ts";
import { StoreState } from "../../../simulator/store-state.ts";
import { type Database, openDatabase } from "../../../src/database/database.ts";
import { channelDefaults } from "../../../src/domain/channel/channel.ts";
import { monotonicMs, systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createUser } from "../../../src/use-cases/accounts/users.ts";
import { createKey, createWorkspace } from "../../support/acts.ts";
import { ensureBuilt, type RunningService, startServe } from "../../support/built-cli.ts";
import { createDashboardClient, type DashboardClient, password } from "../../support/dashboard.ts";
import { cloneDatabase } from "../../support/database.ts";
import { ok, openReceiver, type Receiver } from "../../support/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";
import { readRssMb, summarise } from "./soak-figures.ts";

const seconds = Number(process.env["SOAK_SECONDS"] ?? 6);
/** So short a run says something of loss and of queues, and nothing of memory and times. */
const isMeasured = seconds >= 300;
const app = { store: "appstore", externalAppId: "1700000001" } as const;
/** A key allows a request a second; all of them together ten. */
const keyCount = 12;
const apiPauseMs = 100;
const resources = new ResourceStack();
afterAll(() => resources.closeAll());

test(
  `${seconds} seconds of mixed load lose nothing and leave nothing behind`,
  async () => {
    const world = await openWorld();
    const deadline = monotonicMs() + seconds * 1_000;
    const isOn = () => monotonicMs() < deadline;
    const [writtenCount, latencies, rssMb] = await Promise.all([
      writeReviews(world, isOn),
      readApi(world, isOn),
      sampleMemory(world, isOn),
      usePages(world, isOn),
    ]);
    const { acceptedIds, admin, channelId } = world;
    await waitFor(async () => acceptedIds.size >= writtenCount, {
      withinMs: 60_000,
      what: () => `${writtenCount} reviews at the endpoint, not ${acceptedIds.size}`,
    });
    expect(acceptedIds.size).toBe(writtenCount);
    const count = async (table: string) =>
      Number((await admin.query(`select count(*) from ${table}`)).rows[0].count);
    const waitingElsewhere = `pending where channel_id <> '${channelId}'`;
    await waitFor(async () => (await count(`pending where channel_id = '${channelId}'`)) === 0, {
      withinMs: 60_000,
      what: () => "an empty queue",
    });
    // Only deliveries that the hanging endpoint did not accept are waiting.
    expect(await count(waitingElsewhere)).toBe(writtenCount);
    expect(await count("channel_queue")).toBeLessThanOrEqual(2);
    expect(await count("rate_windows where key like 'key %'")).toBeLessThanOrEqual(keyCount);
    expect(await count("sessions")).toBe(1);
    expect(await count("delivery_workers")).toBe(1);
    const figures = summarise({ seconds, writtenCount, latencies, rssMb });
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    if (!isMeasured) return;
    expect(figures.rssMbLast).toBeLessThan(figures.rssMbFirst * 1.2);
    expect(figures.p99MsLast).toBeLessThan(figures.p99MsFirst * 1.2);
  },
  seconds * 1_000 + 180_000,
);

type World = {
  service: RunningService;
  database: Database;
  /** Counts rows. */
  admin: pg.Client;
  storeState: StoreState;
  /** Deliveries that the good endpoint took. */
  acceptedIds: ReadonlySet<string>;
  workspaceId: string;
  appId: string;
  listingId: string;
  /** Counts of the endpoint that accepts everything, sooner or later. */
  channelId: string;
  keys: string[];
  pages: DashboardClient;
};

async function openWorld(): Promise<World> {
  ensureBuilt();
  const cwd = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-soak-"));
  resources.add(() => fs.rm(cwd, { recursive: true, maxRetries: 5 }));
  const { connectionString, drop } = await cloneDatabase();
  resources.add(drop);
  const database = await openDatabase({ log: silentLog, connection: { connectionString } });
  resources.add(() => database.close());
  const admin = new pg.Client(connectionString);
  await admin.connect();
  resources.add(() => admin.end());
  const storeState = new StoreState(systemClock);
  storeState.addApp({ ...app, name: "Tidepool Planner", developer: "Paper Harbor" });
  const simulator = await openSimulator({ clock: systemClock, storeState });
  resources.add(() => simulator.close());
  const receiver = await openReceiver();
  resources.add(() => receiver.close());
  const acceptedIds = new Set<string>();
  // Every tenth try fails, the hanging endpoint never answers.
  receiver.reply(({ path: hook, headers }) => {
    if (hook === "/hang") return { kind: "hang" };
    if (receiver.requests.length % 10 === 0) return { kind: "status", status: 503 };
    acceptedIds.add(headers["webhook-id"] ?? "");
    return ok;
  });
  const service = await startServe({
    cwd,
    env: {
      DATABASE_URL: connectionString,
      PORT: "0",
      ITUNES_BASE_URL: simulator.url,
      APPLE_APPS_BASE_URL: simulator.url,
      GOOGLE_PLAY_BASE_URL: simulator.url,
      COLLECT_REQUESTS_PER_SECOND: "1000",
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
      WEBHOOK_CYCLE_SECONDS: "1",
    },
  });
  resources.add(async () => {
    await service.stop();
  });
  const followed = await followApp({ service, database, receiver });
  return { service, database, admin, storeState, acceptedIds, ...followed };
}

async function followApp(world: Pick<World, "service" | "database"> & { receiver: Receiver }) {
  const { service, database, receiver } = world;
  const deps = { clock: systemClock, database, log: silentLog, actor: "test" };
  const workspaceId = (await createWorkspace(deps, { name: "Soak", plan: "studio" })).id;
  const email = "ida@example.com";
  await createUser(deps, { email, name: null, role: "owner", workspaceId, password });
  const pages = createDashboardClient(service.url);
  await pages.post("/session/sign-in", { email, password });
  const base = `/workspaces/${workspaceId}`;
  const choice = { name: null, foundIn: null, countries: ["us", "gb"], languages: null };
  const added = await pages.post(`${base}/apps`, {
    ...{ ...app, ...choice },
    isCollected: true,
    credentialId: null,
  });
  const appId: string = added.json.app.id;
  const [{ listingId = "" } = {}] = await database.listApps({ workspaceId });
  await waitFor(
    async () => (await database.listFeeds(listingId)).every((feed) => feed.baselineAt !== null),
    { withinMs: 60_000, what: () => "the backfill" },
  );
  const addChannel = async (name: string) => {
    const url = `http://127.0.0.1:${receiver.port}/${name}`;
    return (await pages.post(`${base}/channels`, { ...channelDefaults, name, url })).json.channel
      .id;
  };
  await addChannel("hang");
  const channelId: string = await addChannel("good");
  const keys: string[] = [];
  for (let index = 0; index < keyCount; index += 1) {
    keys.push((await createKey(deps, { workspaceId, name: `Key ${index}` })).key);
  }
  return { workspaceId, appId, listingId, channelId, keys, pages };
}

/** One a second, in turns in two storefronts. Returns how many. */
async function writeReviews(world: World, isOn: () => boolean): Promise<number> {
  const { storeState, database, listingId } = world;
  let count = 0;
  for (; isOn(); count += 1) {
    const region = count % 2 === 0 ? "us" : "gb";
    const text = `Note ${count}: the sync lost what I wrote on the train.`;
    storeState.addReview(app, { region, rating: 1 + (count % 5), title: `Note ${count}`, text });
    const now = systemClock.now();
    await database.makeFeedDueNow({ listingId, kind: "reviews", region, now });
    await database.notify("feeds");
    await delay(1_000);
  }
  return count;
}

/** Milliseconds of each response, in the order of the requests. */
async function readApi({ service, keys }: World, isOn: () => boolean): Promise<number[]> {
  const latencies: number[] = [];
  const paths = ["/reviews?limit=50", "/reviews?rating=1&limit=20", "/apps", "/topics"];
  for (let index = 0; isOn(); index += 1) {
    const headers = { authorization: `Bearer ${keys[index % keys.length]}` };
    const startedAt = monotonicMs();
    const url = `${service.url}/api/v1${paths[index % paths.length]}`;
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    latencies.push(monotonicMs() - startedAt);
    await delay(apiPauseMs);
  }
  return latencies;
}

async function usePages({ pages, workspaceId }: World, isOn: () => boolean): Promise<void> {
  const base = `/workspaces/${workspaceId}`;
  const paths = ["overview", "reviews", "channels", "apps", "keys", "reviews/export?format=csv"];
  for (let index = 0; isOn(); index += 1) {
    const response = await pages.get(`${base}/${paths[index % paths.length]}`);
    // An export a minute more than ten are allowed.
    expect([200, 429]).toContain(response.status);
    await delay(1_000);
  }
}

async function sampleMemory({ service }: World, isOn: () => boolean): Promise<number[]> {
  const samples: number[] = [];
  while (isOn()) {
    samples.push(await readRssMb(service.pid));
    await delay(1_000);
  }
  return samples;
}
