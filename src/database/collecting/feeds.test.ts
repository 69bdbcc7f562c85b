// An attempt that a user asks for does not put off the attempts that follow it.
import { expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import { hourMs } from "../../lib/timestamp.ts";

test("a feed that a user makes due keeps the back-off that it has", async () => {
  const { database, client, clock, close } = await openTestContextWithClient();
  try {
    const { listingId } = await anApp(database, { workspaceId: (await aWorkspace(database)).id });
    const now = clock.now();
    const key = { listingId, kind: "reviews", region: "jp" } as const;
    await database.setFeeds({ ...key, regions: ["jp"], now });
    const fail = (failureCount: number) =>
      client.query(
        "update feeds set failure_count = $1, outcome = 'unknown', next_due_at = $2 where listing_id = $3",
        [failureCount, new Date(now.getTime() + hourMs), listingId],
      );
    const read = async () => {
      const [feed] = await database.listFeeds(listingId);
      return [feed?.failureCount, feed?.nextDueAt.getTime()];
    };
    await fail(6);
    await database.makeFeedDueNow({ ...key, now });
    expect(await read()).toEqual([5, now.getTime()]);
    // It is due already: pressing again takes nothing back.
    await database.makeFeedDueNow({ ...key, now });
    expect(await read()).toEqual([5, now.getTime()]);
    // Alerts begin at three failures, and don't end by a press.
    await fail(3);
    await database.makeFeedDueNow({ ...key, now });
    expect(await read()).toEqual([3, now.getTime()]);
  } finally {
    await close();
  }
});
