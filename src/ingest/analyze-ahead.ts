// Analyses a review before its ingest, while the database saves others.
import { analyzeReview } from "../analysis/analyze.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { Analysis, AnalysisInput } from "../domain/review/analysis.ts";
import type { SourceReview } from "../domain/review/review.ts";
import { normalizeForStore } from "./diff-reviews.ts";

export type Analyze = (input: AnalysisInput) => Analysis;

/** A review of an export has its analysis. */
export function analyzeAhead(
  listing: Pick<Listing, "store">,
  source: SourceReview,
  analyze: Analyze = analyzeReview,
): SourceReview {
  if (source.stored) return source;
  const review = normalizeForStore(listing, source);
  const { title, text, rating, languageHint } = review;
  const readyAnalysis = analyze({ title, text: text ?? "", rating, languageHint });
  return { ...review, readyAnalysis };
}
