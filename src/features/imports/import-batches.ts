// Saves rows of an import in batches, in the order of the file: while one is saved, the next one is read and analysed. A batch
// is tried again while the database is away.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { App, Listing } from "../../domain/feed/listing.ts";
import { reviewIdOf, type SourceReview } from "../../domain/review/review.ts";
import { type Analyze, analyzeAhead } from "../../ingest/analyze-ahead.ts";
import { assignIds, diffReviews, normalizeForStore } from "../../ingest/diff-reviews.ts";
import { loadEarlierVersions } from "../../ingest/earlier-versions.ts";
import type { IngestReviews } from "../../ingest/ingest-batch.ts";
import { countChanges } from "../../ingest/ingest-reviews.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import { createYield } from "../../lib/event-loop-yield.ts";
import { isUuid } from "../../lib/uuid.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { ensurePrivateListing } from "../../use-cases/apps/private-listing.ts";
import { eraseReview } from "../../use-cases/privacy/erase-review.ts";
import { hashContent } from "./files/made-ids.ts";
import type { ParsedReview } from "./files/parse-review.ts";
import { type ImportResult, rejectRow } from "./import-result.ts";

export type ImportReviewsDeps = {
  clock: Clock;
  database: Pick<
    Database,
    "findApp" | "findListing" | "loadReviews" | "loadReviewVersions" | "transaction"
  >;
  ingestReviews: IngestReviews;
  /** The built-in one by default. */
  analyze?: Analyze;
  /** Erases a review that was erased where the file was written; without an entry of the audit log by default. */
  eraseReview?(erased: { appId: string; reviewId: string }): Promise<unknown>;
  /** Between tries of a batch while the database is away; the real one by default. */
  delay?: Delay;
  /** Describes a bug for the result; with its message by default. */
  describeFailure?(error: unknown): string;
};

type ImportedRow = Exclude<ParsedReview, { reason: string }> & { line: number };

// Small enough for a short transaction, large enough that the cost of a transaction does not matter.
const batchSize = 1_000;

type Batches = { add(row: ImportedRow): Promise<void>; end(): Promise<void> };

export function createBatches(
  deps: ImportReviewsDeps,
  target: { app: App; notify: boolean; isTrial: boolean; result: ImportResult },
): Batches {
  const { app, isTrial } = target;
  const ingestReviews = isTrial ? createTrial(deps) : deps.ingestReviews;
  let listing: Listing | null = null;
  let saving: Promise<{ isNews: boolean }> = Promise.resolve({ isNews: false });
  // The last batch that was saved decides.
  let isNews = false;
  // A batch holds each review once, so a review that the file has again waits for the next one.
  let rounds: Map<string, ImportedRow>[] = [];
  let waitingCount = 0;
  const save = async (read: readonly ImportedRow[]): Promise<void> => {
    // Only now: a file without a good row must not fork the listing. Later calls only check that the
    // app still exists, because a lock would wait for the batch that is being saved.
    listing = await retryUnavailable(deps, async () => {
      if (listing) {
        await requireApp(deps.database, app);
        return listing;
      }
      const known = isTrial && (await deps.database.findListing(app.listingId));
      return known || ensurePrivateListing(deps, app.id);
    });
    const rows = isNews && !isTrial ? await analyzeRows(deps, { app, rows: read }) : read;
    const batch = { ...target, listing, rows };
    const before = saving;
    saving = before.then(() => saveBatch({ ...deps, ingestReviews }, batch));
    // The next `save` or `end` throws this failure; until then it must not count as unhandled.
    saving.catch(() => {});
    ({ isNews } = await before);
  };
  const flush = async (): Promise<void> => {
    const full = rounds;
    rounds = [];
    waitingCount = 0;
    for (const rows of full) await save([...rows.values()]);
  };
  return {
    async add(row) {
      const key = row.review.storeReviewId;
      const round = rounds.find((rows) => !rows.has(key)) ?? new Map<string, ImportedRow>();
      if (round.size === 0) rounds.push(round);
      round.set(key, row);
      waitingCount += 1;
      if (waitingCount >= batchSize) await flush();
    },
    async end() {
      await flush();
      await saving;
    },
  };
}

/** All rows at once: mixed with reading them, it takes a quarter more processor time. */
async function analyzeRows(
  { analyze }: Pick<ImportReviewsDeps, "analyze">,
  { app, rows }: { app: App; rows: readonly ImportedRow[] },
): Promise<ImportedRow[]> {
  const analyzed: ImportedRow[] = [];
  const yieldNow = createYield();
  for (const row of rows) {
    analyzed.push({ ...row, review: analyzeAhead(app, row.review, analyze) });
    await yieldNow();
  }
  return analyzed;
}

/** In place of an ingest: compares with the stored reviews and saves nothing. A review that is twice in a file is compared twice. */
function createTrial({ database, clock }: ImportReviewsDeps): IngestReviews {
  return async (batch) => {
    const { listing, reviews } = batch;
    const now = clock.now();
    const identified = assignIds({ listing, reviews }, now);
    const ids = identified.map(({ id }) => id);
    const known = await database.loadReviews({ listingId: listing.id, ids });
    const byId = new Map(known.map((review) => [review.id, review]));
    const read = { identified, known: byId };
    const earlier = await loadEarlierVersions(database, { ...read, listingId: listing.id });
    const counts = countChanges(diffReviews(batch, { ...read, earlier, now }));
    return { ...counts, queuedCount: 0, decision: null, isLeaseHeld: true };
  };
}

/** `isNews`: most of its reviews were new. A known one is analysed in vain, so that the next batch depends on it. */
async function saveBatch(
  deps: ImportReviewsDeps,
  batch: {
    app: App;
    isTrial: boolean;
    listing: Listing;
    rows: readonly ImportedRow[];
    notify: boolean;
    result: ImportResult;
  },
): Promise<{ isNews: boolean }> {
  const { listing, notify, result } = batch;
  const notifyPolicy = { kind: notify ? "always" : "never" } as const;
  const reviews = await retryUnavailable(deps, () => findOwnIds(deps, batch));
  const ingested = { listing, reviews, source: "import", notifyPolicy, undatedAt: null } as const;
  const saved = await retryUnavailable(deps, () => deps.ingestReviews(ingested));
  if (!batch.isTrial) await eraseKnown(deps, { ...batch, reviews });
  result.samples?.push(...reviews.slice(0, 3 - result.samples.length));
  result.inserted += saved.newCount;
  result.updated += saved.editedCount + saved.metadataChangedCount - saved.lateCount;
  result.unchanged += saved.unchangedCount + saved.lateCount;
  if (saved.lateCount > 0) result.earlierVersions = (result.earlierVersions ?? 0) + saved.lateCount;
  result.queued += saved.queuedCount;
  return { isNews: saved.newCount > reviews.length / 2 };
}

/**
 * Rows with the id that a review has in Starpost get the store's; rows of reviews that the app doesn't have are rejected. A
 * review under a made id of an earlier version keeps it.
 */
async function findOwnIds(
  { database }: Pick<ImportReviewsDeps, "database">,
  {
    listing,
    rows,
    result,
  }: { listing: Listing; rows: readonly ImportedRow[]; result: ImportResult },
): Promise<SourceReview[]> {
  const idOf = ({ review, hasOwnId, earlierId: storeReviewId }: ImportedRow): string | null => {
    if (hasOwnId) return isUuid(review.storeReviewId) ? review.storeReviewId : null;
    return storeReviewId === undefined ? null : reviewIdOf({ ...listing, storeReviewId });
  };
  const ids = rows.flatMap((row) => idOf(row) ?? []);
  if (ids.length === 0 && !rows.some(({ hasOwnId }) => hasOwnId))
    return rows.map(({ review }) => review);
  const loaded = await database.loadReviews({ listingId: listing.id, ids });
  const byId = new Map(loaded.map((review) => [review.id, review]));
  return rows.flatMap((row) => {
    const { review, hasOwnId, line } = row;
    const known = byId.get(idOf(row) ?? "");
    if (known?.storeReviewId) {
      const isIt =
        hasOwnId || hashContent(known) === hashContent(normalizeForStore(listing, review));
      return [isIt ? { ...review, storeReviewId: known.storeReviewId } : review];
    }
    if (!hasOwnId) return [review];
    const reason =
      "id is Starpost's, of a review that the app doesn't have; export it again, with storeId";
    rejectRow(result, { line, reason });
    return [];
  });
}

/** Reviews that were erased where the file was written, and whose text is stored here. */
async function eraseKnown(
  deps: ImportReviewsDeps,
  { app, listing, reviews }: { app: App; listing: Listing; reviews: readonly SourceReview[] },
): Promise<void> {
  const ids = reviews.flatMap(({ stored }) => stored?.erasedId ?? []);
  if (ids.length === 0) return;
  const known = await deps.database.loadReviews({ listingId: listing.id, ids });
  const eraseHere = ({ reviewId }: { reviewId: string }) =>
    deps.database.transaction((tx) => eraseReview(tx, { app, reviewId, now: deps.clock.now() }));
  for (const { id, storeReviewId } of known) {
    if (storeReviewId === "") continue;
    await (deps.eraseReview ?? eraseHere)({ appId: app.id, reviewId: id });
  }
}

/** In all a minute: a server that starts again is back by then. */
const retryDelaysMs = [1_000, 4_000, 10_000, 20_000, 25_000];

/** For steps that happen as a whole or not at all, so that they can be tried again. */
async function retryUnavailable<T>(
  { delay = systemDelay }: Pick<ImportReviewsDeps, "delay">,
  save: () => Promise<T>,
): Promise<T> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await save();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
      await delay(delayMs);
    }
  }
  return save();
}
