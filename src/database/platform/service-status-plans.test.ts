// What the operator's figures cost where there are many feeds and jobs: they read so many of them, and say about what
// all of them would.
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, startTime } from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import { hourMs } from "../../lib/timestamp.ts";
import type { Database } from "../database.ts";
import {
  listFailingFeeds,
  listFeedClasses,
  listJobBacklogs,
  readStoreLoads,
} from "./service-status.ts";

const feedCount = 20_000;
const jobCount = 5_000;
const countedMax = 2_000;
// Pages are chosen at random: twice as many as there should be never come, nor a fifth.
const readMax = 2 * countedMax;
const later = new Date(startTime.getTime() + 2 * hourMs);

let database: Database;
let client: pg.Client;
beforeAll(async () => {
  const { close, ...context } = await openTestContextWithClient();
  ({ database, client } = context);
  const { listingId } = await anApp(database, { workspaceId: (await aWorkspace(database)).id });
  // Half are due, the third of these late; a fiftieth of all fails.
  await client.query(
    `insert into feeds (listing_id, kind, region, store, is_official, baseline_at, full_crawl_due_at, next_due_at,
       checked_at, good_at, interval_minutes, outcome, last_error)
     select $1, 'reviews', n::text, 'appstore', false, $2::timestamptz, $2::timestamptz + interval '20 hours',
       $2::timestamptz + n % 6 * interval '40 minutes', $2::timestamptz - interval '1 hour', $2, 60,
       case n % 50 when 0 then 'unknown' else 'ok' end, 'HTTP 503'
     from generate_series(1, $3::integer) n`,
    [listingId, startTime, feedCount],
  );
  await client.query(
    `insert into reviews (listing_id, id, store_review_id, author, rating, body, version, country, date, first_seen_at)
     values ($1, $1, '1', '', 5, '', '', 'us', $2, $2)`,
    [listingId, startTime],
  );
  await client.query(
    `insert into provider_jobs (listing_id, review_id, kind, content_hash, language, rating, body, is_urgent, due_at, queued_at)
     select $1, $1, 'analyse', decode(lpad(to_hex(n), 64, '0'), 'hex'), 'en', 5, '', false, $2, $2
     from generate_series(1, $3::integer) n`,
    [listingId, startTime, jobCount],
  );
  await client.query("vacuum analyze");
  return close;
});

test("of very many feeds some are read, for about the same figures", async () => {
  const reader = openPlanReader(client);
  const load = { intervalMinutes: 60, countedMax };
  await readStoreLoads(reader.db, load);
  expect(reader.readCount(["feeds"])).toBeLessThan(readMax);
  const [{ wholeFeedCount: estimate = 0 } = {}] = await database.readStoreLoads(load);
  expect(estimate).toBeGreaterThan(feedCount / 5);
  expect(estimate).toBeLessThan(2 * feedCount);
  const query = { now: later, lateBefore: startTime, countedMax, dueMax: 100 };
  await listFeedClasses(reader.db, query);
  expect(reader.readCount(["feeds"])).toBeLessThan(readMax + 100);
});

test("of fewer all are read, for exact figures; what is due is looked for by the index", async () => {
  const { listFeedClasses: classes, readStoreLoads: loads } = database;
  expect(await loads({ intervalMinutes: 60 })).toMatchObject([{ wholeFeedCount: feedCount }]);
  const lateBefore = new Date(startTime.getTime() + 1);
  const due = { count: feedCount, dueSince: startTime, lastGoodAt: startTime };
  const lateCount = Math.floor(feedCount / 6);
  expect(await classes({ now: later, lateBefore })).toEqual([
    { store: "appstore", kind: "reviews", ...due, lateCount },
  ]);
  expect(await classes({ now: later, lateBefore, dueMax: 100 })).toMatchObject([{ lateCount }]);
});

test("feeds that fail are found without those that don't, and no more than are counted", async () => {
  const reader = openPlanReader(client);
  await listFailingFeeds(reader.db, { limit: 10, countedMax: 150 });
  expect(reader.readCount(["feeds"])).toBe(150);
  const counted = { limit: 10, countedMax: 10_000 };
  await listFailingFeeds(reader.db, counted);
  expect(reader.readCount(["feeds"])).toBe(feedCount / 50);
  expect(await database.listFailingFeeds(counted)).toMatchObject([
    { store: "appstore", reason: "HTTP 503", count: feedCount / 50 },
  ]);
});

test("jobs are counted up to a limit", async () => {
  const reader = openPlanReader(client);
  await listJobBacklogs(reader.db, { now: later, countedMax: 500 });
  expect(reader.readCount(["provider_jobs"])).toBe(500);
  expect(await database.listJobBacklogs({ now: later, countedMax: 500 })).toEqual([
    { kind: "analyse", count: 500, dueCount: 500, dueSince: startTime },
  ]);
  expect(await database.listJobBacklogs({ now: later })).toMatchObject([{ count: jobCount }]);
});
