// A real SIGKILL of the built service in the middle of a first walk over thousands of reviews: the next
// one goes on where it was, the backfill is not announced, and later reviews are announced to all channels.
// CHAOS_SCALE=25 makes it 100,000 reviews.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Catalogue } from "../../../simulator/catalogue.ts";
import { openSimulator } from "../../../simulator/simulator.ts";
import { StoreState } from "../../../simulator/store-state.ts";
import { defaultLanguages, type Listing } from "../../../src/domain/feed/listing.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";
import { dayMs, secondMs } from "../../../src/lib/timestamp.ts";
import { ensureBuilt, type RunningService, startServe } from "../../support/built-cli.ts";
import { aChannel, aWorkspace } from "../../support/factories.ts";
import { MovableClock } from "../../support/movable-clock.ts";
import { longTest } from "../../support/patience.ts";
import { openTestContext, type TestContext } from "../../support/test-context.ts";
import { waitFor } from "../../support/wait-for.ts";

const reviewCount = 4_000 * Number(process.env["CHAOS_SCALE"] ?? 1);
const pageSize = 150;
// The store of the test needs no mercy.
const requestsPerSecond = 1_000;
const waiting = { withinMs: 300 * secondMs, what: "the crawls of all feeds" };
const encryptionKey = Buffer.alloc(32, 7);
const resources = new ResourceStack();
let context: TestContext;
let cwd: string;

beforeAll(async () => {
  ensureBuilt();
  cwd = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-backfill-"));
  resources.add(() => fs.rm(cwd, { recursive: true, maxRetries: 5 }));
  context = await openTestContext();
  resources.add(() => context.close());
});
afterAll(() => resources.closeAll());

test(
  "a backfill that is killed goes on, is silent, and nothing after it is lost",
  async () => {
    // The store is a day behind, so that moving it on reveals reviews that don't count as too old.
    const clock = new MovableClock(new Date(systemClock.now().getTime() - dayMs));
    const catalogue = new Catalogue({ appCount: 1, reviewCount, seed: 3, openedAt: clock.now() });
    const store = new StoreState(clock, catalogue);
    const simulator = await openSimulator({ clock, storeState: store });
    resources.add(() => simulator.close());
    const [sold] = catalogue.appsFrom("googleplay", { start: 0, count: 1 });
    const key = { store: "googleplay" as const, externalAppId: sold?.externalAppId ?? "" };
    const idsNow = (): Set<string> => {
      const list = store.reviewList(key, "all");
      return new Set(list.slice(0, list.length).map(({ storeReviewId }) => storeReviewId));
    };
    const { listing, channelId } = await follow(key.externalAppId);
    const start = (): Promise<RunningService> =>
      startServe({
        cwd,
        env: {
          DATABASE_URL: context.connectionString,
          ENCRYPTION_KEY: encryptionKey.toString("base64"),
          PORT: "0",
          ROLES: "collect",
          LOG_LEVEL: "info",
          COLLECT_REQUESTS_PER_SECOND: String(requestsPerSecond),
          GOOGLE_PLAY_BASE_URL: simulator.url,
        },
      });

    // The first request for a second page hangs: one page is saved, the backfill is in progress.
    const hanging = { kind: "play-reviews", page: 2 } as const;
    simulator.faultFlags.enable({ fault: "hang", when: hanging });
    const first = await start();
    const hung = await waitFor(() => simulator.requests.find(({ page }) => page === 2), {
      withinMs: 60 * secondMs,
      what: () => `a second page; ${simulator.requests.length} requests came`,
    });
    await first.stop("SIGKILL");
    const storedAtKill = await countStored(listing);
    expect(storedAtKill).toBeGreaterThanOrEqual(pageSize);
    expect(storedAtKill).toBeLessThan(reviewCount / 2);
    const requestsAtKill = simulator.requests.length;
    simulator.faultFlags.disable();
    await expireLeases();
    const second = await start();
    await waitFor(async () => {
      const feeds = await context.database.listFeeds(listing.id);
      return feeds.every(({ baselineAt }) => baselineAt !== null);
    }, waiting);
    const old = idsNow();
    expect(await countStored(listing)).toBe(old.size);
    // It goes on at the checkpoint. In each language, it reads the pages in flight and one for the end, and of a new page one again
    // and two of others.
    const left = (old.size - storedAtKill) / pageSize + 6 * defaultLanguages.length;
    expect(simulator.requests.length - requestsAtKill).toBeLessThan(left);
    const resumed = simulator.requests.slice(requestsAtKill);
    const pagesOfHung = resumed.filter(({ region }) => region === hung.region);
    expect(pagesOfHung[0]?.page).toBe(2);
    expect(await listEvents(channelId)).toEqual([]);

    clock.advance(dayMs);
    const fresh = [...idsNow()].filter((id) => !old.has(id));
    expect(fresh.length).toBeGreaterThan(reviewCount / 2_000);
    const dueAt = systemClock.now();
    for (const feed of await context.database.listFeeds(listing.id)) {
      await context.database.makeFeedDueNow({ ...feed, now: dueAt });
    }
    await context.database.notify("feeds");
    await waitFor(async () => {
      const feeds = await context.database.listFeeds(listing.id);
      return feeds.every(({ checkedAt }) => checkedAt !== null && checkedAt > dueAt);
    }, waiting);
    expect(await second.stop()).toBe(0);
    expect(await countStored(listing)).toBe(old.size + fresh.length);
    expect(
      (await listEvents(channelId)).filter((event) => event === "review.created"),
    ).toHaveLength(fresh.length);
  },
  longTest.timeout,
);

/** Expires the leases of a killed process, as half a minute would. */
async function expireLeases(): Promise<void> {
  await runQuery("update feeds set leased_until = now() where lease_token is not null", []);
}

async function follow(externalAppId: string): Promise<{ listing: Listing; channelId: string }> {
  const { database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const now = systemClock.now();
  const id = crypto.randomUUID();
  const facts = { id, store: "googleplay" as const, externalAppId, workspaceId: null };
  const listing = await database.ensureListing({ ...facts, now });
  const regions = { countries: [], languages: defaultLanguages, addedAt: now };
  await database.insertApp({
    ...{ id: crypto.randomUUID(), workspaceId, listingId: listing.id, name: "Tides" },
    ...regions,
  });
  await database.setFeeds({ listingId: id, kind: "reviews", regions: defaultLanguages, now });
  const channel = aChannel({ workspaceId, createdAt: now });
  const encryptedSecret = createSecretBox([encryptionKey]).seal("whsec_aW52ZW50ZWQ=", channel.id);
  await database.insertChannel({ ...channel, encryptedSecret });
  return { listing, channelId: channel.id };
}

async function countStored(listing: Listing): Promise<number> {
  const counting = "select count(*)::int as count from reviews where listing_id = $1";
  const [found] = await runQuery<{ count: number }>(counting, [listing.id]);
  return found?.count ?? 0;
}

async function runQuery<Row extends pg.QueryResultRow>(
  statement: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client(context.connectionString);
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

async function listEvents(channelId: string): Promise<string[]> {
  const query = { channelId, workspaceId: null, status: null, beforeId: null, limit: 1_000 };
  return (await context.database.listDeliveries(query)).map(({ event }) => event);
}
