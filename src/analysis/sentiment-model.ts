// The trained part of sentiment: sums the weights of a text's features, for the whole text and for each
// clause.
import { lazy } from "../lib/lazy.ts";
import { readWeightFile, type WeightFile } from "../lib/weight-file.ts";
import type { Clause } from "./clauses.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import type { SentimentDecision } from "./sentiment-decision.ts";
import { extractSentimentFeatures } from "./sentiment-features.ts";
import type { Token } from "./tokens.ts";

/** Logits relative to neutral. */
export type PolarityLogits = { positive: number; negative: number };

export type SentimentHead = {
  /** The value of one quantization step. The names are those of the weight file. */
  badStep: number;
  goodStep: number;
  badBias: number;
  goodBias: number;
  /**
   * By language: what is added to the difference of positive and negative, because most of a language's
   * training rows may come from one source that is mostly negative.
   */
  zeroPoints: Readonly<Record<string, number>>;
  decision: SentimentDecision;
};

export type SentimentModel = WeightFile<SentimentHead>;

const modelUrl = new URL("./models/sentiment.bin", import.meta.url);
export const loadSentimentModel = lazy(() => readWeightFile<SentimentHead>(modelUrl));

type ScoredFeatures = {
  whole: PolarityLogits;
  clauses: PolarityLogits[];
  /** The buckets of the text's features, with repeats. */
  buckets: Uint32Array;
};

export function scoreFeatures(
  input: {
    text: string;
    language: string;
    tokens: readonly Token[];
    clauses: readonly Clause[];
    sentimentWords: readonly SentimentWord[];
  },
  { head, weights }: SentimentModel,
): ScoredFeatures {
  const { buckets, counts } = extractSentimentFeatures(input.text, input);
  const whole: Sum = { count: 0, bad: 0, good: 0 };
  const clauses = input.clauses.map((): Sum => ({ count: 0, bad: 0, good: 0 }));
  let clause = 0;
  let from = 0;
  for (const [index, token] of input.tokens.entries()) {
    while (clause < clauses.length - 1 && token.start >= (input.clauses[clause]?.end ?? 0)) {
      clause += 1;
    }
    const to = counts[index] ?? from;
    const sum = { count: to - from, bad: 0, good: 0 };
    for (let at = from; at < to; at += 1) {
      const place = (buckets[at] ?? 0) * 2;
      sum.bad += weights[place] ?? 0;
      sum.good += weights[place + 1] ?? 0;
    }
    add(whole, sum);
    const part = clauses[clause];
    if (part !== undefined) add(part, sum);
    from = to;
  }
  const shift = (head.zeroPoints[input.language] ?? 0) / 2;
  const toLogits = ({ count, bad, good }: Sum): PolarityLogits => {
    // As in training: features count less the more of them a text has.
    const value = 1 / Math.sqrt(count || 1);
    return {
      negative: bad * head.badStep * value + head.badBias - shift,
      positive: good * head.goodStep * value + head.goodBias + shift,
    };
  };
  return { whole: toLogits(whole), clauses: clauses.map(toLogits), buckets };
}

/** In quantization steps. */
type Sum = { count: number; bad: number; good: number };

function add(sum: Sum, { count, bad, good }: Sum): void {
  sum.count += count;
  sum.bad += bad;
  sum.good += good;
}
