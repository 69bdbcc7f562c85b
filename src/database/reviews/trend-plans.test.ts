// The cost of trends, read from the plans that PostgreSQL ran: rows of rollups of the weeks that are asked for and of
// the regions that are followed, however many reviews they summarize.
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import { addDays } from "../../lib/timestamp.ts";
import type { Database } from "../database.ts";
import { countTopics, countTopicsOfRanges, countWeeks } from "./review-counts.ts";

const newestDay = "2026-11-15";
const weekCount = 52;
const regions = "au br ca de es fr gb it jp us".split(" ");
const followed = regions.slice(0, 5);
const topics = "ads battery crash login sync".split(" ");
// An index and its table are read for each row, and the apps of the workspace besides.
const readsPerRow = 2;
const spare = 20;

let database: Database;
let client: pg.Client;
let workspaceId: string;
const apps: App[] = [];
beforeAll(async () => {
  const { close, ...context } = await openTestContextWithClient();
  ({ database, client } = context);
  workspaceId = (await aWorkspace(database)).id;
  for (const reviewsEach of [1, 10_000]) {
    const app = await anApp(database, { workspaceId });
    apps.push(app);
    await fillRollups(app, reviewsEach);
  }
  await client.query("analyze");
  return close;
});

async function fillRollups({ listingId }: App, reviewsEach: number): Promise<void> {
  const values = [listingId, newestDay, weekCount * 7, ["", ...regions], reviewsEach];
  await client.query(
    `insert into review_days (listing_id, region, day, total, stars_1, stars_2, stars_3, stars_4, stars_5,
       positive, neutral, negative, mixed)
     select $1, region, $2::date - n, $5::integer, 0, 0, 0, 0, $5, $5, 0, 0, 0
     from generate_series(0, $3::integer - 1) n, unnest($4::text[]) region`,
    values,
  );
  await client.query(
    `insert into review_weeks
     select listing_id, region, date_trunc('week', day::timestamp)::date, sum(total), sum(stars_1), sum(stars_2),
       sum(stars_3), sum(stars_4), sum(stars_5), sum(positive), sum(neutral), sum(negative), sum(mixed)
     from review_days where listing_id = $1 group by 1, 2, 3`,
    [listingId],
  );
  for (const [table, day] of [
    ["topic_days", "day"],
    ["topic_weeks", "week"],
  ]) {
    await client.query(
      `insert into ${table} (listing_id, region, ${day}, topic, total)
       select distinct $1::uuid, region, date_trunc('${day}', ($2::date - n)::timestamp)::date, topic, $5::integer
       from generate_series(0, $3::integer - 1) n, unnest($4::text[]) region, unnest($6::text[]) topic`,
      [...values, topics],
    );
  }
}

test.each([
  ["force_custom_plan", weekCount],
  ["force_generic_plan", weekCount],
  ["force_custom_plan", 4],
])("%s: trends of half of the regions over %i weeks read their rows", async (mode, weeks) => {
  await client.query(`set plan_cache_mode = ${mode}`);
  // Monday to Sunday.
  const days = { from: addDays(newestDay, 1 - 7 * weeks), to: newestDay };
  const plans = openPlanReader(client);
  for (const app of apps) {
    const seen = { workspaceId, apps: [{ ...app, regions: followed }], ...days };
    await countWeeks(plans.db, seen);
    const weekRows = followed.length * weeks;
    expect(plans.readCount()).toBeGreaterThanOrEqual(weekRows);
    expect(plans.readCount()).toBeLessThanOrEqual(readsPerRow * weekRows + spare);
    await countTopics(plans.db, { ...seen, limit: 10 });
    const topicRows = followed.length * topics.length * weeks;
    expect(plans.readCount()).toBeGreaterThanOrEqual(topicRows);
    expect(plans.readCount()).toBeLessThanOrEqual(readsPerRow * topicRows + spare);
    const ranges = seen.apps.flatMap((one) => [
      { app: one, ...days },
      { app: one, ...days },
    ]);
    await countTopicsOfRanges(plans.db, { workspaceId, ranges });
    expect(plans.readCount()).toBeGreaterThanOrEqual(2 * topicRows);
    expect(plans.readCount()).toBeLessThanOrEqual(2 * (readsPerRow * topicRows + spare));
  }
});
