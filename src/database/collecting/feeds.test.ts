// A crawl that a user asks for ahead of its time leaves the schedule of the feed as it was if it fails.
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import { endUnknown, startCrawl } from "../../domain/feed/crawl-state.ts";
import type { FeedKey } from "../../domain/feed/feed.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";

let context: Awaited<ReturnType<typeof openTestContextWithClient>>;
beforeAll(async () => {
  context = await openTestContextWithClient();
});
afterAll(() => context.close());

async function aFailingFeed(): Promise<FeedKey> {
  const { database, client, clock } = context;
  const { listingId } = await anApp(database, { workspaceId: (await aWorkspace(database)).id });
  const key = { listingId, kind: "reviews", region: "jp" } as const;
  await database.setFeeds({ ...key, regions: ["jp"], now: clock.now() });
  await client.query(
    "update feeds set failure_count = 4, outcome = 'unknown', next_due_at = $1 where listing_id = $2",
    [new Date(clock.now().getTime() + 12 * minuteMs), listingId],
  );
  return key;
}

async function failCrawl({ listingId }: FeedKey, now: Date): Promise<void> {
  const { database } = context;
  const claim = { token: uuidV7(now), now, leasedUntil: new Date(now.getTime() + minuteMs) };
  const [feed] = await database.claimFeedsOfListing({ ...claim, listingId });
  if (!feed) throw new Error("the feed was not claimed");
  const state = { feed, checkpoint: startCrawl(feed, now), isCapped: false, error: null };
  const moment = { now, random: 0.5, intervalMinutes: 60, intervalMinutesMax: 60 };
  const end = endUnknown(state, { stopReason: "no answer", error: "HTTP 500", moment });
  await database.finishFeed({ ...feed, ...end });
}

const waysToAsk: [string, (feed: FeedKey, now: Date) => Promise<void>][] = [
  [
    "pressing Retry twice",
    async (feed, now) => {
      await context.database.makeFeedDueNow({ ...feed, now });
      await context.database.makeFeedDueNow({ ...feed, now });
      expect(await context.database.listFeeds(feed.listingId)).toMatchObject([{ nextDueAt: now }]);
      await failCrawl(feed, now);
    },
  ],
  ["collecting the app", failCrawl],
];

test.each(waysToAsk)("%s keeps the time and the failures of a failing feed", async (_, crawl) => {
  const { database, clock } = context;
  const now = clock.now();
  const feed = await aFailingFeed();
  const planned = new Date(now.getTime() + 12 * minuteMs);
  for (let tries = 0; tries < 3; tries += 1) {
    await crawl(feed, now);
    const [found] = await database.listFeeds(feed.listingId);
    expect(found).toMatchObject({ failureCount: 4, nextDueAt: planned, plannedDueAt: null });
  }
  await failCrawl(feed, planned);
  const [found] = await database.listFeeds(feed.listingId);
  expect(found).toMatchObject({ failureCount: 5 });
  expect(found?.nextDueAt.getTime()).toBe(planned.getTime() + 24 * hourMs);
});
