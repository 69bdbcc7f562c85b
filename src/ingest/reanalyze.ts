// Re-analysis: analyzes stored reviews again after an upgrade, while the service runs. Causes no event. Each batch is
// committed, so a run that was stopped continues where it ended. Workspaces take turns by batches.

import { analysisVersion, analyzeReview, loadAnalysis } from "../analysis/analyze.ts";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { Analysis } from "../domain/review/analysis.ts";
import type { Review } from "../domain/review/review.ts";
import { hasReviewsByLanguage } from "../domain/store/store-traits.ts";
import { createYield } from "../lib/event-loop-yield.ts";
import { groupBy } from "../lib/group-by.ts";

export type ReanalysisProgress = { doneCount: number; totalCount: number };

export type ReanalysisResult = {
  reviewCount: number;
  /** Those whose language, sentiment label or topics changed. */
  changedCount: number;
};

type ReanalysisDeps = {
  database: Pick<Database, "transaction" | "listListingsToAnalyze" | "countAnalysisBacklog">;
};

// Small enough that ingest of the same listing hardly waits.
const batchSize = 500;

/** Analyzes all reviews with an outdated analysis: of one workspace's apps, or of all. */
export async function reanalyze(
  { database }: ReanalysisDeps,
  options: {
    /** null for all workspaces. */
    workspaceId: string | null;
    onProgress: (progress: ReanalysisProgress) => void;
    /** Awaited after each batch; false ends the run. */
    shouldContinue?: () => Promise<boolean>;
  },
): Promise<ReanalysisResult> {
  const backlog = await countBacklog(database, options.workspaceId);
  const totalCount = backlog.reduce((sum, { reviewCount }) => sum + reviewCount, 0);
  const result: ReanalysisResult = { reviewCount: 0, changedCount: 0 };
  const lines = [...groupBy(backlog, ({ line }) => line).values()];
  for (let line = lines.shift(); line; line = lines.shift()) {
    const [batch] = line;
    if (!batch) continue;
    lines.push(line);
    const done = await database.transaction((tx) => reanalyzeBatch(tx, batch));
    batch.afterId = done.lastId;
    if (done.lastId === null) {
      line.shift();
      continue;
    }
    result.reviewCount += done.reviewCount;
    result.changedCount += done.changedCount;
    options.onProgress({ doneCount: result.reviewCount, totalCount });
    if (options.shouldContinue && !(await options.shouldContinue())) return result;
  }
  return result;
}

type Batch = { listingId: string; afterId: string | null };

async function countBacklog(
  database: ReanalysisDeps["database"],
  workspaceId: string | null,
): Promise<(Batch & { line: string | null; reviewCount: number })[]> {
  const backlog: (Batch & { line: string | null; reviewCount: number })[] = [];
  for (const { listingId, line } of await database.listListingsToAnalyze(workspaceId)) {
    const query = { listingId, version: analysisVersion };
    const reviewCount = await database.countAnalysisBacklog(query);
    if (reviewCount > 0) backlog.push({ listingId, line, reviewCount, afterId: null });
  }
  return backlog;
}

/** `lastId` is null when nothing was left. */
async function reanalyzeBatch(
  tx: DatabaseTransaction,
  { listingId, afterId }: Batch,
): Promise<ReanalysisResult & { lastId: string | null }> {
  const nothing = { reviewCount: 0, changedCount: 0, lastId: null };
  // As in ingest, the lock puts changes of one listing and of its rollups in order.
  const listing = await tx.lockListing(listingId);
  if (!listing) return nothing;
  const query = { listingId, version: analysisVersion, afterId, limit: batchSize };
  const ids = await tx.listBacklogIds(query);
  const lastId = ids.at(-1);
  if (lastId === undefined) return nothing;
  const reviews = await tx.loadReviews({ listingId, ids });
  const changes: { before: Review; after: Review }[] = [];
  await loadAnalysis();
  const yieldNow = createYield();
  for (const before of reviews) {
    const after = withAnalysis(before, { listing, analysis: analyzeReview(before) });
    changes.push({ before, after });
    await yieldNow();
  }
  await tx.updateReviews({ listingId, reviews: changes.map(({ after }) => after) });
  await tx.addToRollups({ listingId, changes });
  const changedCount = changes.filter(hasChanged).length;
  return { reviewCount: reviews.length, changedCount, lastId };
}

function withAnalysis(review: Review, built: { listing: Listing; analysis: Analysis }): Review {
  const analysis = keepProvidedAnalysis(review.analysis, built.analysis);
  // A store by language has no country: the language takes its place.
  const country = hasReviewsByLanguage(built.listing.store) ? analysis.language : review.country;
  return { ...review, analysis, country };
}

/** Sentiment and topics by a provider, which were paid for, stay. */
function keepProvidedAnalysis(before: Analysis | null, builtIn: Analysis): Analysis {
  if (before?.provider === undefined) return builtIn;
  const { language, version } = builtIn;
  return { ...before, language, version };
}

function hasChanged({ before, after }: { before: Review; after: Review }): boolean {
  return (
    before.analysis?.language !== after.analysis?.language ||
    before.analysis?.sentiment?.label !== after.analysis?.sentiment?.label ||
    before.analysis?.topics.join() !== after.analysis?.topics.join()
  );
}
