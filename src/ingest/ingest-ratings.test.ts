// The daily snapshots, and the rule of rating drops, in one transaction.
import { afterAll, beforeAll, expect, test } from "vitest";
import { asAnother } from "../../test/support/as-another.ts";
import {
  anApp,
  aWorkspace,
  saveChannel,
  saveSnapshots,
  startTime,
} from "../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { causeOfRatingDrop } from "../domain/channel/announced-cause.ts";
import { addDays, dayOf } from "../lib/timestamp.ts";
import { createRatingsIngest } from "./ingest-ratings.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("a channel that is deleted in the middle of a drop costs no snapshot", async () => {
  const { clock, database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const app = await anApp(database, { workspaceId, countries: ["us"] });
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("the new listing is missing");
  const channel = await saveChannel(database, {
    ...{ workspaceId, createdAt: startTime, periodDays: 1 },
    events: ["review.rating_drop"],
  });
  const day = dayOf(startTime);
  await saveSnapshots(database, app, [{ day: addDays(day, -1), average: 4.5, total: 1_000 }]);
  const ingest = createRatingsIngest({
    clock,
    database: {
      ...database,
      transaction: (work) =>
        database.transaction((tx) =>
          work({
            ...tx,
            // The channel is known by now; it goes before anything is written for it.
            async listChannelCauses(query) {
              await asAnother(() => database.deleteChannel(channel.id));
              return tx.listChannelCauses(query);
            },
          }),
        ),
    },
  });
  const snapshot = { region: "us", day, average: 4, total: 1_000, histogram: null };
  expect(await ingest({ listing, snapshots: [snapshot] })).toMatchObject({
    inserted: 1,
    queuedCount: 1,
  });
  const saved = await database.listSnapshotsAsOf({
    ...{ listingId: listing.id, day, withHistogram: false },
  });
  expect(saved).toMatchObject([{ day, average: 4 }]);
  const announced = { channelIds: [channel.id], causes: [causeOfRatingDrop(app.id)] };
  expect(await database.listChannelCauses(announced)).toEqual([]);
});

test("a drop shows a chart of the days between where a channel shows charts", async () => {
  const { clock, database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const app = await anApp(database, { workspaceId, countries: ["us"] });
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("the new listing is missing");
  const chosen = { workspaceId, createdAt: startTime, events: ["review.rating_drop" as const] };
  const slack = await saveChannel(database, { ...chosen, type: "slack", periodDays: 3 });
  const webhook = await saveChannel(database, { ...chosen, periodDays: 3 });
  const day = dayOf(startTime);
  const averages = [4.5, 4.4, 4.3];
  await saveSnapshots(
    database,
    app,
    averages.map((average, index) => ({ day: addDays(day, index - 3), average, total: 1_000 })),
  );
  const snapshot = { region: "us", day, average: 4, total: 1_000, histogram: null };
  const ingest = createRatingsIngest({ clock, database });
  expect(await ingest({ listing, snapshots: [snapshot] })).toMatchObject({ queuedCount: 2 });
  const bodyOf = async (channelId: string) => {
    const query = { channelId, workspaceId, status: null, beforeId: null, limit: 1 };
    const [delivery] = await database.listDeliveries(query);
    const found = await database.findDelivery({ id: delivery?.id ?? "", workspaceId });
    return JSON.parse(String(found?.body));
  };
  expect((await bodyOf(slack.id)).days).toEqual(
    [...averages, 4].map((average, index) => ({ day: addDays(day, index - 3), average })),
  );
  expect(await bodyOf(webhook.id)).not.toHaveProperty("days");
});
