// The way of a review after an upgrade, or after an adaptation came or went: analysed once more, beside
// the service that goes on. Makes no event. What is done stays done, so a run that was stopped goes on
// from there.

import { analysisVersion } from "../analysis/analyze.ts";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { Analysis } from "../domain/analysis.ts";
import type { Listing } from "../domain/listing.ts";
import type { Review } from "../domain/review.ts";
import type { Analyzer } from "./analyzer.ts";

export type ReanalysisProgress = { doneCount: number; totalCount: number };

export type ReanalysisResult = {
  reviewCount: number;
  /** Those of which language, sentiment or topics came out differently. */
  changedCount: number;
};

type ReanalysisDeps = { database: Database; analyzer: Analyzer };

// Short enough that an ingest of the same listing hardly waits.
const batchSize = 500;

/** Analyses what is behind: of one workspace's apps, or of all. */
export async function reanalyze(
  { database, analyzer }: ReanalysisDeps,
  wanted: {
    workspaceId: string | null;
    onProgress: (progress: ReanalysisProgress) => void;
    /** Between batches: room for others. False ends the run. */
    goOn?: () => Promise<boolean>;
  },
): Promise<ReanalysisResult> {
  // As they are now: reviews that name another adaptation would be behind for ever.
  await analyzer.refresh();
  const backlog = await countBacklog(database, wanted.workspaceId);
  const totalCount = backlog.reduce((sum, { reviewCount }) => sum + reviewCount, 0);
  const result: ReanalysisResult = { reviewCount: 0, changedCount: 0 };
  for (const { listingId } of backlog) {
    for (let afterId: string | null = null; ; ) {
      const from: From = { listingId, afterId, analyzer };
      const batch = await database.transaction((tx) => takeBatch(tx, from));
      if (batch.lastId === null) break;
      afterId = batch.lastId;
      result.reviewCount += batch.reviewCount;
      result.changedCount += batch.changedCount;
      if (batch.changedCount > 0) await database.notify("reviews", listingId);
      wanted.onProgress({ doneCount: result.reviewCount, totalCount });
      if (wanted.goOn && !(await wanted.goOn())) return result;
    }
  }
  return result;
}

async function countBacklog(
  database: Database,
  workspaceId: string | null,
): Promise<{ listingId: string; reviewCount: number }[]> {
  const backlog: { listingId: string; reviewCount: number }[] = [];
  for (const listingId of await database.listListingsToAnalyze(workspaceId)) {
    const wanted = { listingId, version: analysisVersion };
    const reviewCount = await database.countAnalysisBacklog(wanted);
    if (reviewCount > 0) backlog.push({ listingId, reviewCount });
  }
  return backlog;
}

type From = { listingId: string; afterId: string | null; analyzer: Analyzer };

/** `lastId` is null when nothing was left. */
type Batch = ReanalysisResult & { lastId: string | null };

async function takeBatch(tx: DatabaseTransaction, from: From): Promise<Batch> {
  const { listingId, afterId, analyzer } = from;
  const none = { reviewCount: 0, changedCount: 0, lastId: null };
  // As an ingest does: changes to one listing come one after another, and the rollups with them.
  const listing = await tx.lockListing(listingId);
  if (!listing) return none;
  const wanted = { listingId, version: analysisVersion, afterId, limit: batchSize };
  const ids = await tx.listBacklogIds(wanted);
  const lastId = ids.at(-1);
  if (lastId === undefined) return none;
  const known = await tx.loadReviews({ listingId, ids });
  const changes = known.map((before) => {
    return { before, after: renew(listing, before, analyzer.analyze(before)) };
  });
  await tx.updateReviews({ listingId, reviews: changes.map(({ after }) => after) });
  await tx.addToRollups({ listingId, changes });
  const changedCount = changes.filter(({ before, after }) => isOther(before, after)).length;
  return { reviewCount: known.length, changedCount, lastId };
}

function renew(listing: Listing, review: Review, said: Analysis): Review {
  const analysis = keepOpinion(review.analysis, said);
  // Google Play does not tell a country: the language stands in its place.
  const country = listing.store === "googleplay" ? analysis.language : review.country;
  return { ...review, analysis, country };
}

/** What a provider was paid to say is not undone by an upgrade of the built-in engine. */
function keepOpinion(before: Analysis | null, said: Analysis): Analysis {
  if (before?.provider === undefined) return said;
  const { language, version } = said;
  return { ...before, language, version };
}

function isOther(before: Review, after: Review): boolean {
  return (
    before.analysis?.language !== after.analysis?.language ||
    before.analysis?.sentiment?.label !== after.analysis?.sentiment?.label ||
    before.analysis?.topics.join() !== after.analysis?.topics.join()
  );
}
