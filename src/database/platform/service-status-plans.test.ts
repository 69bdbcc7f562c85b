// The operator's figures where there are many feeds and jobs.
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, startTime } from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import { hourMs } from "../../lib/timestamp.ts";
import type { Database } from "../database.ts";
import { listFailingFeeds } from "./service-status.ts";

const feedCount = 20_000;
const jobCount = 5_000;
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

test("figures are exact, however many feeds and jobs there are", async () => {
  expect(await database.readStoreLoads({ intervalMinutes: 60 })).toMatchObject([
    { wholeFeedCount: feedCount },
  ]);
  const lateBefore = new Date(startTime.getTime() + 1);
  const due = { count: feedCount, dueSince: startTime, lastGoodAt: startTime };
  expect(await database.listFeedClasses({ now: later, lateBefore })).toEqual([
    { store: "appstore", kind: "reviews", ...due, lateCount: Math.floor(feedCount / 6) },
  ]);
  expect(await database.listJobBacklogs({ now: later })).toEqual([
    { kind: "analyse", count: jobCount, dueCount: jobCount, dueSince: startTime },
  ]);
});

test("feeds that fail are found without those that don't", async () => {
  const reader = openPlanReader(client);
  await listFailingFeeds(reader.db, 10);
  expect(reader.readCount(["feeds"])).toBe(feedCount / 50);
  expect(await database.listFailingFeeds(10)).toMatchObject([
    { store: "appstore", reason: "HTTP 503", count: feedCount / 50 },
  ]);
});
