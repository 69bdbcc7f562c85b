// How well a leaning tells praise from blame on reviews that were held out, and whether one way of
// telling does better than another by more than chance would.
import type { AdaptationFigures } from "../domain/fine-tuning.ts";

/** What was said of a review, and what its stars say. */
export type Verdict = { leaning: number; isPraise: boolean };

/** Whether what `next` says is better than what `before` said of the same rows, in the same order. */
export function doesBetter(next: readonly Verdict[], before: readonly Verdict[]): boolean {
  const [after, now] = [figuresOf(next), figuresOf(before)];
  return after.accuracy > now.accuracy && isNoLower(after, now) && isMoreThanChance(before, next);
}

export function isNoLower(figures: AdaptationFigures, than: AdaptationFigures): boolean {
  return figures.accuracy >= than.accuracy && figures.auc >= than.auc;
}

export function figuresOf(verdicts: readonly Verdict[]): AdaptationFigures {
  const shareRight = (side: boolean): number => {
    const ofSide = verdicts.filter(({ isPraise }) => isPraise === side);
    return ofSide.filter(isRight).length / (ofSide.length || 1);
  };
  return {
    accuracy: (shareRight(true) + shareRight(false)) / 2,
    auc: aucOf(verdicts),
  };
}

// What leans nowhere is told wrong, whatever it is.
function isRight({ leaning, isPraise }: Verdict): boolean {
  return isPraise ? leaning > 0 : leaning < 0;
}

/** From the ranks, with ties in the middle (Mann and Whitney). */
function aucOf(verdicts: readonly Verdict[]): number {
  const sorted = [...verdicts].sort((a, b) => a.leaning - b.leaning);
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && sorted[to]?.leaning === sorted[from]?.leaning) to += 1;
    const praise = sorted.slice(from, to).filter(({ isPraise }) => isPraise).length;
    rankSum += praise * ((from + 1 + to) / 2);
    from = to;
  }
  const praiseCount = verdicts.filter(({ isPraise }) => isPraise).length;
  const blameCount = verdicts.length - praiseCount;
  if (praiseCount === 0 || blameCount === 0) return 0.5;
  return (rankSum - (praiseCount * (praiseCount + 1)) / 2) / (praiseCount * blameCount);
}

// One-sided, one chance in twenty; the area under the curve must not fall either.
const deviations = 1.64;

/** McNemar's test on the balanced scale: rows put right against rows put wrong, each side as one. */
function isMoreThanChance(now: readonly Verdict[], then: readonly Verdict[]): boolean {
  const praiseCount = now.filter(({ isPraise }) => isPraise).length;
  const blameCount = now.length - praiseCount;
  let gain = 0;
  let variance = 0;
  for (const [index, verdict] of now.entries()) {
    const other = then[index];
    if (other === undefined || isRight(verdict) === isRight(other)) continue;
    const weight = 1 / (verdict.isPraise ? praiseCount : blameCount);
    gain += isRight(other) ? weight : -weight;
    variance += weight ** 2;
  }
  return gain > deviations * Math.sqrt(variance);
}
