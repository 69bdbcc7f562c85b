// What an ingest queues where its listing and the buckets of its channels are on several servers: it is saved beside the
// reviews and moved to the buckets afterwards, and whatever comes in between, nothing is lost and nothing is sent twice.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openOutboxWorker } from "../src/app/workers/outbox-worker.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import type { Channel } from "../src/domain/channel.ts";
import type { App, Listing } from "../src/domain/listing.ts";
import type { SourceReview } from "../src/domain/review.ts";
import { createTranslationWriter } from "../src/enrichment/apply-translations.ts";
import { createJobQueue } from "../src/enrichment/enqueue-jobs.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { silentLog } from "../src/lib/log.ts";
import { ResourceStack } from "../src/lib/resource-stack.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { ensurePrivateListing } from "../src/use-cases/apps/private-listing.ts";
import { eraseReview } from "../src/use-cases/privacy/erase-review.ts";
import { type ChannelWorld, openChannelWorld } from "./support/channel-world.ts";
import { citusUrl, noCitus } from "./support/citus.ts";
import { anApp, aWorkspace } from "./support/factories.ts";
import { aSourceReview } from "./support/provider-fixture.ts";
import { openReceiver, type Receiver } from "./support/receiver.ts";
import { severalServers } from "./support/several-servers.ts";
import { waitFor } from "./support/wait-for.ts";

if (citusUrl === undefined) process.stderr.write(`test/outbox.test.ts ${noCitus}\n`);

describe.each(severalServers)("in $place", ({ open, isSkipped }) => {
  if (isSkipped) return test.skip("nothing is lost and nothing is sent twice", () => {});
  let world: ChannelWorld;
  let database: Database;
  let receiver: Receiver;
  let client: pg.Client;
  beforeAll(async () => {
    world = await openChannelWorld(await open());
    ({ database } = world);
    receiver = await openReceiver();
    client = new pg.Client(world.connectionString);
    await client.connect();
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await world.close();
    await receiver.close();
  });

  type Scene = { app: App; listing: Listing; channels: Channel[] };

  /** An app with a channel in each bucket. */
  async function aScene(overrides: Partial<Channel> = {}): Promise<Scene> {
    const { workspaceId } = world;
    const app = await anApp(database, { workspaceId, countries: ["us"] });
    const listing = await database.findListing(app.listingId);
    if (!listing) throw new Error("the listing is missing");
    const channels: Channel[] = [];
    for (const end of ["0", "1", "2", "3"]) {
      const id = randomUUID().slice(0, -1) + end;
      const target = { id, url: receiver.url, apps: [app.id], ...overrides };
      channels.push((await world.addChannel(target)).channel);
    }
    return { app, listing, channels };
  }

  /** Saved by a process that is killed right after its commit. */
  function ingestAndDie({ listing }: Pick<Scene, "listing">, reviews: SourceReview[]) {
    const killed: Database = { ...database, drainOutbox: async () => {} };
    const jobs = createJobQueue({ translateWaitMs: 10 * minuteMs, isAnalysisEnabled: false });
    const ingest = createIngest({ clock: world.clock, database: killed, jobs });
    const notifyPolicy = { kind: "always" } as const;
    return ingest({ listing, reviews, notifyPolicy, source: "store", undatedAt: null });
  }

  const english = { country: "us", languageHint: null, text: "It crashes at every start." };
  const minutesAgo = (minutes: number) =>
    new Date(world.clock.now().getTime() - minutes * minuteMs);
  const aReviewOf = (id: number, overrides: Partial<SourceReview> = {}): SourceReview =>
    aSourceReview(world, id, { ...english, date: minutesAgo(60), ...overrides });

  /** Oldest first. */
  async function listQueued({ id: channelId }: Channel) {
    const query = { channelId, workspaceId: null, status: null, beforeId: null, limit: 100 };
    return (await database.listDeliveries(query)).reverse();
  }
  const countQueued = async ({ channels }: Scene): Promise<number[]> => {
    const queued = await Promise.all(channels.map(listQueued));
    return queued.map(({ length }) => length);
  };
  const drainOld = () => database.drainOldOutbox({ olderThanMs: 0 });
  const countWaiting = async () => (await database.readOutbox({ countMax: 100 })).count;

  test("what a killed process left is sent once, also when it is moved a second time", async () => {
    const scene = await aScene();
    expect(
      await ingestAndDie(
        scene,
        [1, 2, 3].map((id) => aReviewOf(id)),
      ),
    ).toMatchObject({
      queuedCount: 12,
    });
    expect(await countQueued(scene)).toEqual([0, 0, 0, 0]);
    expect(await countWaiting()).toBe(1);
    await client.query("create temp table kept as select * from outbox");
    expect(await database.drainOldOutbox({ olderThanMs: hourMs })).toBe(0);
    expect(await drainOld()).toBe(1);
    expect(await countQueued(scene)).toEqual([3, 3, 3, 3]);
    const engine = world.run();
    await engine.outcomes.waitFor(12);
    // The process that moved it was killed before the row went.
    await client.query("insert into outbox select * from kept");
    expect(await drainOld()).toBe(1);
    expect(await countQueued(scene)).toEqual([3, 3, 3, 3]);
    await engine.close();
    expect((await client.query("select from pending")).rowCount).toBe(0);
    const sent = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
    expect([sent.length, new Set(sent).size]).toEqual([12, 12]);
    expect(await countWaiting()).toBe(0);
  }, 60_000);

  test("what waits is looked for every few seconds", async () => {
    const scene = await aScene();
    await ingestAndDie(scene, [aReviewOf(1)]);
    await client.query("update outbox set queued_at = '2026-01-01T00:00:00Z'");
    const since = new Date("2026-01-01T00:00:00Z");
    expect(await database.readOutbox({ countMax: 100 })).toEqual({ count: 1, since });
    const resources = new ResourceStack();
    openOutboxWorker({ database, log: silentLog }, resources);
    const isMoved = async () => (await countWaiting()) === 0;
    await waitFor(isMoved, { withinMs: 20_000, what: "the outbox worker" });
    await resources.closeAll();
    expect(await countQueued(scene)).toEqual([1, 1, 1, 1]);
  }, 60_000);

  test("what waited in a backup of several servers is queued where it is restored on one", async () => {
    const scene = await aScene();
    await ingestAndDie(scene, [aReviewOf(1)]);
    await client.query("update distribution set is_distributed = false");
    const { connectionString } = world;
    const other = await openDatabase({ log: silentLog, connection: { connectionString } });
    expect(await other.drainOldOutbox({ olderThanMs: 0 })).toBe(1);
    await client.query("update distribution set is_distributed = true");
    expect(await countQueued(scene)).toEqual([1, 1, 1, 1]);
    await other.close();
  }, 60_000);

  test("a process moves what it queued at once, and two at a time move it once", async () => {
    const scene = await aScene();
    const { connectionString } = world;
    const other = await openDatabase({ log: silentLog, connection: { connectionString } });
    await ingestAndDie(scene, [aReviewOf(1), aReviewOf(2)]);
    const ingest = createIngest({ clock: world.clock, database });
    const { listing } = scene;
    await Promise.all([
      ...[database, other].map((one) => one.drainOutbox(listing.id)),
      ingest({
        ...{ listing, reviews: [aReviewOf(3)], notifyPolicy: { kind: "always" } },
        ...{ source: "store", undatedAt: null },
      }),
    ]);
    expect(await countQueued(scene)).toEqual([3, 3, 3, 3]);
    await other.close();
  }, 60_000);

  test("an edit finds the review that waits, and is queued after it", async () => {
    const scene = await aScene();
    await ingestAndDie(scene, [aReviewOf(1)]);
    const edit = aReviewOf(1, { rating: 1, text: "It crashes no more.", date: minutesAgo(1) });
    expect(await ingestAndDie(scene, [edit])).toMatchObject({ editedCount: 1, queuedCount: 4 });
    await drainOld();
    for (const channel of scene.channels) {
      const events = (await listQueued(channel)).map(({ event }) => event);
      expect(events).toEqual(["review.created", "review.updated"]);
    }
    const again = { ...edit, rating: 2, date: minutesAgo(0) };
    expect(await ingestAndDie(scene, [again])).toMatchObject({ queuedCount: 4 });
    await drainOld();
  }, 60_000);

  test("what waits for a deleted channel is dropped, and for the others it is queued", async () => {
    const scene = await aScene();
    await ingestAndDie(scene, [aReviewOf(1)]);
    const [gone, ...others] = scene.channels;
    await database.deleteChannel(gone?.id ?? "");
    await drainOld();
    const text = "select channel_id as id from channel_reviews where channel_id = any($1)";
    const { rows } = await client.query(text, [scene.channels.map(({ id }) => id)]);
    expect(rows.map(({ id }) => id).sort()).toEqual(others.map(({ id }) => id).sort());
    const left = "select from deliveries where channel_id = $1";
    expect((await client.query(left, [gone?.id])).rowCount).toBe(0);
    expect(await countWaiting()).toBe(0);
  }, 60_000);

  test("a translation comes into a draft that waits", async () => {
    const scene = await aScene({ translate: true });
    const text = "Las mareas son exactas, y me gusta mucho.";
    await ingestAndDie(scene, [aReviewOf(1, { text, title: null })]);
    const now = world.clock.now();
    const lease = { token: randomUUID(), leasedUntil: new Date(now.getTime() + minuteMs) };
    const jobs = await database.claimProviderJobs({ kind: "translate", limit: 10, now, ...lease });
    const result = { text: "The tides are right.", from: "es" };
    const save = createTranslationWriter({ clock: world.clock, database });
    await save({ provider: "test", results: jobs.map((job) => ({ job, result })) });
    for (const channel of scene.channels) {
      const [queued] = await listQueued(channel);
      const found = await database.findDelivery({ id: queued?.id ?? "", workspaceId: null });
      expect(JSON.parse(String(found?.body)).review).toMatchObject({ translatedText: result.text });
      expect(queued?.dueAt).toEqual(now);
    }
    expect(await countWaiting()).toBe(0);
  }, 60_000);

  test("an erased review is not queued, and the others of its page are", async () => {
    const scene = await aScene();
    const secret = "Ada Invented lost her notes";
    await ingestAndDie(scene, [aReviewOf(1, { text: secret }), aReviewOf(2)]);
    const { listingId } = scene.app;
    const stored = await database.listReviewsById({ listingId, afterId: null, limit: 10 });
    const reviewId = stored.find(({ text }) => text === secret)?.id ?? "";
    const deps = { clock: world.clock, database, actor: "test" };
    const erased = await eraseReview(deps, { appId: scene.app.id, reviewId });
    expect(erased.deliveryCount).toBe(4);
    const traces = "select from outbox where payload::text like '%Ada Invented%'";
    expect((await client.query(traces)).rowCount).toBe(0);
    await drainOld();
    expect(await countQueued(scene)).toEqual([1, 1, 1, 1]);
  }, 60_000);

  test("a workspace that gets a listing of its own hears of edits of what still waited", async () => {
    const scene = await aScene();
    const { externalAppId, listingId } = scene.app;
    await anApp(database, { workspaceId: (await aWorkspace(database)).id, externalAppId });
    await ingestAndDie(scene, [aReviewOf(1)]);
    const deps = { clock: world.clock, database };
    const listing = await ensurePrivateListing(deps, scene.app.id);
    expect(listing.id).not.toBe(listingId);
    const edit = aReviewOf(1, { rating: 1, date: minutesAgo(1) });
    expect(await ingestAndDie({ listing }, [edit])).toMatchObject({ queuedCount: 4 });
    await drainOld();
    expect(await countQueued(scene)).toEqual([2, 2, 2, 2]);
  }, 60_000);

  test("a move that is broken off is repeated, with what was queued before left alone", async () => {
    const scene = await aScene();
    await ingestAndDie(scene, [aReviewOf(1)]);
    await drainOld();
    await ingestAndDie(scene, [aReviewOf(2)]);
    const last = [...scene.channels].sort((one, next) => (one.id < next.id ? -1 : 1)).at(-1);
    // The last to be queued: the others are there by then.
    const lock = await world.lockQueueOf(last?.id ?? "");
    const moving = database.drainOutbox(scene.listing.id);
    const isBroken = async () => (await countQueued(scene)).filter((n) => n === 2).length === 3;
    await waitFor(isBroken, { withinMs: 10_000, what: "the other buckets" });
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'starpost' and state <> 'idle'`,
    );
    await moving;
    await lock.query("rollback");
    await lock.end();
    expect(await countWaiting()).toBe(1);
    await drainOld();
    expect(await countQueued(scene)).toEqual([2, 2, 2, 2]);
  }, 60_000);
});
