// Whether a share differs between two samples by more than chance: Fisher's exact test, one-sided, and Holm's
// correction for how many questions were asked (Scandinavian Journal of Statistics 6, 1979).
import { logFactorial } from "./poisson.ts";

/** `count` of `total` now, and `countBefore` of `totalBefore` before. */
export type Shares = { count: number; total: number; countBefore: number; totalBefore: number };

/** The probability of this share now or a higher one when nothing changed (the hypergeometric tail). */
export function riseProbability({ count, total, countBefore, totalBefore }: Shares): number {
  const marked = count + countBefore;
  const all = total + totalBefore;
  const most = Math.min(marked, total);
  const logAll = logChoose(all, total);
  let sum = 0;
  for (let drawn = count; drawn <= most; drawn += 1)
    sum += Math.exp(logChoose(marked, drawn) + logChoose(all - marked, total - drawn) - logAll);
  return Math.min(1, sum);
}

/** The same for this share or a lower one. */
export function fallProbability({ count, total, countBefore, totalBefore }: Shares): number {
  const others = { count: total - count, countBefore: totalBefore - countBefore };
  return riseProbability({ ...others, total, totalBefore });
}

/**
 * Those that chance explains less often than `level` for all questions together, the most surprising first. Each
 * question that was asked must be among them, also those with a probability of 1.
 */
export function keepSurprising<Question extends { probability: number }>(
  questions: readonly Question[],
  level: number,
): Question[] {
  const sorted = questions.toSorted((one, other) => one.probability - other.probability);
  const end = sorted.findIndex(({ probability }, at) => probability > level / (sorted.length - at));
  return end === -1 ? sorted : sorted.slice(0, end);
}

function logChoose(all: number, chosen: number): number {
  if (chosen < 0 || chosen > all) return Number.NEGATIVE_INFINITY;
  return logFactorial(all) - logFactorial(chosen) - logFactorial(all - chosen);
}
