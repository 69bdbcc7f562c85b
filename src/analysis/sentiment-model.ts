// The trained part of sentiment: how much each feature of a text speaks for and against, summed for
// the whole and for each clause.
import { once } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import type { Clause } from "./clauses.ts";
import type { DeltaTable } from "./fine-tuning.ts";
import { IndexSet } from "./index-set.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import { extractSentimentFeatures } from "./sentiment-features.ts";
import type { Token } from "./tokens.ts";

/** What speaks for and against, as logits over neutral. */
export type PolarityLogits = { good: number; bad: number };

export type SentimentHead = {
  /** What one step of a stored weight is worth. */
  badStep: number;
  goodStep: number;
  badBias: number;
  goodBias: number;
};

const modelUrl = new URL("./models/sentiment.bin", import.meta.url);
const openModel = once(() => readWeightFile<SentimentHead>(modelUrl));
const seen = new IndexSet();

export function scoreFeatures(weigh: {
  text: string;
  tokens: readonly Token[];
  clauses: readonly Clause[];
  sentimentWords: readonly SentimentWord[];
  /** What training on the installation's own reviews shifted; null for the shipped weights alone. */
  deltas: DeltaTable | null;
}): { whole: PolarityLogits; clauses: PolarityLogits[] } {
  const { head, weights } = openModel();
  const { buckets: places, counts } = extractSentimentFeatures(weigh.text, weigh);
  const { deltas: deltas } = weigh;
  const whole = beginSum();
  const clauses = weigh.clauses.map(beginSum);
  seen.clear(places.length);
  let clause = 0;
  let from = 0;
  for (const [index, token] of weigh.tokens.entries()) {
    while (clause < clauses.length - 1 && token.start >= (weigh.clauses[clause]?.end ?? 0)) {
      clause += 1;
    }
    const to = counts[index] ?? from;
    const part = clauses[clause];
    for (let at = from; at < to; at += 1) {
      const place = places[at] ?? 0;
      const found = seen.add(place, clause);
      if (found === "known") continue;
      const bad = weights[place * 2] ?? 0;
      const good = weights[place * 2 + 1] ?? 0;
      const delta = deltas === null ? 0 : deltas.stepsAt(place);
      if (found === "new") add(whole, { bad, good, delta });
      if (part !== undefined) add(part, { bad, good, delta });
    }
    from = to;
  }
  const step = { ...head, deltaStep: deltas?.step ?? 0 };
  return { whole: toLogits(whole, step), clauses: clauses.map((part) => toLogits(part, step)) };
}

/** In steps. */
type Sum = { count: number; bad: number; good: number; delta: number };

function beginSum(): Sum {
  return { count: 0, bad: 0, good: 0, delta: 0 };
}

function add(sum: Sum, { bad, good, delta }: Omit<Sum, "count">): void {
  sum.count += 1;
  sum.bad += bad;
  sum.good += good;
  sum.delta += delta;
}

function toLogits(sum: Sum, step: SentimentHead & { deltaStep: number }): PolarityLogits {
  // As in training: a long text does not say more, it says it with more features.
  const value = 1 / Math.sqrt(sum.count || 1);
  const delta = sum.delta * step.deltaStep * value;
  return {
    bad: sum.bad * step.badStep * value + step.badBias - delta,
    good: sum.good * step.goodStep * value + step.goodBias + delta,
  };
}
