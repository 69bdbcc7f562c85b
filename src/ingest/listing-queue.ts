// Saves the batches of one listing one after the other, in the order in which they came. The analysis
// needs no database: it is done for the next batch while the one before is being saved.
import type { Analysis, AnalysisInput } from "../domain/analysis.ts";
import type { Review } from "../domain/review.ts";
import { createTurns } from "../lib/turns.ts";
import { normalizeForStore } from "./diff-reviews.ts";
import type { IngestBatch, IngestResult, IngestReviews } from "./ingest-batch.ts";

export type Analyze = (input: AnalysisInput) => Analysis;

/** `save` gets an `analyze` that has the analyses made while the batch waited. */
export function queueByListing(
  analyze: Analyze,
  save: (batch: IngestBatch, analyze: (review: Review) => Analysis) => Promise<IngestResult>,
): IngestReviews {
  const lastOfListing = new Map<string, Promise<unknown>>();
  return async (batch) => {
    const { id } = batch.listing;
    const before = lastOfListing.get(id);
    // Most reviews of a page are known and need no analysis, so it is done early only while waiting.
    const early = before ? analyzeEarly(analyze, batch) : Promise.resolve(analyze);
    const saved = Promise.all([early, before]).then(([ready]) => save(batch, ready));
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

async function analyzeEarly(
  analyze: Analyze,
  batch: IngestBatch,
): Promise<(review: Review) => Analysis> {
  const ready = new Map<string, { input: AnalysisInput; analysis: Analysis }>();
  const takeTurn = createTurns();
  for (const review of batch.reviews) {
    if (review.stored?.analysis) continue;
    const { text, ...normalized } = normalizeForStore(batch.listing, review);
    const input = { ...normalized, text: text ?? "" };
    ready.set(review.storeReviewId, { input, analysis: analyze(input) });
    await takeTurn();
  }
  return (review) => {
    const found = ready.get(review.storeReviewId);
    return found && isSameInput(found.input, review) ? found.analysis : analyze(review);
  };
}

function isSameInput(one: AnalysisInput, other: AnalysisInput): boolean {
  return (
    one.text === other.text &&
    one.title === other.title &&
    one.rating === other.rating &&
    one.languageHint === other.languageHint
  );
}
