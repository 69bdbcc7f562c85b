// Trains the decision over the four labels of sentiment.
import type { SentimentDecision } from "../src/analysis/sentiment-decision.ts";
import type { SentimentLabel } from "../src/domain/review/analysis.ts";
import type { DecisionRow } from "./decision-rows.ts";
import { trainDense } from "./dense-trainer.ts";

const labels = ["positive", "negative", "neutral", "mixed"] as const;
// Neutral is rare, and each label counts the same in macro-F1. Mixed is rarer in stores than in the gold, which is hard on
// purpose: with its full weight, half of what is called mixed in real reviews would not be.
const labelWeights: Readonly<Record<SentimentLabel, number>> = {
  positive: 1,
  negative: 1,
  neutral: 1.8,
  mixed: 0.8,
};

/** Each row counts once without and once with its stars. */
export function trainSentimentDecision(rows: readonly DecisionRow[]): SentimentDecision {
  const starred = rows.flatMap(({ signals, stars, sentiment, weight }) =>
    stars.map((starSignals) => ({
      signals: [...signals, ...starSignals],
      label: labels.indexOf(sentiment),
      weight: weight * labelWeights[sentiment],
    })),
  );
  const scaledCount = rows[0]?.signals.length ?? 0;
  const [positive = [], negative = [], neutral = [], mixed = []] = trainDense(starred, {
    labelCount: labels.length,
    scaledCount,
    keepBounds: (weights) => keepMonotone(weights, scaledCount),
  });
  return { positive, negative, neutral, mixed };
}

/**
 * A star more never lowers P(positive) − P(negative): the side moves positive and negative alone, and by as much as the
 * distance from three stars moves the others at most.
 */
function keepMonotone(weights: readonly Float64Array[], from: number): void {
  const [positive, negative, ...others] = weights;
  if (positive === undefined || negative === undefined) return;
  const side = Math.max(0, ((positive[from] ?? 0) - (negative[from] ?? 0)) / 2);
  positive.set([side, 0, 0], from);
  negative.set([-side, 0, 0], from);
  for (const own of others) {
    const near = bounded(own[from + 1] ?? 0, side);
    const far = bounded(near + (own[from + 2] ?? 0), side);
    own.set([0, near, far - near], from);
  }
}

function bounded(value: number, size: number): number {
  return Math.max(-size, Math.min(size, value));
}
