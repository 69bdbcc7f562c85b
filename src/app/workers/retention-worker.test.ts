// Data that would grow for ever is deleted, and nothing else is.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { anApp, aWorkspace, saveChannel, saveSnapshots } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { silentLog } from "../../lib/log.ts";
import { runRetentionRound } from "./retention-worker.ts";

let context: TestContext;
let workspaceId: string;
beforeEach(async () => {
  context = await openTestContext();
  workspaceId = (await aWorkspace(context.database)).id;
  return () => context.close();
});

async function runRound(): Promise<unknown[]> {
  const logged: unknown[] = [];
  const log = { ...silentLog, info: (facts: object) => void logged.push(facts) };
  const { signal } = new AbortController();
  await runRetentionRound({ ...context, log }, { editEventDays: 400, signal });
  return logged;
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
  const client = new pg.Client(context.connectionString);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

test("a channel forgets a review after as many days as the setting says, not before", async () => {
  const { id: channelId } = await saveChannel(context.database, {
    workspaceId,
    createdAt: context.clock.now(),
  });
  const [old, recent, fresh] = [randomUUID(), randomUUID(), randomUUID()];
  const announcements = [old, recent, fresh].map((reviewId) => ({
    id: randomUUID(),
    channelId,
    reviewId,
  }));
  await context.database.announce({ announcements, now: context.clock.now() });
  const age = "update channel_reviews set queued_on = current_date - $2::int where review_id = $1";
  await query(age, [old, 401]);
  await query(age, [recent, 400]);
  expect(await runRound()).toEqual([{ pairCount: 1, snapshotCount: 0 }]);
  const left = await context.database.listChannelReviews({
    channelIds: [channelId],
    reviewIds: [old, recent, fresh],
  });
  expect(left.map(({ reviewId }) => reviewId).sort()).toEqual([recent, fresh].sort());
});

test("ratings of over thirteen months ago are kept for Mondays, and where nothing newer is known", async () => {
  const app = await anApp(context.database, { workspaceId });
  // The clock is at 2026-11-21; 2025-10-21 is 396 days before.
  const days = ["2025-10-13", "2025-10-14", "2025-10-19", "2025-10-20", "2025-10-21", "2026-11-20"];
  await saveSnapshots(
    context.database,
    app,
    days.map((day) => ({ day, region: "us" })),
  );
  await saveSnapshots(context.database, app, [
    { day: "2024-03-05", region: "gb" },
    { day: "2024-03-06", region: "gb" },
  ]);
  expect(await runRound()).toEqual([{ pairCount: 0, snapshotCount: 3 }]);
  const rows = await query<{ key: string }>(
    "select region || ' ' || day::text as key from snapshots order by region, day",
  );
  expect(rows.map(({ key }) => key)).toEqual([
    "gb 2024-03-06",
    "us 2025-10-13",
    "us 2025-10-20",
    "us 2025-10-21",
    "us 2026-11-20",
  ]);
  expect(await runRound()).toEqual([]);
});

test("the status shows how fast a table grows, from its daily sizes", async () => {
  await runRound();
  const sizes = await context.database.listTableSizes(100);
  expect(sizes.every(({ bytesPerDay }) => bytesPerDay === null)).toBe(true);
  await query(
    "update table_sizes set day = current_date - 4, bytes = bytes - 4000 where name = 'reviews'",
  );
  await runRound();
  const [reviews] = (await context.database.listTableSizes(100)).filter(
    ({ name }) => name === "reviews",
  );
  expect(reviews?.bytesPerDay).toBe(1_000);
  await query(
    "update table_sizes set day = current_date - 31 where name = 'reviews' and day < current_date",
  );
  await runRound();
  const kept = await query<{ count: number }>(
    "select count(*)::int as count from table_sizes where name = 'reviews'",
  );
  expect(kept).toEqual([{ count: 1 }]);
});
