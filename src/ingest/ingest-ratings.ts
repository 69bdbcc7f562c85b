// The shorter way of a day's ratings: kept as snapshots, compared with earlier days, and announced
// once when an app's rating fell past a channel's threshold. One transaction, like the way of a review.

import type { Statements } from "../database/database.ts";
import type { Channel } from "../domain/channel.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import type { App, Listing } from "../domain/listing.ts";
import { type RatingSummary, type Snapshot, sumSnapshots } from "../domain/snapshot.ts";
import { addDays } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toRatingDropDelivery } from "../matching/deliveries.ts";
import { matchRatingDrop } from "../matching/rating-drop.ts";
import type { RecordSnapshots } from "./ingest-batch.ts";
import type { Rooms } from "./ingest-reviews.ts";

export function openRecordSnapshots(deps: Rooms): RecordSnapshots {
  return async ({ listing, snapshots, settle }) => {
    const now = deps.clock.now();
    const result = await deps.database.transaction(async (tx) => {
      const counts = { inserted: 0, updated: 0, unchanged: 0, queuedCount: 0 };
      if (!(await tx.lockListing(listing.id))) return counts;
      for (const snapshot of snapshots) {
        counts[await tx.saveSnapshot({ ...snapshot, listingId: listing.id, capturedAt: now })] += 1;
      }
      counts.queuedCount = await queueRatingDrops(tx, { listing, now });
      if (settle) await tx.finishFeed({ ...settle.feed, ...settle.end });
      return counts;
    });
    // After the transaction: a notice takes a lock that would make commits wait for each other.
    if (result.queuedCount > 0) await deps.database.notify("deliveries");
    if (result.inserted + result.updated > 0) await deps.database.notify("reviews", listing.id);
    return result;
  };
}

async function queueRatingDrops(
  tx: Statements,
  news: { listing: Listing; now: Date },
): Promise<number> {
  const listingId = news.listing.id;
  const channels = await tx.listChannelsOfListing(listingId);
  const newest = await tx.listSnapshotsAsOf({ listingId, day: null, withHistogram: false });
  const deliveries: NewDelivery[] = [];
  for (const app of channels.length > 0 ? await tx.listAppsOfListing(listingId) : []) {
    const openEpisodes = await tx.listOpenEpisodes(app.id);
    for (const channel of channels.filter((one) => one.workspaceId === app.workspaceId)) {
      const isOpen = openEpisodes.has(channel.id);
      const delivery = await matchDrop(tx, { ...news, app, channel, newest, isOpen });
      if (delivery) deliveries.push(delivery);
    }
  }
  await tx.queueDeliveries({ deliveries, now: news.now });
  return deliveries.length;
}

async function matchDrop(
  tx: Statements,
  asked: {
    listing: Listing;
    app: App;
    channel: Channel;
    newest: readonly Snapshot[];
    isOpen: boolean;
    now: Date;
  },
): Promise<NewDelivery | null> {
  const { app, channel, isOpen, now } = asked;
  const current = sumSnapshots(asked.newest, app.countries);
  if (!current) return null;
  const earlier = await tx.listSnapshotsAsOf({
    listingId: asked.listing.id,
    day: addDays(current.capturedOn, -channel.periodDays),
    withHistogram: false,
  });
  const compared = compareScopes({ ...asked, earlier, regions: current.regions });
  if (!compared) return null;
  const match = matchRatingDrop({ channel, app, ...compared, isOpen });
  const episode = { channelId: channel.id, appId: app.id };
  if (match.kind === "rearm") await tx.closeEpisode(episode);
  if (match.kind !== "drop") return null;
  await tx.openEpisode({ ...episode, now });
  return toRatingDropDelivery({ channel, app, ratingDrop: match.ratingDrop }, () => uuidV7(now));
}

/**
 * Only what was measured on both days is compared: a storefront that was added since is no drop. Where
 * nothing was, as after an import of the time before collecting, the totals stand for themselves.
 */
function compareScopes(asked: {
  app: App;
  newest: readonly Snapshot[];
  earlier: readonly Snapshot[];
  regions: readonly string[];
}): { current: RatingSummary; baseline: RatingSummary | null } | null {
  const { app, newest, earlier } = asked;
  const shared = asked.regions.filter((region) => earlier.some((one) => one.region === region));
  const sum = (snapshots: readonly Snapshot[]): RatingSummary | null => {
    const fitting = snapshots.filter(({ region }) => shared.includes(region));
    return sumSnapshots(shared.length > 0 ? fitting : snapshots, app.countries);
  };
  const current = sum(newest);
  return current && { current, baseline: sum(earlier) };
}
