// Figures of a sentiment classifier on held-out reviews, and whether one classifier is significantly
// better than another.
import type { FineTuningFigures } from "../domain/fine-tuning.ts";

/** The logit that a classifier gives to a review, and its label by stars. */
export type Prediction = { logit: number; isPositive: boolean };

/** @param next predictions for the same rows as `before`, in the same order */
export function isSignificantlyBetter(
  next: readonly Prediction[],
  before: readonly Prediction[],
): boolean {
  const [figures, than] = [computeFigures(next), computeFigures(before)];
  return (
    figures.accuracy > than.accuracy &&
    isAtLeastAsGood(figures, than) &&
    isMoreThanChance(before, next)
  );
}

export function isAtLeastAsGood(figures: FineTuningFigures, than: FineTuningFigures): boolean {
  return figures.accuracy >= than.accuracy && figures.auc >= than.auc;
}

export function computeFigures(predictions: readonly Prediction[]): FineTuningFigures {
  const recallOf = (side: boolean): number => {
    const ofSide = predictions.filter(({ isPositive }) => isPositive === side);
    return ofSide.filter(isCorrect).length / (ofSide.length || 1);
  };
  return {
    accuracy: (recallOf(true) + recallOf(false)) / 2,
    auc: aucOf(predictions),
  };
}

// A logit of 0 is wrong for both labels.
function isCorrect({ logit, isPositive }: Prediction): boolean {
  return isPositive ? logit > 0 : logit < 0;
}

/** Area under the ROC curve from ranks; ties share their mean rank (Mann-Whitney U). */
function aucOf(predictions: readonly Prediction[]): number {
  const sorted = [...predictions].sort((a, b) => a.logit - b.logit);
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && sorted[to]?.logit === sorted[from]?.logit) to += 1;
    const positives = sorted.slice(from, to).filter(({ isPositive }) => isPositive).length;
    rankSum += positives * ((from + 1 + to) / 2);
    from = to;
  }
  const positiveCount = predictions.filter(({ isPositive }) => isPositive).length;
  const negativeCount = predictions.length - positiveCount;
  if (positiveCount === 0 || negativeCount === 0) return 0.5;
  return (rankSum - (positiveCount * (positiveCount + 1)) / 2) / (positiveCount * negativeCount);
}

// One-sided 5 % level of the normal distribution.
const standardScoreMin = 1.64;

/** McNemar's test, with each class weighted to the same total: corrected rows against rows made wrong. */
function isMoreThanChance(before: readonly Prediction[], next: readonly Prediction[]): boolean {
  const positiveCount = before.filter(({ isPositive }) => isPositive).length;
  const negativeCount = before.length - positiveCount;
  let gain = 0;
  let variance = 0;
  for (const [index, prediction] of before.entries()) {
    const other = next[index];
    if (other === undefined || isCorrect(prediction) === isCorrect(other)) continue;
    const weight = 1 / (prediction.isPositive ? positiveCount : negativeCount);
    gain += isCorrect(other) ? weight : -weight;
    variance += weight ** 2;
  }
  return gain > standardScoreMin * Math.sqrt(variance);
}
