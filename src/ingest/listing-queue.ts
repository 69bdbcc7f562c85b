// Batches of one listing are saved one after the other, in the order they were handed over. What needs no
// database, the analysis, is done while the batch before is still being saved.
import type { Analysis, AnalysisInput } from "../domain/analysis.ts";
import type { Review } from "../domain/review.ts";
import { completeOf } from "./diff-reviews.ts";
import type { Ingest, IngestBatch, IngestResult } from "./ingest-batch.ts";

type Analyse = (input: AnalysisInput) => Analysis;

/** What a review says, from before it was known whether it is new. */
export type Ahead = { find(review: Review): Analysis | null };

export function ingestInOrder(
  analyse: Analyse,
  save: (batch: IngestBatch, ahead: Ahead) => Promise<IngestResult>,
): Ingest {
  const rows = new Map<string, Promise<unknown>>();
  return async (batch) => {
    const { id } = batch.listing;
    const before = rows.get(id);
    // Most of a store's page is known and needs no analysis: only where time is waited for anyway.
    const ahead = before ? analyseAhead(analyse, batch) : Promise.resolve(nothing);
    const saved = Promise.all([ahead, before]).then(([found]) => save(batch, found));
    // The next in the row waits for this one, however it ends.
    const settled = saved.catch(() => undefined);
    rows.set(id, settled);
    try {
      return await saved;
    } finally {
      if (rows.get(id) === settled) rows.delete(id);
    }
  };
}

const nothing: Ahead = { find: () => null };
// Answers of the database are taken in between: a batch at a stretch would keep it waiting.
const stretch = 16;

async function analyseAhead(analyse: Analyse, batch: IngestBatch): Promise<Ahead> {
  const found = new Map<string, { input: AnalysisInput; analysis: Analysis }>();
  for (const [index, stated] of batch.reviews.entries()) {
    const input = completeOf(batch.listing, stated);
    found.set(stated.storeReviewId, { input, analysis: analyse(input) });
    if (index % stretch === stretch - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    find(review) {
      const one = found.get(review.storeReviewId);
      return one && isSameInput(one.input, review) ? one.analysis : null;
    },
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
