// The shorter path of ratings: saved as the day's snapshots, compared with earlier days, and announced
// once when an app's rating fell past a channel's threshold. One transaction, like that of reviews.
import type { DatabaseTransaction } from "../database/database.ts";
import { causeOfRatingDrop } from "../domain/channel/announced-cause.ts";
import type { Channel } from "../domain/channel/channel.ts";
import type { NewDelivery } from "../domain/channel/delivery.ts";
import type { App, Listing } from "../domain/feed/listing.ts";
import { compareSnapshots, type Snapshot, sumSnapshots } from "../domain/review/snapshot.ts";
import { addDays, type Day, dayOf } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toRatingDropDelivery } from "../matching/deliveries.ts";
import { matchRatingDrop, type RatingDropMatch } from "../matching/rating-drop.ts";
import type { IngestDeps, IngestRatings } from "./ingest-batch.ts";

type RatingRepository = Pick<
  DatabaseTransaction,
  | "lockListing"
  | "saveSnapshots"
  | "listSnapshotsAsOf"
  | "listChannelsOfListing"
  | "listAppsOfListing"
  | "listChannelCauses"
  | "endCause"
  | "enqueueDeliveries"
  | "finishFeed"
  | "lockHeldFeed"
>;

export function createRatingsIngest({
  clock,
  database,
}: IngestDeps<RatingRepository>): IngestRatings {
  return async ({ listing, snapshots, crawl }) => {
    const now = clock.now();
    const result = await database.transaction(async (tx) => {
      const counts = { inserted: 0, updated: 0, unchanged: 0, queuedCount: 0 };
      if (!(await tx.lockListing(listing.id))) return counts;
      if (crawl && !(await tx.lockHeldFeed(crawl.feed))) return counts;
      const saved = await tx.saveSnapshots({ listingId: listing.id, snapshots, capturedAt: now });
      const unchanged = snapshots.length - saved.inserted - saved.updated;
      const isConfirmed = crawl === undefined;
      const queuedCount = await enqueueRatingDrops(tx, { listing, now, isConfirmed });
      if (crawl) await tx.finishFeed({ ...crawl.feed, ...crawl.end });
      return { ...saved, unchanged, queuedCount };
    });
    if (result.queuedCount > 0) {
      // After the transaction: NOTIFY takes a lock that makes commits wait for each other.
      await database.notify("deliveries");
    }
    return result;
  };
}

/** Returns how many deliveries were enqueued. */
async function enqueueRatingDrops(
  tx: RatingRepository,
  { listing, now, isConfirmed }: { listing: Listing; now: Date; isConfirmed: boolean },
): Promise<number> {
  const listingId = listing.id;
  const channels = await tx.listChannelsOfListing(listingId);
  const asOf = { listingId, day: dayOf(now), withHistogram: false };
  const newest = await tx.listSnapshotsAsOf(asOf);
  const deliveries: NewDelivery[] = [];
  for (const app of channels.length > 0 ? await tx.listAppsOfListing(listingId) : []) {
    const own = channels.filter((one) => one.workspaceId === app.workspaceId);
    const announced = await tx.listChannelCauses({
      channelIds: own.map(({ id }) => id),
      causes: [causeOfRatingDrop(app.id)],
    });
    for (const channel of own) {
      const isOpen = announced.some(({ channelId }) => channelId === channel.id);
      const delivery = await matchDrop(tx, {
        ...{ listingId, app, channel, newest, isOpen, now },
        isConfirmed,
      });
      if (delivery) deliveries.push(delivery);
    }
  }
  await tx.enqueueDeliveries({ deliveries, now });
  return deliveries.length;
}

type DropInput = {
  listingId: string;
  app: App;
  channel: Channel;
  newest: readonly Snapshot[];
  isOpen: boolean;
  now: Date;
  /** False for a reading of a store, which can be wrong for a day. */
  isConfirmed: boolean;
};

async function matchDrop(tx: RatingRepository, input: DropInput): Promise<NewDelivery | null> {
  const { listingId, app, channel, newest, now } = input;
  const current = sumSnapshots(newest, app.countries);
  if (!current) return null;
  const { capturedOn } = current;
  const match = await compareWithBaseline(tx, { ...input, baselineOf: capturedOn });
  const cause = causeOfRatingDrop(app.id);
  if (match.kind === "rearm") await tx.endCause({ channelId: channel.id, cause });
  const drop = input.isConfirmed ? match : await findSecondDay(tx, { ...input, capturedOn, match });
  if (drop.kind !== "drop") return null;
  const period = { listingId, app, to: capturedOn, periodDays: channel.periodDays };
  const days = channel.type === "webhook" ? [] : await listAverages(tx, period);
  const { ratingDrop } = drop;
  return toRatingDropDelivery({ channel, app, ratingDrop, days }, () => uuidV7(now));
}

/** @param input.baselineOf the baseline is that of this day */
async function compareWithBaseline(
  tx: Pick<RatingRepository, "listSnapshotsAsOf">,
  input: Omit<DropInput, "now" | "isConfirmed"> & { baselineOf: Day },
): Promise<RatingDropMatch> {
  const { listingId, app, channel, newest, isOpen, baselineOf } = input;
  const earlier = await tx.listSnapshotsAsOf({
    listingId,
    day: addDays(baselineOf, -channel.periodDays),
    withHistogram: false,
  });
  const compared = compareSnapshots({ countries: app.countries, newest, earlier });
  return compared ? matchRatingDrop({ channel, app, ...compared, isOpen }) : { kind: "none" };
}

/** A drop that the day before shows as well, against the baseline of either day. */
async function findSecondDay(
  tx: Pick<RatingRepository, "listSnapshotsAsOf">,
  input: DropInput & { capturedOn: Day; match: RatingDropMatch },
): Promise<RatingDropMatch> {
  const { capturedOn, listingId, match } = input;
  const dayBefore = addDays(capturedOn, -1);
  const newest = await tx.listSnapshotsAsOf({ listingId, day: dayBefore, withHistogram: false });
  for (const baselineOf of [capturedOn, dayBefore]) {
    const isToday = baselineOf === capturedOn;
    const drop = isToday ? match : await compareWithBaseline(tx, { ...input, baselineOf });
    if (drop.kind !== "drop") continue;
    const before = await compareWithBaseline(tx, { ...input, newest, baselineOf });
    if (before.kind === "drop") return drop;
  }
  return { kind: "none" };
}

/** As many as a chart shows. */
const chartDaysMax = 14;

/** The average on some days of the period, oldest first, over the storefronts of that day. */
async function listAverages(
  tx: Pick<RatingRepository, "listSnapshotsAsOf">,
  period: { listingId: string; app: App; to: Day; periodDays: number },
): Promise<{ day: Day; average: number }[]> {
  const { listingId, app, to, periodDays } = period;
  const stepDays = Math.ceil(periodDays / chartDaysMax);
  const averages: { day: Day; average: number }[] = [];
  for (let back = periodDays; back >= 0; back -= stepDays) {
    const day = addDays(to, -back);
    const snapshots = await tx.listSnapshotsAsOf({ listingId, day, withHistogram: false });
    const summary = sumSnapshots(snapshots, app.countries);
    if (summary) averages.push({ day, average: summary.average });
  }
  return averages;
}
