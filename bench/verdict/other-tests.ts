// The usual alternatives: compare two shares with a z-test, once or again after every review. And the exact confidence
// interval of a share.
import { hasMark, type TestedReview } from "../../src/features/verdict/judge/bets.ts";
import type { Question } from "../../src/features/verdict/judge/test-release.ts";

type Counts = { n: number; yes: number };

/** One-sided Cochran–Mantel–Haenszel test of a rise in any stratum, as a running sum over reviews of one release. */
export function openZTests(input: {
  past: readonly TestedReview[];
  questions: readonly Question[];
  isStratified: boolean;
}) {
  const { past, questions, isStratified } = input;
  const stratumOf = ({ stratum }: TestedReview): string => (isStratified ? stratum : "");
  const strata = new Map<string, { past: Counts[]; now: Counts[] }>();
  const add = (review: TestedReview, side: "past" | "now"): void => {
    const empty = () => questions.map(() => ({ n: 0, yes: 0 }));
    const stratum = strata.get(stratumOf(review)) ?? { past: empty(), now: empty() };
    strata.set(stratumOf(review), stratum);
    for (const [question, counts] of stratum[side].entries()) {
      counts.n += 1;
      counts.yes += Number(hasMark(review, question));
    }
  };
  for (const review of past) add(review, "past");
  return {
    add: (review: TestedReview) => add(review, "now"),
    z(question: number): number {
      let [rise, variance] = [0, 0];
      for (const { past, now } of strata.values()) {
        const [a, b] = [past[question], now[question]];
        if (!a || !b || a.n === 0 || b.n === 0) continue;
        const n = a.n + b.n;
        const yes = a.yes + b.yes;
        rise += b.yes - (b.n * yes) / n;
        variance += (a.n * b.n * yes * (n - yes)) / (n * n * (n - 1));
      }
      return variance > 0 ? rise / Math.sqrt(variance) : 0;
    },
  };
}

/** The z that a one-sided test with this error rate has to exceed, by bisection of the normal tail. */
export function criticalZ(errorRate: number): number {
  return bisect((z) => normalTail(z) > errorRate, 0, 10);
}

/** Exact 95 % confidence interval of a share (Clopper and Pearson 1934). */
export function clopperPearson(count: number, n: number): [number, number] {
  const tail = (share: number, from: number, to: number): number => {
    let sum = 0;
    for (let k = from; k <= to; k += 1)
      sum += Math.exp(logChoose(n, k) + k * Math.log(share) + (n - k) * Math.log1p(-share));
    return sum;
  };
  const low = count === 0 ? 0 : bisect((share) => 1 - tail(share, 0, count - 1) < 0.025, 1e-12, 1);
  const high = count === n ? 1 : bisect((share) => tail(share, 0, count) > 0.025, 0, 1 - 1e-12);
  return [low, high];
}

/** The border between where `isBelow` holds and where it does not. */
function bisect(isBelow: (value: number) => boolean, min: number, max: number): number {
  let [low, high] = [min, max];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Abramowitz and Stegun 26.2.17; the error is below 1e-7. */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = series.reduce((total, factor) => (total + factor) * t, 0);
  return (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

const logFactorials = [0];
function logChoose(n: number, k: number): number {
  for (let at = logFactorials.length; at <= n; at += 1)
    logFactorials.push((logFactorials[at - 1] ?? 0) + Math.log(at));
  const log = (of: number): number => logFactorials[of] ?? 0;
  return log(n) - log(k) - log(n - k);
}
