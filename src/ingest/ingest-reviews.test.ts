import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChannel, anApp, aWorkspace, startTime } from "../../test/support/factories.ts";
import { readRollups } from "../../test/support/read-rollups.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import type { Database } from "../database/database.ts";
import type { Channel } from "../domain/channel/channel.ts";
import type { App, Listing } from "../domain/feed/listing.ts";
import type { SourceReview } from "../domain/review/review.ts";
import { addDays, dayMs, dayOf } from "../lib/timestamp.ts";
import type { IngestBatch, IngestRatings, IngestReviews } from "./ingest-batch.ts";
import { createRatingsIngest } from "./ingest-ratings.ts";
import { createIngest } from "./ingest-reviews.ts";
import type { NotifyPolicy } from "./notify-policy.ts";

let context: TestContext;
let ingest: IngestReviews;
let ingestRatings: IngestRatings;

const never: NotifyPolicy = { kind: "never" };
const recent: NotifyPolicy = { kind: "recent" };
const always: NotifyPolicy = { kind: "always" };

beforeAll(async () => {
  context = await openTestContext();
  ingest = createIngest(context);
  ingestRatings = createRatingsIngest(context);
});

afterAll(() => context.close());

describe("reviews", () => {
  test("the silent baseline is saved, analysed and counted, without events", async () => {
    const scene = await aScene();
    const result = await scene.take([aSourceReview(1), aSourceReview(2)], never);
    expect(result).toMatchObject({ newCount: 2, queuedCount: 0 });
    const [review] = await context.database.listReviewsById({
      listingId: scene.app.listingId,
      afterId: null,
      limit: 1,
    });
    expect(review?.analysis).toMatchObject({ language: "en", sentiment: { label: "positive" } });
    const rollups = await readRollups(context, scene.app.listingId);
    expect(rollups.days).toMatchObject(
      ["", "us "].map((region) => [region + dayOf(startTime), [2, 0, 0, 0, 0, 2, 2, 0, 0, 0]]),
    );
    expect(await scene.events()).toEqual([]);
  });

  test("a new review is announced when it is not older than 48 hours before the app was added", async () => {
    const scene = await aScene();
    const late = aSourceReview(1, { date: new Date(startTime.getTime() - 2 * dayMs) });
    const old = aSourceReview(2, { date: new Date(startTime.getTime() - 2 * dayMs - 1_000) });
    expect(await scene.take([late, old], recent)).toMatchObject({ newCount: 2, queuedCount: 1 });
    expect(await scene.take([aSourceReview(3, { date: old.date })], always)).toMatchObject({
      queuedCount: 1,
    });
  });

  test("an edit of what a channel got is an update, and of what it never got nothing", async () => {
    const scene = await aScene();
    await scene.take([aSourceReview(1)], never);
    await scene.take([aSourceReview(2)], recent);
    const edited = [1, 2].map((id) => aSourceReview(id, { rating: 1, text: "It crashes now" }));
    expect(await scene.take(edited, recent)).toMatchObject({ editedCount: 2, queuedCount: 1 });
    expect(await scene.events()).toMatchObject([
      { event: "review.created", review: { rating: 5 } },
      { event: "review.updated", change: { oldScore: 5, newScore: 1, textChanged: true } },
    ]);
  });

  test("nothing is queued for a paused channel", async () => {
    const scene = await aScene();
    const [channel] = await context.database.listChannelsOfListing(scene.listing.id);
    if (!channel) throw new Error("the listing has no channel");
    await context.database.updateChannel({ ...channel, isPaused: true });
    expect(await scene.take([aSourceReview(1)], recent)).toMatchObject({ queuedCount: 0 });
    await context.database.updateChannel(channel);
    expect(await scene.take([aSourceReview(2)], recent)).toMatchObject({ queuedCount: 1 });
  });

  test("the same page twice changes nothing and says so", async () => {
    const scene = await aScene();
    await scene.take([aSourceReview(1), aSourceReview(2)], recent);
    const again = await scene.take([aSourceReview(1), aSourceReview(2)], recent);
    expect(again).toMatchObject({ newCount: 0, editedCount: 0, unchangedCount: 2, queuedCount: 0 });
  });

  test("a change of version alone is saved, counted and no event", async () => {
    const scene = await aScene();
    await scene.take([aSourceReview(1)], recent);
    const again = await scene.take([aSourceReview(1, { version: "2.0", date: addDay(1) })], recent);
    expect(again).toMatchObject({ metadataChangedCount: 1, queuedCount: 0 });
    const { days } = await readRollups(context, scene.app.listingId);
    expect(days.map(([day]) => day)).toEqual([dayOf(addDay(1)), `us ${dayOf(addDay(1))}`]);
  });

  test("each workspace that follows a listing is notified through its own channels", async () => {
    const scene = await aScene();
    const other = await aScene({ externalAppId: scene.app.externalAppId });
    expect(other.app.listingId).toBe(scene.app.listingId);
    expect(await scene.take([aSourceReview(1)], recent)).toMatchObject({ queuedCount: 2 });
    for (const { app, events } of [scene, other]) {
      expect(await events()).toMatchObject([{ app: { id: app.id } }]);
    }
  });

  test("when queueing fails, neither the review nor the watermark is saved", async () => {
    const scene = await aScene();
    const failing: Database = {
      ...context.database,
      transaction: (work) =>
        context.database.transaction((tx) =>
          work({ ...tx, enqueueDeliveries: () => Promise.reject(new Error("on purpose")) }),
        ),
    };
    const batch = scene.batch([aSourceReview(1)], recent);
    await expect(createIngest({ ...context, database: failing })(batch)).rejects.toThrow(
      "on purpose",
    );
    const listingId = scene.app.listingId;
    expect(await context.database.listReviewsById({ listingId, afterId: null, limit: 1 })).toEqual(
      [],
    );
    expect(await scene.take([aSourceReview(1)], recent)).toMatchObject({
      newCount: 1,
      queuedCount: 1,
    });
  });

  test("a listing that was removed meanwhile takes nothing", async () => {
    const scene = await aScene();
    const gone = { ...scene.listing, id: scene.app.id };
    const result = await ingest({ ...scene.batch([aSourceReview(1)], recent), listing: gone });
    expect(result).toMatchObject({ newCount: 0, queuedCount: 0 });
  });
});

describe("ratings", () => {
  // Snapshots of days that are yet to come count for nothing: the tests end on the day of the clock.
  const today = addDays(dayOf(startTime), -17);

  test("a fall past the threshold within the period is announced once, and again after it recovered", async () => {
    const scene = await aScene();
    const queued: number[] = [];
    for (const [ahead, average] of [
      [0, 4.5],
      [7, 4.41],
      [8, 4.4],
      [9, 4.3],
      [15, 4.4],
      [16, 4.38],
      [17, 4.2],
    ] as const) {
      const result = await scene.record([{ day: addDays(today, ahead), average }]);
      queued.push(result.queuedCount);
    }
    expect(queued).toEqual([0, 0, 1, 0, 0, 0, 1]);
    expect(await scene.events()).toMatchObject([
      {
        event: "review.rating_drop",
        ratingDrop: {
          currentAvg: 4.4,
          baselineAvg: 4.5,
          drop: 0.1,
          sampleSize: 1_000,
          periodDays: 7,
        },
      },
      { event: "review.rating_drop", ratingDrop: { currentAvg: 4.2 } },
    ]);
  });

  test("a storefront without an earlier snapshot is left out of the comparison", async () => {
    const scene = await aScene();
    await scene.record([{ day: today, average: 4.5, region: "us" }]);
    const later = [
      { day: addDays(today, 7), average: 4.5, region: "us" },
      { day: addDays(today, 7), average: 1, region: "gb" },
    ];
    expect(await scene.record(later)).toMatchObject({ inserted: 2, queuedCount: 0 });
  });

  test("history imported for the whole app is not compared with the storefronts collected since", async () => {
    const scene = await aScene();
    await scene.record([{ day: addDays(today, -10), average: 4.5, region: "" }]);
    const collected = await scene.record([{ day: today, average: 4.3, region: "us" }]);
    expect(collected).toMatchObject({ queuedCount: 0 });
    expect(await scene.events()).toEqual([]);
  });

  test("a snapshot of a day that is there already replaces it", async () => {
    const scene = await aScene();
    await scene.record([{ day: today, average: 4.5 }]);
    expect(await scene.record([{ day: today, average: 4.5 }])).toMatchObject({ unchanged: 1 });
    expect(await scene.record([{ day: today, average: 4.4 }])).toMatchObject({ updated: 1 });
  });
});

type Scene = {
  app: App;
  listing: Listing;
  batch: (reviews: SourceReview[], notifyPolicy: NotifyPolicy) => IngestBatch;
  take: (reviews: SourceReview[], notifyPolicy: NotifyPolicy) => ReturnType<IngestReviews>;
  record: (
    snapshots: { day: string; average: number; region?: string }[],
  ) => ReturnType<IngestRatings>;
  /** Bodies of what was queued for the channel, oldest first. */
  events: () => Promise<Record<string, unknown>[]>;
};

async function aScene(overrides: { externalAppId?: string } = {}): Promise<Scene> {
  const { database } = context;
  const workspace = await aWorkspace(database);
  const app = await anApp(database, { workspaceId: workspace.id, ...overrides });
  const channel: Channel = aChannel({ workspaceId: workspace.id, createdAt: startTime });
  await database.insertChannel({ ...channel, encryptedSecret: Buffer.alloc(1) });
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("the listing is gone");
  const batch = (reviews: SourceReview[], notifyPolicy: NotifyPolicy): IngestBatch => ({
    listing,
    reviews,
    notifyPolicy,
    source: "store",
    undatedAt: null,
  });
  return {
    app,
    listing,
    batch,
    take: (reviews, notifyPolicy) => ingest(batch(reviews, notifyPolicy)),
    record: (snapshots) =>
      ingestRatings({
        listing,
        snapshots: snapshots.map((one) => ({
          region: "us",
          total: 1_000,
          histogram: null,
          ...one,
        })),
      }),
    async events() {
      const queued = await database.listDeliveries({
        channelId: channel.id,
        workspaceId: null,
        status: null,
        beforeId: null,
        limit: 50,
      });
      const shown = await Promise.all(
        queued.map(({ id }) => database.findDelivery({ id, workspaceId: null })),
      );
      return shown.reverse().map((delivery) => JSON.parse(String(delivery?.body)));
    },
  };
}

function aSourceReview(id: number, overrides: Partial<SourceReview> = {}): SourceReview {
  return {
    storeReviewId: String(id),
    author: "riverstone",
    rating: 5,
    title: "Good tides",
    text: "I love this app, it works great",
    version: "1.0",
    country: "us",
    languageHint: null,
    date: startTime,
    votes: null,
    reply: null,
    ...overrides,
  };
}

function addDay(count: number): Date {
  return new Date(startTime.getTime() + count * dayMs);
}
