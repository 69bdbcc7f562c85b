// The work that faults befall: each phase begins something, says when the moment for the fault has come, and brings
// it to its end afterwards, as its user would. Owed deliveries are in the ledger before they can arrive.

import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { openDatabase } from "../../../src/database/database.ts";
import { reviewIdOf } from "../../../src/domain/review/review.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { type RunningCommand, runStarpost, startStarpost } from "../../support/built-cli.ts";
import { aDelivery } from "../../support/factories.ts";
import { readRollups } from "../../support/read-rollups.ts";
import { recountRollups } from "../../support/recount.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Random } from "./model-steps.ts";
import { patienceMs, type World } from "./rounds-world.ts";

export type Begun = { command: RunningCommand | null; finish(): Promise<void> };

export type Phase = (world: World, random: Random) => Promise<Begun>;

export type Scene = Awaited<ReturnType<typeof openScene>>;

const regions = ["us", "gb"];
const publicApp = { store: "appstore", externalAppId: "1700000001" } as const;
const privateApp = { store: "appstore", externalAppId: "1700000002" } as const;

/** An app that is crawled, with a first page behind it, one that is imported into. */
export async function openScene(world: World) {
  const { storeState, database } = world;
  storeState.addApp(publicApp);
  for (let index = 0; index < 40; index += 1) writeReview(world, index);
  const crawled = await world.addWorkspace("/crawled");
  const imported = await world.addWorkspace("/imported");
  const followed = await follow(world, { ...publicApp, workspaceId: crawled.workspaceId });
  const filled = await follow(world, {
    ...{ ...privateApp, workspaceId: imported.workspaceId, isPrivate: true },
  });
  await waitFor(
    async () => (await database.listFeeds(followed.listingId)).every((feed) => feed.baselineAt),
    { withinMs: patienceMs, what: "the backfill" },
  );
  return { crawled, imported, followed, filled };
}

async function follow(
  world: World,
  app: { store: "appstore"; externalAppId: string; workspaceId: string; isPrivate?: boolean },
): Promise<{ appId: string; listingId: string }> {
  const { store, externalAppId, workspaceId, isPrivate = false } = app;
  const now = systemClock.now();
  const { id: listingId } = await world.database.ensureListing({
    ...{ id: randomUUID(), store, externalAppId, now },
    workspaceId: isPrivate ? workspaceId : null,
  });
  const appId = randomUUID();
  await world.database.insertApp({
    ...{ id: appId, workspaceId, listingId, name: "Tidepool", countries: regions },
    ...{ languages: [], addedAt: now },
  });
  if (!isPrivate) await world.database.setFeeds({ listingId, kind: "reviews", regions, now });
  return { appId, listingId };
}

function writeReview({ storeState }: World, index: number): string {
  const region = regions[index % regions.length] ?? "us";
  const rating = 1 + (index % 5);
  const text = `Note ${index}: the sync lost what I wrote on the train.`;
  return storeState.addReview(publicApp, { region, rating, title: `Note ${index}`, text });
}

const reviewId = (app: typeof publicApp | typeof privateApp, storeReviewId: string): string =>
  reviewIdOf({ ...app, storeReviewId });

/** `isLate`: not when the store is asked, but up to 80 ms later: around the time when reviews are matched and saved. */
export function crawl({ followed }: Scene, { isLate }: { isLate: boolean }): Phase {
  return async (world, random) => {
    const ids = Array.from({ length: 30 }, (_, index) => writeReview(world, index));
    world.ledger.owe(
      "/crawled",
      ids.map((id) => reviewId(publicApp, id)),
    );
    const requestCount = world.simulator.requests.length;
    await makeDue(world, followed.listingId);
    await waitFor(() => world.simulator.requests.length > requestCount, {
      withinMs: patienceMs,
      what: "a request to the store",
    });
    if (isLate) await delay(random.below(80));
    return { command: null, finish: () => crawlUntilDelivered(world, followed.listingId) };
  };
}

async function makeDue(world: World, listingId: string): Promise<void> {
  const now = systemClock.now();
  for (const region of regions) {
    const feed = { listingId, kind: "reviews" as const, region, now };
    await world.persist(() => world.database.makeFeedDueNow(feed));
  }
  await world.persist(() => world.database.notify("feeds"));
}

/** A crawl that broke off is due again later than a test wants to wait. */
async function crawlUntilDelivered(world: World, listingId: string): Promise<void> {
  await waitFor(
    async () => {
      if (world.ledger.listMissing().length === 0) return true;
      await makeDue(world, listingId);
      return false;
    },
    { withinMs: patienceMs, intervalMs: 500, what: "the reviews of the crawl" },
  );
}

export function deliver({ crawled }: Scene): Phase {
  return async (world, random) => {
    const now = systemClock.now();
    const deliveries = Array.from({ length: 300 }, () => aDelivery(crawled.channel, { now }));
    world.ledger.owe(
      "/crawled",
      deliveries.map(({ id }) => id),
    );
    const countBefore = world.ledger.arrivalCount;
    await world.database.enqueueDeliveries({ deliveries, now });
    await world.database.notify("deliveries");
    const enough = countBefore + random.below(250);
    await waitFor(() => world.ledger.arrivalCount > enough, {
      withinMs: patienceMs,
      what: "deliveries",
    });
    return { command: null, finish: async () => {} };
  };
}

export function importRows({ filled }: Scene): Phase {
  return async (world, random) => {
    const rows = rowsOf(1_500);
    const begun = await beginImport(world, {
      appId: filled.appId,
      hook: "/imported",
      rows,
      random,
    });
    const finish = async (): Promise<void> => {
      await begun.finish();
      await expectRollups(world, filled.listingId);
    };
    return { ...begun, finish };
  };
}

/** The first import into an app on a shared listing: it gets a copy, of which nothing is announced. */
export function fork({ followed }: Scene): Phase {
  return async (world, random) => {
    const hook = `/fork-${randomUUID()}`;
    const { workspaceId, channel } = await world.addWorkspace(hook);
    const { appId } = await follow(world, { ...publicApp, workspaceId });
    const begun = await beginImport(world, {
      appId,
      hook,
      rows: rowsOf(3),
      random,
      app: publicApp,
    });
    const finish = async (): Promise<void> => {
      await begun.finish();
      const app = await world.persist(() => world.database.findApp({ id: appId, workspaceId }));
      const listingId = app?.listingId ?? "";
      expect(listingId).not.toBe(followed.listingId);
      const copied = (await listReviews(world, listingId)).map(({ id }) => id);
      const shared = (await listReviews(world, followed.listingId)).map(({ id }) => id);
      expect(copied).toEqual(expect.arrayContaining(shared));
      await expectRollups(world, listingId);
      // Reviews that later rounds write are not theirs.
      await world.query("update feeds set next_due_at = 'infinity' where listing_id = $1", [
        listingId,
      ]);
      await settle(world);
      await world.persist(() => world.database.deleteChannel(channel.id));
    };
    return { ...begun, finish };
  };
}

type Row = { id: string } & Record<string, unknown>;

function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: randomUUID(), rating: 1 + (index % 5), date: "2026-10-01T12:00:00Z" },
    text: `Row ${index}: the tide table was right.`,
  }));
}

async function beginImport(
  world: World,
  begin: { appId: string; hook: string; rows: Row[]; random: Random; app?: typeof publicApp },
): Promise<Begun> {
  const { appId, hook, rows, random, app = privateApp } = begin;
  const file = path.join(world.home, "rows.jsonl");
  await fs.writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const args = ["import", "reviews", "--app", appId, file, "--notify", "--json"];
  world.ledger.owe(
    hook,
    rows.map(({ id }) => reviewId(app, id)),
  );
  const command = startStarpost(args, world.run);
  await delay(random.below(2_500));
  const finish = async (): Promise<void> => {
    await command.result;
    // The same file again: what is known stays as it is.
    const again = await runStarpost(args, world.run);
    expect(again.code, again.stderr).toBe(0);
    const { inserted, unchanged } = JSON.parse(again.stdout);
    expect(inserted + unchanged).toBe(rows.length);
  };
  return { command, finish };
}

export const migrateEmpty: Phase = async (world, random) => {
  const name = `empty_${randomUUID().replaceAll("-", "")}`;
  await world.query(`create database ${name} template template0`);
  const run = { ...world.run, env: { ...world.run.env, DATABASE_URL: world.urlOf(name) } };
  const command = startStarpost(["migrate"], run);
  await delay(random.below(2_000));
  const finish = async (): Promise<void> => {
    await command.result;
    const again = await runStarpost(["migrate"], run);
    expect(again.code, again.stderr).toBe(0);
    const connection = { connectionString: world.urlOf(name) };
    const database = await openDatabase({ log: silentLog, connection });
    expect(await database.isMigrated()).toBe(true);
    await database.close();
    await world.query(`drop database ${name} with (force)`);
  };
  return { command, finish };
};

/** Until everything that is owed has come. */
export async function settle(world: World): Promise<void> {
  await waitFor(() => world.ledger.listMissing().length === 0, {
    withinMs: patienceMs,
    what: () => `what is owed: ${world.ledger.listMissing().length} are missing`,
  });
}

function listReviews(world: World, listingId: string) {
  const query = { listingId, afterId: null, limit: 200_000 };
  return world.persist(() => world.database.listReviewsById(query));
}

export async function expectRollups(world: World, listingId: string): Promise<void> {
  const connectionString = world.run.env["DATABASE_URL"] ?? "";
  const rollups = await world.persist(() => readRollups({ connectionString }, listingId));
  expect(rollups).toEqual(recountRollups(await listReviews(world, listingId)));
}
