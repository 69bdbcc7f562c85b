// The trained part of sentiment: sums the weights of a text's features, for the whole text and for each
// clause.
import { lazy } from "../lib/lazy.ts";
import { readWeightFile, type WeightFile } from "../lib/weight-file.ts";
import type { Clause } from "./clauses.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import type { SentimentDecision } from "./sentiment-decision.ts";
import { extractSentimentFeatures, sentimentBucketCount } from "./sentiment-features.ts";
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

/** By bucket the last clause with it, from 1; all 0 between texts. A `Map` takes twice as long. */
const lastClauses = new Uint16Array(sentimentBucketCount);

type ScoredFeatures = {
  whole: PolarityLogits;
  clauses: PolarityLogits[];
  /** The distinct buckets of the text. */
  buckets: number[];
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
  const whole = createSum();
  const clauses = input.clauses.map(createSum);
  const distinct: number[] = [];
  let clause = 0;
  let from = 0;
  for (const [index, token] of input.tokens.entries()) {
    while (clause < clauses.length - 1 && token.start >= (input.clauses[clause]?.end ?? 0)) {
      clause += 1;
    }
    const to = counts[index] ?? from;
    const part = clauses[clause];
    for (let at = from; at < to; at += 1) {
      const bucket = buckets[at] ?? 0;
      const last = lastClauses[bucket] ?? 0;
      if (last === clause + 1) continue;
      lastClauses[bucket] = clause + 1;
      const bad = weights[bucket * 2] ?? 0;
      const good = weights[bucket * 2 + 1] ?? 0;
      if (last === 0) {
        add(whole, { bad, good });
        distinct.push(bucket);
      }
      if (part !== undefined) add(part, { bad, good });
    }
    from = to;
  }
  for (const bucket of distinct) lastClauses[bucket] = 0;
  const zeroPoint = head.zeroPoints[input.language] ?? 0;
  const step = { ...head, zeroPoint };
  return {
    whole: toLogits(whole, step),
    clauses: clauses.map((part) => toLogits(part, step)),
    buckets: distinct,
  };
}

/** In quantization steps. */
type Sum = { count: number; bad: number; good: number };

function createSum(): Sum {
  return { count: 0, bad: 0, good: 0 };
}

function add(sum: Sum, { bad, good }: Omit<Sum, "count">): void {
  sum.count += 1;
  sum.bad += bad;
  sum.good += good;
}

type Steps = SentimentHead & { zeroPoint: number };

function toLogits(sum: Sum, step: Steps): PolarityLogits {
  // As in training: features count less the more of them a text has.
  const value = 1 / Math.sqrt(sum.count || 1);
  const shift = step.zeroPoint / 2;
  return {
    negative: sum.bad * step.badStep * value + step.badBias - shift,
    positive: sum.good * step.goodStep * value + step.goodBias + shift,
  };
}
