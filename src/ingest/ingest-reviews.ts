// The main path of a review, from a source to the queue of a channel: diff, analyse, save, match,
// enqueue. All of it is one transaction: nothing is lost, and nothing is announced that was not saved.

import { analyzeReview, loadAnalysis } from "../analysis/analyze.ts";
import { type LabelsOf, labelReviews } from "../database/labelers.ts";
import type { NewDelivery } from "../domain/channel/delivery.ts";
import { type CrawlPage, decideCheckpoint } from "../domain/feed/crawl-state.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { Review, ReviewChange } from "../domain/review/review.ts";
import { hasReviewsByLanguage } from "../domain/store/store-traits.ts";
import { createYield } from "../lib/event-loop-yield.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toReviewDelivery } from "../matching/deliveries.ts";
import { matchReviews } from "../matching/match-reviews.ts";
import { carryOverTranslation } from "../matching/translations.ts";
import type { Analyze } from "./analyze-ahead.ts";
import { assignIds, diffReviews } from "./diff-reviews.ts";
import { loadEarlierVersions, numberVersions } from "./earlier-versions.ts";
import type {
  IdentifiedReview,
  IngestBatch,
  IngestDeps,
  IngestResult,
  IngestReviews,
  JobQueue,
  ReviewRepository,
} from "./ingest-batch.ts";
import {
  chooseReading,
  judgeCrawlPage,
  nothingSaved,
  readingsOf,
  saveQuarantine,
} from "./judge-page.ts";
import { isNowDated, shouldNotify } from "./notify-policy.ts";

type ReviewIngestDeps = IngestDeps<ReviewRepository> & {
  /** Without one nothing is translated or analysed again. */
  jobs?: JobQueue;
  /** The built-in one by default. */
  analyze?: Analyze;
};

export function createIngest(deps: ReviewIngestDeps): IngestReviews {
  const { database, clock, jobs = noJobs, analyze = analyzeReview } = deps;
  return queueByListing(async (batch) => {
    const { jobCount, ...result } = await database.transaction((tx) =>
      ingestReviews(tx, { batch, analyze, jobs, now: clock.now() }),
    );
    if (result.queuedCount > 0) {
      // After the transaction: NOTIFY takes a lock that makes commits wait for each other.
      await database.notify("deliveries");
    }
    if (jobCount > 0) await database.notify("jobs");
    return result;
  });
}

const noJobs: JobQueue = {
  async enqueueDeliveries(tx, { deliveries, now }) {
    await tx.enqueueDeliveries({ deliveries, now });
    return 0;
  },
  enqueueJobs: async () => 0,
};

type Work = {
  batch: IngestBatch;
  analyze: Analyze;
  jobs: JobQueue;
  now: Date;
};

async function ingestReviews(
  tx: ReviewRepository,
  { batch: page, analyze, jobs, now }: Work,
): Promise<IngestResult & { jobCount: number }> {
  const { listing } = page;
  const listingId = listing.id;
  // Diff. The lock puts the batches of a listing in order; a listing that was removed takes nothing.
  const exists = (await tx.lockListing(listingId)) !== null;
  // Decisions of a crawl when it claimed its feed, such as to announce nothing, apply to that holder alone.
  const heldFeed = page.crawlPage?.feed ?? page.fallbackOf?.feed;
  if (heldFeed && !(await tx.lockHeldFeed(heldFeed))) return nothingSaved;
  const readings = readingsOf(page).map((batch) => ({
    batch,
    identified: assignIds({ listing, reviews: exists ? batch.reviews : [] }, now),
  }));
  const ids = new Set(readings.flatMap(({ identified }) => identified.map(({ id }) => id)));
  const known = await tx.loadReviews({ listingId, ids: [...ids] });
  const byId = new Map(known.map((review) => [review.id, review]));
  const { batch, identified, isAmbiguous } = chooseReading(readings, byId);
  // Their authors had them erased: what the store still shows of them is not saved again. An export has their stars.
  const isErasure = ({ review }: IdentifiedReview): boolean =>
    review.stored?.erasedId !== undefined;
  for (const { id: reviewId } of identified.filter(isErasure))
    await tx.insertErasedReview({ reviewId, erasedAt: now });
  const erased = await tx.listErasedReviews(identified.map(({ id }) => id));
  const kept = identified.filter((one) =>
    erased.has(one.id) ? isErasure(one) && !byId.has(one.id) : true,
  );
  const earlier = await loadEarlierVersions(tx, { listingId, identified: kept, known: byId });
  const found = { identified: kept, known: byId, earlier, now };
  const compared = diffReviews(batch, found);
  const isQuiet = compared.every(({ kind }) => kind === "unchanged");
  const judgement = await judgeCrawlPage(tx, batch, { ...found, isQuiet, isAmbiguous });
  if (judgement.kind === "quarantined") return saveQuarantine(tx, judgement);
  if (judgement.kind === "dropped") return nothingSaved;
  if (judgement.kind === "ask") return { ...nothingSaved, asking: judgement.page };
  const { crawlPage } = judgement;
  const judged = crawlPage ? { ...batch, crawlPage } : batch;
  // Another place of the store has other words for a review that is known.
  const isAsRead = crawlPage === batch.crawlPage;
  const saved = isAsRead ? compared : diffReviews(judged, found);
  const diff = saved.filter(({ kind }) => !batch.fallbackOf || kind === "new");
  // Analyse.
  if (diff.some(isToAnalyze)) await loadAnalysis();
  const changes: ReviewChange[] = [];
  const yieldNow = createYield();
  for (const change of diff) {
    changes.push(carryOverTranslation(analyzeChange(change, { listing, analyze })));
    // A page of 500 long reviews takes seconds.
    await yieldNow();
  }
  // Save.
  await saveChanges(tx, { listingId, changes, now });
  if (!judgement.isSuspicious) await markRemoved(tx, { batch: judged, identified, now });
  const labelsOf = await labelReviews(tx, { listingId, changes });
  // Match and enqueue.
  const events = judgement.isSuspicious ? changes.filter(isDated) : changes;
  const matching = { batch, changes: events, labelsOf, jobs, now };
  const queued = await enqueueReviewEvents(tx, matching);
  const jobCount = queued.jobCount + (await jobs.enqueueJobs(tx, { batch, changes, now }));
  // The crawl's checkpoint, or its end, moves together with the reviews of its page.
  const crawl = await saveCrawlPage(tx, crawlPage, changes);
  const { hasLostField, isRight } = judgement;
  const readBy = isRight && readings.length > 1 ? batch.shape : undefined;
  return { ...countChanges(changes), ...queued, jobCount, ...crawl, hasLostField, isRight, readBy };
}

/**
 * Reviews that the page would have if they were still in the store. It causes no event, and a review that reappears is
 * unmarked.
 */
async function markRemoved(
  tx: ReviewRepository,
  page: { batch: IngestBatch; identified: readonly IdentifiedReview[]; now: Date },
): Promise<void> {
  const range = findRemovalRange(page.batch, page.identified);
  const { id: listingId } = page.batch.listing;
  if (range) await tx.markRemovedReviews({ listingId, ...range, now: page.now });
}

function analyzeChange(
  change: ReviewChange,
  { listing, analyze }: { listing: Listing; analyze: Analyze },
): ReviewChange {
  if (!isToAnalyze(change)) return change;
  // A review of an export comes with its analysis, and one of an import may have been analysed ahead.
  const analysis = change.after.analysis ?? analyze(change.after);
  // A store by language has no country: the language takes its place.
  const country = hasReviewsByLanguage(listing.store) ? analysis.language : change.after.country;
  return { ...change, after: { ...change.after, analysis, country } };
}

type AnalyzedChange = Extract<ReviewChange, { kind: "new" | "edited" }>;

function isToAnalyze(change: ReviewChange): change is AnalyzedChange {
  return change.kind === "new" || change.kind === "edited";
}

async function saveChanges(
  tx: ReviewRepository,
  { listingId, changes, now }: { listingId: string; changes: readonly ReviewChange[]; now: Date },
): Promise<void> {
  const versions = numberVersions(changes);
  const saved = changes.filter(({ kind }) => kind !== "unchanged");
  const reviewsOf = (...kinds: ReviewChange["kind"][]): Review[] =>
    saved.filter(({ kind }) => kinds.includes(kind)).map(({ after }) => after);
  const placedIds = new Set(versions.map(({ reviewId }) => reviewId));
  const editedIds = changes.flatMap((change) =>
    change.kind === "edited" && !change.isCompletion && !placedIds.has(change.after.id)
      ? [change.after.id]
      : [],
  );
  await tx.insertReviewVersions({ listingId, reviewIds: editedIds, now });
  await tx.insertReviews({ listingId, reviews: reviewsOf("new") });
  await tx.replaceReviewVersions({ listingId, versions });
  await tx.updateReviews({ listingId, reviews: reviewsOf("edited", "metadata_changed") });
  await tx.addToRollups({ listingId, changes: saved });
}

/** Counts the deliveries, and the jobs that they wait for. */
async function enqueueReviewEvents(
  tx: ReviewRepository,
  input: Pick<Work, "batch" | "jobs" | "now"> & {
    changes: readonly ReviewChange[];
    labelsOf: LabelsOf;
  },
): Promise<{ queuedCount: number; jobCount: number }> {
  const { batch, jobs, now } = input;
  const listingId = batch.listing.id;
  const changes = input.changes.filter(
    (change) => change.kind === "new" || change.kind === "edited" || isNowDated(change),
  );
  const following = changes.length > 0 ? await tx.listChannelsOfListing(listingId) : [];
  const channels = following.filter(({ isPaused }) => !isPaused);
  if (channels.length === 0) return { queuedCount: 0, jobCount: 0 };
  const notified = await tx.listChannelReviews({
    channelIds: channels.map(({ id }) => id),
    reviewIds: changes.map(({ after }) => after.id),
  });
  const events = matchReviews({
    listing: batch.listing,
    channels,
    apps: await tx.listAppsOfListing(listingId),
    changes,
    notified,
    labelsOf: input.labelsOf,
    shouldNotify: (candidate) => shouldNotify(batch.notifyPolicy, candidate),
  });
  const deliveries: NewDelivery[] = [];
  const yieldNow = createYield();
  for (const event of events) {
    deliveries.push(toReviewDelivery(event, () => uuidV7(now)));
    await yieldNow();
  }
  const jobCount = await jobs.enqueueDeliveries(tx, { listingId, events, deliveries, now });
  return { queuedCount: deliveries.length, jobCount };
}

async function saveCrawlPage(
  tx: ReviewRepository,
  crawlPage: CrawlPage | undefined,
  changes: readonly ReviewChange[],
): Promise<Pick<IngestResult, "decision" | "isLeaseHeld">> {
  if (!crawlPage) return { decision: null, isLeaseHeld: true };
  const { feed } = crawlPage;
  const decision = decideCheckpoint(crawlPage, changes);
  const { end, checkpoint, leasedUntil } = decision;
  const isLeaseHeld = end
    ? await tx.finishFeed({ ...feed, ...end })
    : await tx.saveCheckpoint({ ...feed, checkpoint, leasedUntil });
  return { decision, isLeaseHeld };
}

/** A page that looked wrong was accepted: changes without a new date are saved without an event. */
function isDated({ kind, before, after }: ReviewChange): boolean {
  return kind !== "edited" || after.date > before.date;
}

export function countChanges(
  changes: readonly ReviewChange[],
): Omit<IngestResult, "queuedCount" | "decision" | "isLeaseHeld"> {
  const count = (kind: ReviewChange["kind"]): number =>
    changes.filter((change) => change.kind === kind).length;
  return {
    lateCount: changes.filter(isLateVersion).length,
    newCount: count("new"),
    editedCount: count("edited"),
    metadataChangedCount: count("metadata_changed"),
    unchangedCount: count("unchanged"),
  };
}

/** The review itself stays as it is. */
function isLateVersion({ kind, versions = [] }: ReviewChange): boolean {
  return kind === "metadata_changed" && versions.length > 0;
}

function queueByListing(save: IngestReviews): IngestReviews {
  const lastOfListing = new Map<string, Promise<unknown>>();
  return async (batch) => {
    const { id } = batch.listing;
    const saved = (lastOfListing.get(id) ?? Promise.resolve()).then(() => save(batch));
    // The next batch waits for this one, however it ends.
    const ended = saved.catch(() => undefined);
    lastOfListing.set(id, ended);
    try {
      return await saved;
    } finally {
      if (lastOfListing.get(id) === ended) lastOfListing.delete(id);
    }
  };
}

type RemovalRange = {
  /** Exclusive; null is the end of the list. */
  above: Date | null;
  /** Exclusive; null is its beginning. */
  below: Date | null;
  shownIds: readonly string[];
  /** More missing at once are rather a mistake of the store. */
  countMax: number;
};

const missingMin = 3;
const missingShareMax = 0.2;

/** null where the page does not show it: it is of no whole list, in no order, or a part of it could not be read. */
function findRemovalRange(
  { isFromWholeList, crawlPage }: Pick<IngestBatch, "isFromWholeList" | "crawlPage">,
  identified: readonly IdentifiedReview[],
): RemovalRange | null {
  if (!isFromWholeList || !crawlPage) return null;
  const { checkpoint, isFirstPage, isInOrder, isCapped, isRepeated } = crawlPage;
  const hasGap = checkpoint.gapCount + checkpoint.rejectedCount > 0;
  const isReadable = checkpoint.isFullCrawl && isInOrder && !checkpoint.isUnordered && !hasGap;
  const dates = identified.flatMap(({ review }) => review.date ?? []);
  const oldest = dates.at(-1);
  if (!isReadable || !oldest || dates.length < identified.length) return null;
  const below = isFirstPage ? null : checkpoint.oldest;
  // Where an earlier version of the service left off, nothing says what was there.
  if (below === null && !isFirstPage) return null;
  const isEnd = checkpoint.cursor === null && !isCapped && !isRepeated;
  return {
    above: isEnd ? null : oldest,
    below,
    shownIds: identified.map(({ id }) => id),
    countMax: Math.max(missingMin, Math.floor(identified.length * missingShareMax)),
  };
}
