// The way of a review, from a store's page to the queue of a channel. Every room is named here once,
// in the order of the data; all of it is one transaction, so nothing is lost and nothing is announced
// that was not saved.
import { analyseReview } from "../analysis/analyze.ts";
import type { Database, Statements } from "../database/database.ts";
import type { Analysis } from "../domain/analysis.ts";
import type { Listing } from "../domain/listing.ts";
import type { Review } from "../domain/review.ts";
import {
  asksProviders,
  noProviders,
  type ProviderWishes,
  queueProviderJobs,
  queueWithTranslations,
} from "../enrichment/enqueue-jobs.ts";
import type { Clock } from "../lib/clock.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toReviewDeliveries } from "../matching/deliveries.ts";
import { matchReviews } from "../matching/match-reviews.ts";
import { keepTranslation } from "../matching/translations.ts";
import { compareReviews, nameReviews } from "./diff-reviews.ts";
import type { Change, Ingest, IngestBatch, IngestResult } from "./ingest-batch.ts";
import { ingestInOrder } from "./listing-queue.ts";

export type Rooms = { clock: Clock; database: Database; providers?: ProviderWishes };

/** `analyse`: as the installation has it; the shipped one unless given. */
export function openIngest(deps: Rooms & { analyse?: typeof analyseReview }): Ingest {
  const { analyse = analyseReview } = deps;
  return ingestInOrder(analyse, async (batch, ahead) => {
    const tell = (change: Review): Analysis => ahead.find(change) ?? analyse(change);
    const work = { batch, analyse: tell };
    const result = await deps.database.transaction((tx) => ingest(deps, tx, work));
    await tellOthers(deps, { listingId: batch.listing.id, result });
    return result;
  });
}

type Analyse = (review: Review) => Analysis;

async function ingest(
  deps: Rooms,
  tx: Statements,
  { batch, analyse }: { batch: IngestBatch; analyse: Analyse },
): Promise<IngestResult> {
  const now = deps.clock.now();
  const { listing } = batch;
  const { providers: wishes = noProviders } = deps;
  // collect: what is new, what was edited? One batch of a listing after the other.
  const isThere = await tx.lockListing(listing.id);
  const named = nameReviews(listing, isThere ? batch.reviews : []);
  const known = await tx.loadReviews({ listingId: listing.id, ids: named.map(({ id }) => id) });
  const byId = new Map(known.map((review) => [review.id, review]));
  const compared = compareReviews(batch, { named, known: byId, now });
  // analyse: what does it say, in which language?
  const analysed = compared.map((change) => analyseChange(change, { listing, analyse }));
  const changes = analysed.map(keepTranslation);
  // keep: the reviews, their earlier versions and the rollups.
  await saveChanges(tx, { listing, changes, now });
  // match and queue: whom does it concern?
  const queuedCount = await queueReviewEvents(tx, { batch, changes, wishes, now });
  // translate, and analyse once more, by a provider: later, and nothing waits for it but a delivery.
  await queueProviderJobs(tx, { batch, changes, wishes, now });
  return { ...countKinds(changes), queuedCount, ...(await settleFeed(tx, { batch, changes })) };
}

/** What the pass makes of it is part of the same transaction: how far it has come, or its end. */
async function settleFeed(
  tx: Statements,
  { batch, changes }: { batch: IngestBatch; changes: readonly Change[] },
): Promise<Pick<IngestResult, "end" | "holdsFeed">> {
  if (!batch.settle) return { end: null, holdsFeed: true };
  const { feed } = batch.settle;
  const settled = batch.settle.decide(changes);
  if (!("end" in settled)) {
    return { end: null, holdsFeed: await tx.saveFeedProgress({ ...feed, ...settled }) };
  }
  const holdsFeed = await tx.finishFeed({ ...feed, ...settled.end });
  return { end: settled.end, holdsFeed };
}

function analyseChange(
  change: Change,
  { listing, analyse }: { listing: Listing; analyse: Analyse },
): Change {
  if (change.kind !== "new" && change.kind !== "edited") return change;
  const analysis = analyse(change.after);
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
  news: { batch: IngestBatch; changes: readonly Change[]; wishes: ProviderWishes; now: Date },
): Promise<number> {
  const { batch, wishes, now } = news;
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
  const listingId = batch.listing.id;
  const { events } = matched;
  await queueWithTranslations(tx, { listingId, events, deliveries, wishes, now });
  return deliveries.length;
}

function countKinds(
  changes: readonly Change[],
): Omit<IngestResult, "queuedCount" | "end" | "holdsFeed"> {
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
  { database, providers = noProviders }: Rooms,
  done: { listingId: string; result: IngestResult },
): Promise<void> {
  const { newCount, editedCount, restatedCount, queuedCount } = done.result;
  if (queuedCount > 0) await database.notify("deliveries");
  if (newCount + editedCount + restatedCount > 0) await database.notify("reviews", done.listingId);
  if (asksProviders(providers) && newCount + editedCount > 0) await database.notify("jobs");
}
