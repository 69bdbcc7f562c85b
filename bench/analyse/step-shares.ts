// The share of each stage in the time of an analysis: each stage is timed alone, repeatedly, on the same
// reviews.
import { detectLanguage } from "../../src/analysis/language-detector.ts";
import { findListed } from "../../src/analysis/lexicon.ts";
import { normalizeReview } from "../../src/analysis/normalized-text.ts";
import { scoreSentiment } from "../../src/analysis/sentiment.ts";
import { tokenize } from "../../src/analysis/tokens.ts";
import type { AnalysisInput } from "../../src/domain/review/analysis.ts";

const roundCount = 20;

export function measureShares(
  reviews: readonly AnalysisInput[],
): { step: string; share: number }[] {
  const prepared = reviews.map(prepare);
  const steps: Readonly<Record<string, (review: PreparedReview) => void>> = {
    "normalized text": ({ review }) => normalizeReview(review),
    tokens: ({ text }) => tokenize(text),
    language: (prepared) => detectLanguage(prepared, null),
    sentiment: (prepared) => scoreSentiment(prepared),
    "word lists": ({ text, language }) => findListed({ text, opening: text }, language),
  };
  const times = Object.entries(steps).map(([step, run]) => ({ step, ms: timeOf(prepared, run) }));
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  return times.map(({ step, ms }) => ({ step, share: ms / total }));
}

type PreparedReview = ReturnType<typeof prepare>;

function prepare(review: AnalysisInput) {
  const text = normalizeReview(review)?.opening ?? "";
  const tokens = tokenize(text);
  const language = detectLanguage({ text, tokens }, review.languageHint);
  const listed = findListed({ text, opening: text }, language);
  const { rating } = review;
  return { review, text, tokens, language, listed, rating };
}

function timeOf(reviews: readonly PreparedReview[], run: (review: PreparedReview) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < roundCount; round += 1) {
    const from = performance.now();
    for (const review of reviews) run(review);
    best = Math.min(best, performance.now() - from);
  }
  return best;
}
