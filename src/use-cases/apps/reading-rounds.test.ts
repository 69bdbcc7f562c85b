// The estimate of a store's round from the feeds in the database.
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, startTime } from "../../../test/support/factories.ts";
import { anyDueFeeds } from "../../../test/support/feeds.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { readRounds } from "./reading-rounds.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("a round is the feeds that are read each interval; one that fails and waits is not among them", async () => {
  const { database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const { listingId } = await anApp(database, { workspaceId });
  const regions = "us gb ca au de fr es it jp br".split(" ");
  for (const kind of ["reviews", "ratings"] as const) {
    await database.setFeeds({ listingId, kind, regions, now: startTime });
  }
  const pace = { requestsPerSecond: 0.002, intervalMinutes: 60 };
  // 157 requests a day, 20 of them for full crawls and ratings.
  const first = (await readRounds(database, pace)).get("appstore");
  expect(first).toMatchObject({
    roundMinutes: Math.ceil((10 * 1_440) / ((86_400 * 0.002) / 1.1 - 20)),
  });
  expect(first?.note).toContain("the 10 storefronts of all apps once takes about 1 h 4");
  const lease = { token: crypto.randomUUID(), now: startTime, leasedUntil: new Date() };
  const claimed = await database.claimDueFeeds({ ...lease, ...anyDueFeeds() });
  for (const feed of claimed.filter(({ kind }) => kind === "reviews")) {
    const nextDueAt = new Date(startTime.getTime() + 24 * hourMs + minuteMs);
    await database.rescheduleFeed({ ...feed, lastError: "HTTP 503", nextDueAt, now: startTime });
  }
  expect((await readRounds(database, pace)).get("appstore")).toEqual({
    ...{ intervalMinutes: 60, roundMinutes: 60, note: null },
  });
  // Whether they fit does not depend on which of them wait: 10 ratings and 10 full crawls beside them.
  expect(await database.readStoreLoads(pace)).toMatchObject([
    { feedCount: 0, dailyRequestCount: 40, wholeFeedCount: 10, wholeDailyRequestCount: 20 },
  ]);
});
