// The way of a review, from a store's page to the queue of a channel. Every room is named here once,
// in the order of the data; all of it is one transaction, so nothing is lost and nothing is announced
// that was not saved.
import { analyseReview } from "./analyse/steps.ts";
import { compareReviews, nameReviews } from "./collect/compare.ts";
import type { Change, Ingest, IngestBatch, IngestResult } from "./collect/ingest.ts";
import type { Keep, Statements } from "./keep/keep.ts";
import type { Clock } from "./lib/clock.ts";
import { uuidV7 } from "./lib/uuid.ts";
import { toReviewDeliveries } from "./match/deliveries.ts";
import { matchReviews } from "./match/reviews.ts";
import type { Listing } from "./reviews/listing.ts";
import type { Review } from "./reviews/review.ts";

export type Rooms = { clock: Clock; keep: Keep };

export function openIngest(rooms: Rooms): Ingest {
  return async (batch) => {
    const result = await rooms.keep.transaction((tx) => ingest(rooms, tx, batch));
    await tellOthers(rooms.keep, { listingId: batch.listing.id, result });
    return result;
  };
}

async function ingest(rooms: Rooms, tx: Statements, batch: IngestBatch): Promise<IngestResult> {
  const now = rooms.clock.now();
  const { listing } = batch;
  // collect: what is new, what was edited? One batch of a listing after the other.
  const isThere = await tx.lockListing(listing.id);
  const named = nameReviews(listing, isThere ? batch.reviews : []);
  const known = await tx.loadReviews({ listingId: listing.id, ids: named.map(({ id }) => id) });
  const byId = new Map(known.map((review) => [review.id, review]));
  const compared = compareReviews(batch, { named, known: byId, now });
  // analyse: what does it say, in which language?
  const changes = compared.map((change) => analyseChange(listing, change));
  // keep: the reviews, their earlier versions and the rollups.
  await saveChanges(tx, { listing, changes, now });
  // match and queue: whom does it concern?
  const queuedCount = await queueReviewEvents(tx, { batch, changes, now });
  const end = batch.settle?.end(changes) ?? null;
  if (batch.settle && end) await tx.finishFeed({ ...batch.settle.feed, ...end });
  return { ...countKinds(changes), queuedCount, end };
}

function analyseChange(listing: Listing, change: Change): Change {
  if (change.kind !== "new" && change.kind !== "edited") return change;
  const analysis = analyseReview(change.after);
  // Google Play does not tell a country: the language stands in its place.
  const country = listing.store === "googleplay" ? analysis.language : change.after.country;
  return { ...change, after: { ...change.after, analysis, country } };
}

async function saveChanges(
  tx: Statements,
  saved: { listing: Listing; changes: readonly Change[]; now: Date },
): Promise<void> {
  const { now } = saved;
  const listingId = saved.listing.id;
  const changes = saved.changes.filter(({ kind }) => kind !== "unchanged");
  const isNew = ({ kind }: Change): boolean => kind === "new";
  const edited = changes.filter(({ kind }) => kind === "edited");
  const after = ({ after }: Change): Review => after;
  await tx.insertVersions({ listingId, reviewIds: edited.map(({ after }) => after.id), now });
  await tx.insertReviews({ listingId, reviews: changes.filter(isNew).map(after) });
  await tx.updateReviews({
    listingId,
    reviews: changes.filter((change) => !isNew(change)).map(after),
  });
  await tx.addToRollups({ listingId, changes });
}

async function queueReviewEvents(
  tx: Statements,
  news: { batch: IngestBatch; changes: readonly Change[]; now: Date },
): Promise<number> {
  const { batch, now } = news;
  const changes = news.changes.filter(({ kind }) => kind === "new" || kind === "edited");
  const channels = changes.length > 0 ? await tx.listChannelsOfListing(batch.listing.id) : [];
  if (channels.length === 0) return 0;
  const apps = await tx.listAppsOfListing(batch.listing.id);
  const delivered = await tx.listChannelReviews({
    channelIds: channels.map(({ id }) => id),
    reviewIds: changes.map(({ after }) => after.id),
  });
  const { announce } = batch;
  const matched = matchReviews({ channels, apps, changes, announce, delivered });
  await tx.insertChannelReviews(matched.announced);
  const deliveries = toReviewDeliveries(matched.events, () => uuidV7(now));
  await tx.queueDeliveries({ deliveries, now });
  return deliveries.length;
}

function countKinds(changes: readonly Change[]): Omit<IngestResult, "queuedCount" | "end"> {
  const count = (wanted: Change["kind"]): number =>
    changes.filter(({ kind }) => kind === wanted).length;
  return {
    newCount: count("new"),
    editedCount: count("edited"),
    restatedCount: count("restated"),
    unchangedCount: count("unchanged"),
  };
}

// After the transaction: a notice takes a lock that would make commits wait for each other.
async function tellOthers(
  keep: Keep,
  done: { listingId: string; result: IngestResult },
): Promise<void> {
  const { newCount, editedCount, restatedCount, queuedCount } = done.result;
  if (queuedCount > 0) await keep.notify("deliveries");
  if (newCount + editedCount + restatedCount > 0) await keep.notify("reviews", done.listingId);
}
