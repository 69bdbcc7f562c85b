// How well a leaning tells praise from blame on reviews that were held out, and whether one way of
// telling does better than another by more than chance would.
import type { FineTuningFigures } from "../domain/fine-tuning.ts";

/** What was said of a review, and what its stars say. */
export type Prediction = { logit: number; isPositive: boolean };

/** Whether what `next` says is better than what `before` said of the same rows, in the same order. */
export function isSignificantlyBetter(next: readonly Prediction[], before: readonly Prediction[]): boolean {
  const [after, now] = [computeFigures(next), computeFigures(before)];
  return after.accuracy > now.accuracy && isAtLeastAsGood(after, now) && isMoreThanChance(before, next);
}

export function isAtLeastAsGood(figures: FineTuningFigures, than: FineTuningFigures): boolean {
  return figures.accuracy >= than.accuracy && figures.auc >= than.auc;
}

export function computeFigures(predictions: readonly Prediction[]): FineTuningFigures {
  const shareRight = (side: boolean): number => {
    const ofSide = predictions.filter(({ isPositive: isPositive }) => isPositive === side);
    return ofSide.filter(isRight).length / (ofSide.length || 1);
  };
  return {
    accuracy: (shareRight(true) + shareRight(false)) / 2,
    auc: aucOf(predictions),
  };
}

// What leans nowhere is told wrong, whatever it is.
function isRight({ logit: logit, isPositive: isPositive }: Prediction): boolean {
  return isPositive ? logit > 0 : logit < 0;
}

/** From the ranks, with ties in the middle (Mann and Whitney). */
function aucOf(predictions: readonly Prediction[]): number {
  const sorted = [...predictions].sort((a, b) => a.logit - b.logit);
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && sorted[to]?.logit === sorted[from]?.logit) to += 1;
    const praise = sorted.slice(from, to).filter(({ isPositive: isPositive }) => isPositive).length;
    rankSum += praise * ((from + 1 + to) / 2);
    from = to;
  }
  const positiveCount = predictions.filter(({ isPositive: isPositive }) => isPositive).length;
  const negativeCount = predictions.length - positiveCount;
  if (positiveCount === 0 || negativeCount === 0) return 0.5;
  return (rankSum - (positiveCount * (positiveCount + 1)) / 2) / (positiveCount * negativeCount);
}

// One-sided, one chance in twenty; the area under the curve must not fall either.
const deviations = 1.64;

/** McNemar's test on the balanced scale: rows put right against rows put wrong, each side as one. */
function isMoreThanChance(now: readonly Prediction[], then: readonly Prediction[]): boolean {
  const positiveCount = now.filter(({ isPositive: isPositive }) => isPositive).length;
  const negativeCount = now.length - positiveCount;
  let gain = 0;
  let variance = 0;
  for (const [index, prediction] of now.entries()) {
    const other = then[index];
    if (other === undefined || isRight(prediction) === isRight(other)) continue;
    const weight = 1 / (prediction.isPositive ? positiveCount : negativeCount);
    gain += isRight(other) ? weight : -weight;
    variance += weight ** 2;
  }
  return gain > deviations * Math.sqrt(variance);
}
