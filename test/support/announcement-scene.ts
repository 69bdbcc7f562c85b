// One app of one workspace with a channel and its receiver: ingest, operations and deliveries of the real service on
// PostgreSQL.
import type { Channel } from "../../src/domain/channel/channel.ts";
import type { LoggedDelivery } from "../../src/domain/channel/delivery.ts";
import type { SourceReview } from "../../src/domain/review/review.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { addDays, dayOf, minuteMs } from "../../src/lib/timestamp.ts";
import { redeliverOne, updateChannel } from "./acts.ts";
import { type ChannelWorld, openChannelWorldWithReceiver } from "./channel-world.ts";
import { anApp, saveSnapshots } from "./factories.ts";

/** The rating of the week before, from which drops are counted. */
export const baseline = 4.5;

export async function openAnnouncementScene(settings: Partial<Channel> = {}) {
  const { world, receiver, close } = await openChannelWorldWithReceiver();
  const source = await openAnnouncementSource(world);
  const { channel } = await source.addChannel({ url: receiver.url, ...settings });
  const deliveries = () => source.deliveries(channel.id);
  return {
    world,
    receiver,
    channel,
    close,
    deliveries,
    take: source.take,
    rate: source.rate,
    change: (change: Record<string, unknown>) => source.change(channel.id, change),
    sendAgain: source.sendAgain,
    /** The name of each event that was received, and the stars of its review. */
    received: () => receiver.requests.map(({ body }) => describeEvent(body)),
  };
}

/** An app whose reviews and ratings are announced. */
export async function openAnnouncementSource(world: ChannelWorld) {
  const { database, clock, workspaceId } = world;
  const deps = { clock, database, secretBox: world.secrets };
  const app = await anApp(database, { workspaceId, countries: ["us"] });
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("the listing is missing");
  const ingest = createIngest({ database, clock });
  const ingestRatings = createRatingsIngest({ database, clock });
  const events: Channel["events"] = ["review.created", "review.updated", "review.rating_drop"];
  return {
    deps,
    addChannel: (settings: Partial<Channel> & { url: string }) =>
      world.addChannel({ events, ...settings }),
    /** Saves the review as of a minute later; returns how many events were queued. */
    async take(storeReviewId: string, rating: number, text?: string): Promise<number> {
      clock.advance(minuteMs);
      const review = aSourceReview({ storeReviewId, rating, text, date: clock.now() });
      const batch = { listing, source: "store", undatedAt: null, reviews: [review] } as const;
      return (await ingest({ ...batch, notifyPolicy: { kind: "always" } })).queuedCount;
    },
    /** Saves the rating of the day, against the baseline; returns how many events were queued. */
    async rate(average: number): Promise<number> {
      clock.advance(minuteMs);
      const day = dayOf(clock.now());
      const sizes = { region: "us", total: 1_000, histogram: null };
      await saveSnapshots(database, app, [{ ...sizes, day: addDays(day, -7), average: baseline }]);
      const snapshots = [{ ...sizes, day, average }];
      return (await ingestRatings({ listing, snapshots })).queuedCount;
    },
    async change(id: string, change: Record<string, unknown>) {
      clock.advance(minuteMs);
      return updateChannel(deps, { id, workspaceId, change });
    },
    sendAgain: (id: string) => redeliverOne(deps, { id, workspaceId }),
    /** Oldest first. */
    async deliveries(channelId: string): Promise<LoggedDelivery[]> {
      const page = { status: null, beforeId: null, limit: 1_000 } as const;
      return (await database.listDeliveries({ channelId, workspaceId, ...page })).toReversed();
    },
  };
}

export function describeEvent(body: Buffer): string {
  const { event, review } = JSON.parse(body.toString("utf8"));
  return review ? `${event} ${review.rating}` : event;
}

function aSourceReview({
  storeReviewId,
  rating,
  text = "The tide table",
  date,
}: Pick<SourceReview, "storeReviewId" | "rating" | "date"> & {
  text?: string | undefined;
}): SourceReview {
  return {
    storeReviewId,
    author: "riverstone",
    rating,
    title: null,
    text: `${text} has ${rating} stars.`,
    version: "1",
    country: "us",
    languageHint: null,
    date,
    votes: null,
    reply: null,
  };
}
