// The cost of the overview, read from the plans that PostgreSQL ran: rows of rollups of the weeks, topics and apps that
// it shows, each once for the range and once for the days before it, however many reviews they summarize.
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import type { Database } from "../../database/database.ts";
import type { Db } from "../../database/query.ts";
import { bind } from "../../database/statements.ts";
import type { App } from "../../domain/feed/listing.ts";
import { composeOverview } from "./compose-overview.ts";

const appCount = 20;
const topicCount = 8;
// Mondays to Sundays, so that no day is read by itself.
const weekCount = 13;
const range = { from: "2026-08-17", to: "2026-11-15" };
const before = { from: "2026-05-18", to: "2026-08-16" };

let database: Database;
let client: pg.Client;
let workspaceId: string;
const apps: App[] = [];
beforeAll(async () => {
  const { close, ...context } = await openTestContextWithClient();
  ({ database, client } = context);
  workspaceId = (await aWorkspace(database)).id;
  while (apps.length < appCount) apps.push(await anApp(database, { workspaceId }));
  await client.query("update listings set regions = '{us}'");
  for (const [period, day] of [
    ["days", "day"],
    ["weeks", "week"],
  ]) {
    const days = `(select distinct date_trunc('${day}', d)::date as ${day}
      from generate_series('2025-11-17'::timestamp, '2026-11-15', interval '1 day') d) d`;
    const regions = "unnest(array['', 'us']) region";
    await client.query(
      `insert into review_${period} (listing_id, region, ${day}, total, stars_1, stars_2, stars_3, stars_4, stars_5,
         positive, neutral, negative, mixed)
       select l.id, region, ${day}, 100, 0, 0, 0, 0, 100, 100, 0, 0, 0 from listings l, ${regions}, ${days}`,
    );
    await client.query(
      `insert into topic_${period} (listing_id, region, ${day}, topic, total, negative_reviews)
       select l.id, region, ${day}, 'topic ' || n, 10, 1
       from listings l, ${regions}, ${days}, generate_series(1, ${topicCount}) n`,
    );
  }
  await client.query("vacuum analyze");
  // Plans like those of large tables, which are never scanned as a whole.
  await client.query("set enable_seqscan = off");
  return close;
});

test.each(["force_custom_plan", "force_generic_plan"])(
  "%s: an overview of many apps reads a row of each week and topic",
  async (mode) => {
    await client.query(`set plan_cache_mode = ${mode}`);
    const { db, readCount } = openCounter();
    // Explained, it would find no apps.
    const { listFollowedApps } = database;
    await composeOverview({ ...bind(db), listFollowedApps }, { workspaceId, apps, range, before });
    const weeksOfApps = appCount * weekCount;
    const needed = {
      topic_weeks: 2 * weeksOfApps * topicCount,
      // By app and week, before, and by region.
      review_weeks: 3 * weeksOfApps,
      topic_days: 0,
      // The first day of each app, and the two weeks from then on.
      review_days: 15 * appCount,
    };
    for (const [table, rows] of Object.entries(needed)) {
      expect([table, readCount(table)]).toEqual([table, rows]);
    }
  },
);

/** The statements of an overview run at once; to explain them they take turns on one connection. */
function openCounter(): { db: Db; readCount: (table: string) => number } {
  const plans = openPlanReader(client);
  const counts = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();
  const explain = async (statement: { name: string; text: string; values: unknown[] }) => {
    const explained = await plans.db.query(statement);
    // Asked once for each connection, and not explained.
    if (statement.name === "isDistributed") return explained;
    for (const table of ["topic_weeks", "topic_days", "review_weeks", "review_days"]) {
      counts.set(table, (counts.get(table) ?? 0) + plans.readCount([table]));
    }
    return explained;
  };
  const query = (statement: Parameters<typeof explain>[0]) => {
    const result = last.then(() => explain(statement));
    last = result;
    return result;
  };
  // Implements the one form of query that statements use.
  return { db: { query } as unknown as Db, readCount: (table) => counts.get(table) ?? 0 };
}
