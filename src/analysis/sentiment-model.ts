// The trained part of sentiment: sums the weights of a text's features, for the whole text and for each
// clause.
import { lazy } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import type { Clause } from "./clauses.ts";
import type { DeltaTable } from "./fine-tuning.ts";
import { IndexSet } from "./index-set.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import { openingUnitsMax } from "./normalized-text.ts";
import { extractSentimentFeatures, featuresPerUnitMax } from "./sentiment-features.ts";
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
};

const modelUrl = new URL("./models/sentiment.bin", import.meta.url);
const loadModel = lazy(() => readWeightFile<SentimentHead>(modelUrl));
const seen = new IndexSet();
const distinct = new Uint32Array(openingUnitsMax * featuresPerUnitMax);

export type ScoredFeatures = {
  whole: PolarityLogits;
  clauses: PolarityLogits[];
  /** The distinct buckets of the text; valid until the next call. */
  buckets: Uint32Array;
};

export function scoreFeatures(input: {
  text: string;
  language: string;
  tokens: readonly Token[];
  clauses: readonly Clause[];
  sentimentWords: readonly SentimentWord[];
  /** Of a fine-tuning; null for the shipped weights alone. */
  deltas: DeltaTable | null;
}): ScoredFeatures {
  const { head, weights } = loadModel();
  const { buckets, counts } = extractSentimentFeatures(input.text, input);
  const { deltas, clauses } = input;
  // First that of the whole text, then those of its clauses.
  sums.fill(0, 0, (clauses.length + 1) * sumWidth);
  seen.clear(buckets.length);
  let clause = 0;
  let from = 0;
  let distinctCount = 0;
  for (const [index, token] of input.tokens.entries()) {
    while (clause < clauses.length - 1 && token.start >= (clauses[clause]?.end ?? 0)) clause += 1;
    const to = counts[index] ?? from;
    const part = (clause + 1) * sumWidth;
    for (let at = from; at < to; at += 1) {
      const bucket = buckets[at] ?? 0;
      const found = seen.add(bucket, clause);
      if (found === "known") continue;
      const bad = weights[bucket * 2] ?? 0;
      const good = weights[bucket * 2 + 1] ?? 0;
      const delta = deltas === null ? 0 : deltas.stepsAt(bucket);
      addTo(part, bad, good, delta);
      if (found === "new") {
        addTo(whole, bad, good, delta);
        distinct[distinctCount] = bucket;
        distinctCount += 1;
      }
    }
    from = to;
  }
  const zeroPoint = head.zeroPoints[input.language] ?? 0;
  const step = { ...head, zeroPoint, deltaStep: deltas?.step ?? 0 };
  return {
    whole: toLogits(whole, step),
    clauses: clauses.map((_, at) => toLogits((at + 1) * sumWidth, step)),
    buckets: distinct.subarray(0, distinctCount),
  };
}

/** Count, bad, good and delta of the whole text and of each clause, in quantization steps. */
const sumWidth = 4;
const sums = new Float64Array((openingUnitsMax + 2) * sumWidth);
const whole = 0;

function addTo(at: number, bad: number, good: number, delta: number): void {
  sums[at] = (sums[at] ?? 0) + 1;
  sums[at + 1] = (sums[at + 1] ?? 0) + bad;
  sums[at + 2] = (sums[at + 2] ?? 0) + good;
  sums[at + 3] = (sums[at + 3] ?? 0) + delta;
}

type Steps = SentimentHead & { zeroPoint: number; deltaStep: number };

function toLogits(at: number, step: Steps): PolarityLogits {
  // As in training: features count less the more of them a text has.
  const value = 1 / Math.sqrt(sums[at] || 1);
  const delta = (sums[at + 3] ?? 0) * step.deltaStep * value + step.zeroPoint / 2;
  return {
    negative: (sums[at + 1] ?? 0) * step.badStep * value + step.badBias - delta,
    positive: (sums[at + 2] ?? 0) * step.goodStep * value + step.goodBias + delta,
  };
}
