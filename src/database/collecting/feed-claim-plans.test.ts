// The cost of looking for due feeds when thousands are due: it reads those that it takes, also for a lane that has
// nothing due, and what a clock or a process left behind is found without reading all.
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, startTime } from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import { hourMs } from "../../lib/timestamp.ts";
import type { Database } from "../database.ts";
import { type CrawlLane, claimDueFeeds } from "./feed-claims.ts";
import { postponeLostFeeds, pullFeedsForward } from "./feeds.ts";

const feedCount = 5_000;
const later = new Date(startTime.getTime() + 2 * hourMs);
const lane = { store: "appstore", isOfficial: false, after: null } as const;
const lanes: CrawlLane[] = [
  { ...lane, name: "short", isLong: false, limit: 3 },
  { ...lane, name: "long", isLong: true, limit: 2 },
];

let database: Database;
let client: pg.Client;
let listingId: string;
beforeAll(async () => {
  const { close, ...context } = await openTestContextWithClient();
  ({ database, client } = context);
  ({ listingId } = await anApp(database, { workspaceId: (await aWorkspace(database)).id }));
  return close;
});

/** All are due; their next crawl is a long one or not. */
async function fill({ isLong }: { isLong: boolean }): Promise<void> {
  await client.query("truncate feeds");
  await client.query(
    `insert into feeds (listing_id, kind, region, store, is_official, baseline_at, full_crawl_due_at, next_due_at,
       interval_minutes, outcome)
     select $1, 'reviews', n::text, 'appstore', false, $2::timestamptz, $2::timestamptz + $3::interval,
       $2::timestamptz + n * interval '100 ms', 60, 'ok' from generate_series(1, $4::integer) n`,
    [listingId, startTime, isLong ? "0" : "20 hours", feedCount],
  );
  await client.query("vacuum analyze feeds");
}

test.each([
  ["the short ones", { isLong: false }, 3],
  ["the long ones", { isLong: true }, 2],
])("a claim reads what it takes, where only %s are due", async (_, due, taken) => {
  await fill(due);
  const reader = openPlanReader(client);
  const token = crypto.randomUUID();
  const leasedUntil = new Date(later.getTime() + 1);
  await claimDueFeeds(reader.db, { token, now: later, leasedUntil, lanes });
  const { rows } = await client.query("select count(*)::int from feeds where lease_token = $1", [
    token,
  ]);
  expect(rows[0].count).toBe(taken);
  expect(reader.readCount()).toBeLessThan(50);
  // With the plan that connections keep, too.
  await client.query("set plan_cache_mode = force_generic_plan");
  await claimDueFeeds(reader.db, { token, now: later, leasedUntil, lanes });
  await client.query("reset plan_cache_mode");
  expect(reader.readCount()).toBeLessThan(50);
  await postponeLostFeeds(reader.db, later);
  expect(reader.readCount()).toBeLessThan(50);
  // All are due within the interval.
  await pullFeedsForward(reader.db, { now: later, intervalMinutes: 60 });
  expect(reader.readCount()).toBeLessThan(50);
});

test("a claim looks once into each line that has nothing due", async () => {
  const lineCount = 500;
  await fill({ isLong: false });
  await client.query(
    `update feeds set line = lpad((region::integer % $1)::text, 32, '0')::uuid,
       next_due_at = case when region::integer % $1 = 0 then next_due_at else $2 end`,
    [lineCount, new Date(later.getTime() + hourMs)],
  );
  await client.query("vacuum analyze feeds");
  const reader = openPlanReader(client);
  const lease = { token: crypto.randomUUID(), now: later, leasedUntil: later };
  for (const mode of ["auto", "force_generic_plan"]) {
    await client.query(`set plan_cache_mode = ${mode}`);
    await claimDueFeeds(reader.db, { ...lease, lanes });
    expect(reader.readCount()).toBeLessThan(4 * lineCount);
  }
  await client.query("reset plan_cache_mode");
});

test("what waits by its own long interval is left alone, and what a wrong clock scheduled is due", async () => {
  await fill({ isLong: false });
  const at = (hours: number): Date => new Date(startTime.getTime() + hours * hourMs);
  const set = (region: string, hours: number, minutes: number) =>
    client.query("update feeds set next_due_at = $2, interval_minutes = $3 where region = $1", [
      region,
      at(hours),
      minutes,
    ]);
  await set("1", 70, 3 * 1_440);
  await set("2", 70, 60);
  await set("3", 1.05, 60);
  await database.pullFeedsForward({ now: startTime, intervalMinutes: 60 });
  const { rows } = await client.query(
    "select next_due_at as due from feeds where region in ('1', '2', '3') order by region",
  );
  expect(rows.map(({ due }) => due)).toEqual([at(70), startTime, at(1.05)]);
});
