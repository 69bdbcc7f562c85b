// Fine-tunes the shipped sentiment weights on the starred reviews of one installation, for one language.
// A part of the reviews is held out, and an acceptance gate compares weights on those. Runs in small
// chunks, so that the caller can let other work run in between.
import type { FineTuningFigures, FineTuningRun } from "../domain/fine-tuning.ts";
import { DeltaTable, encodeDeltas, type FineTuning } from "./fine-tuning.ts";
import {
  computeFigures,
  isAtLeastAsGood,
  isSignificantlyBetter,
  type Prediction,
} from "./fine-tuning-figures.ts";
import { hashText } from "./hash.ts";
import { findSentimentWords, type SentimentWord } from "./lexicon-score.ts";
import { normalizeReview } from "./normalized-text.ts";
import { computeLogit } from "./sentiment.ts";
import { extractSentimentFeatures, sentimentBucketCount } from "./sentiment-features.ts";
import { readSentimentWords } from "./sentiment-lexicon.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A review of the language, with its stars. */
export type StarredReview = { title: string | null; text: string; rating: number };

export type FineTuningResult = {
  /** Different texts of one, two, four or five stars, those held out included. */
  rowCount: number;
  heldOutCount: number;
  /** Figures of the shipped weights on the held-out rows; null when there were too few rows to train. */
  shipped: FineTuningFigures | null;
  /** Figures of the weights that are in use after this run. */
  inUse: FineTuningFigures | null;
  /** Figures of the weights that this run trained, promoted or not. */
  candidate: FineTuningFigures | null;
  change: FineTuningRun["change"];
  /** In words, for people. */
  outcome: string;
};

/** With fewer rows in all, or of the rarer class, figures would be chance and nothing is trained. */
export const rowCountMin = 200;
export const rarerCountMin = 50;

// Chosen on starred reviews of five languages: higher values overfit.
const epochCount = 4;
const rate = 0.08;
const lastRateShare = 0.2;
const mildWeight = 0.6;
const chunkSize = 16;

type Row = {
  text: string;
  language: string;
  tokens: readonly Token[];
  sentimentWords: readonly SentimentWord[];
  isPositive: boolean;
  weight: number;
  isHeldOut: boolean;
};
type TrainingExample = { buckets: Uint32Array; logit: number; target: number; weight: number };

/** @param input.current the fine-tuning in use, which new weights have to beat; null without one */
export function* runFineTuning(input: {
  language: string;
  reviews: Iterable<StarredReview>;
  current: FineTuning | null;
}): Generator<undefined, FineTuningResult> {
  const rows = yield* readRows(input);
  const heldOut = rows.filter(({ isHeldOut }) => isHeldOut);
  const counts = { rowCount: rows.length, heldOutCount: heldOut.length };
  const positiveCount = rows.filter(({ isPositive }) => isPositive).length;
  const rarerCount = Math.min(positiveCount, rows.length - positiveCount);
  if (rows.length < rowCountMin || rarerCount < rarerCountMin) {
    const missing = Math.max(rowCountMin - rows.length, rarerCountMin - rarerCount);
    const outcome = `too few reviews to train: ${rowCountMin} different positive or negative ones are needed and ${rarerCountMin} of each, there are ${rows.length} and ${rarerCount}; ${missing} are missing`;
    const figures = { shipped: null, inUse: null, candidate: null };
    return { ...counts, ...figures, change: { kind: "keep" }, outcome };
  }
  const examples = yield* toTrainingExamples(rows.filter((row) => !row.isHeldOut));
  const weights = encodeDeltas(yield* train(examples));
  const shipped = yield* predict(heldOut, null);
  const current = input.current ? yield* predict(heldOut, input.current.deltas) : null;
  const deltas = new DeltaTable(weights);
  const candidate = yield* predict(heldOut, deltas);
  const anchors = listAnchors(input.language);
  const gate = passGate({ shipped, current, candidate, weights });
  const refusal = findRefusal({
    shippedAuc: gate.shipped?.auc ?? 0,
    anchors: computeFigures(yield* predict(anchors, null)),
    anchorsAfter: computeFigures(yield* predict(anchors, deltas)),
    isKnown: anchors.length > 0,
  });
  if (refusal === null || gate.change.kind !== "promote") return { ...counts, ...gate };
  const inUse = current ? computeFigures(current) : gate.shipped;
  return { ...counts, ...gate, inUse, change: { kind: "keep" }, outcome: refusal };
}

/** Below, the stars say the opposite of the texts: of an import that maps 1 to best, or of bought reviews. */
const shippedAucMin = { known: 0.6, unknown: 0.25 } as const;

/** Why weights are not promoted although they fit the held-out reviews; null without a reason. */
function findRefusal(measured: {
  shippedAuc: number;
  anchors: FineTuningFigures;
  anchorsAfter: FineTuningFigures;
  isKnown: boolean;
}): string | null {
  const { shippedAuc, anchors, anchorsAfter, isKnown } = measured;
  if (shippedAuc < shippedAucMin[isKnown ? "known" : "unknown"])
    return "refused the new weights: the stars contradict the texts";
  if (isKnown && anchorsAfter.accuracy < anchors.accuracy - anchorLossMax)
    return "refused the new weights: they misread plain words of praise and blame";
  return null;
}

/** In balanced accuracy: a word or two may change sides in reviews of one kind. */
const anchorLossMax = 0.01;

/** Words of praise and blame of the language, whose sides no fine-tuning may change; none where no list has it. */
function listAnchors(language: string): Row[] {
  const words = readSentimentWords()[language];
  if (!words) return [];
  const rowsOf = (phrases: readonly string[], isPositive: boolean): Row[] =>
    phrases.map((phrase) => {
      const text = phrase.replaceAll("*", "").replaceAll("_", " ");
      const sentimentWords = findSentimentWords(text, language);
      const tokens = tokenize(text);
      return { text, language, tokens, sentimentWords, isPositive, weight: 1, isHeldOut: true };
    });
  return [
    ...rowsOf([...words.best, ...words.good], true),
    ...rowsOf([...words.bad, ...words.worst], false),
  ];
}

/** The acceptance gate: weights are promoted, or stay in use, only if they do not lower the figures. */
function passGate(predictions: {
  shipped: readonly Prediction[];
  current: readonly Prediction[] | null;
  candidate: readonly Prediction[];
  weights: Buffer;
}): Omit<FineTuningResult, "rowCount" | "heldOutCount"> {
  const shipped = computeFigures(predictions.shipped);
  const current = predictions.current ? computeFigures(predictions.current) : null;
  const candidate = computeFigures(predictions.candidate);
  const isWorse = current !== null && !isAtLeastAsGood(current, shipped);
  const best = predictions.current && !isWorse ? predictions.current : predictions.shipped;
  if (isSignificantlyBetter(predictions.candidate, best) && isAtLeastAsGood(candidate, shipped)) {
    const change = { kind: "promote" as const, weights: predictions.weights };
    const outcome = "promoted the new weights, which are better on held-out reviews";
    return { shipped, inUse: candidate, candidate, change, outcome };
  }
  if (isWorse) {
    const outcome = "rolled back to the shipped weights, which are better on held-out reviews";
    return { shipped, inUse: shipped, candidate, change: { kind: "rollback" }, outcome };
  }
  const outcome = "kept the weights in use, the new ones are not better on held-out reviews";
  return { shipped, inUse: current ?? shipped, candidate, change: { kind: "keep" }, outcome };
}

/** Equal texts are one row, which is always on the same side of the split. */
function* readRows(input: {
  language: string;
  reviews: Iterable<StarredReview>;
}): Generator<undefined, Row[]> {
  const rows = new Map<string, Row>();
  let count = 0;
  for (const review of input.reviews) {
    count += 1;
    if (count % chunkSize === 0) yield;
    const text = normalizeReview(review)?.opening;
    // Three stars give no label.
    if (text === undefined || review.rating === 3 || rows.has(text)) continue;
    rows.set(text, {
      text,
      language: input.language,
      tokens: tokenize(text),
      sentimentWords: findSentimentWords(text, input.language),
      isPositive: review.rating > 3,
      weight: review.rating === 1 || review.rating === 5 ? 1 : mildWeight,
      isHeldOut: isHeldOut(text),
    });
  }
  return [...rows.values()];
}

const heldOutSeed = 0x4e;

/** One row in five, by a hash of its text: a held-out row is never trained on, in any later run. */
function isHeldOut(text: string): boolean {
  return hashText(heldOutSeed, text, 0xffff) % 5 === 0;
}

function* toTrainingExamples(rows: readonly Row[]): Generator<undefined, TrainingExample[]> {
  const examples: TrainingExample[] = [];
  const positiveCount = rows.filter(({ isPositive }) => isPositive).length;
  const shareOf = (isPositive: boolean): number =>
    (isPositive ? positiveCount : rows.length - positiveCount) / (rows.length || 1);
  for (const [index, row] of rows.entries()) {
    if (index % chunkSize === 0) yield;
    const buckets = Uint32Array.from(new Set(extractSentimentFeatures(row.text, row).buckets));
    if (buckets.length === 0) continue;
    examples.push({
      buckets,
      logit: computeLogit({ ...row, deltas: null }),
      target: row.isPositive ? 1 : 0,
      // Both classes have the same total weight, whatever their numbers.
      weight: row.weight * Math.min(weightMax, 0.5 / shareOf(row.isPositive)),
    });
  }
  return examples;
}

const weightMax = 4;
const initialSquare = 1e-6;

/** AdaGrad on the deltas only; the shipped weights stay as they are. */
function* train(examples: readonly TrainingExample[]): Generator<undefined, Float32Array> {
  const deltas = new Float32Array(sentimentBucketCount);
  const squares = new Float32Array(sentimentBucketCount).fill(initialSquare);
  // A bias that absorbs how positive the reviews are overall. It is not stored: the threshold between the
  // labels stays that of the shipped weights.
  const bias = { delta: 0, square: initialSquare };
  const stepCount = examples.length * epochCount;
  for (let step = 0; step < stepCount; step += 1) {
    if (step % chunkSize === 0) yield;
    // Multiples of a prime visit every row once per pass, and in a mixed order.
    const example = examples[(step * prime) % examples.length];
    if (example === undefined) continue;
    const { buckets, logit, target, weight } = example;
    const featureValue = 1 / Math.sqrt(buckets.length);
    let sum = 0;
    for (const bucket of buckets) sum += deltas[bucket] ?? 0;
    const probability = 1 / (1 + Math.exp(-(logit + bias.delta + 2 * sum * featureValue)));
    const biasGradient = (probability - target) * weight;
    const gradient = biasGradient * featureValue;
    const currentRate = rate * (1 - (1 - lastRateShare) * (step / stepCount));
    bias.square += biasGradient ** 2;
    bias.delta -= (currentRate * biasGradient) / Math.sqrt(bias.square);
    for (const bucket of buckets) {
      const square = (squares[bucket] ?? 0) + gradient * gradient;
      squares[bucket] = square;
      deltas[bucket] = (deltas[bucket] ?? 0) - (currentRate * gradient) / Math.sqrt(square);
    }
  }
  return deltas;
}

const prime = 104_729;

function* predict(
  rows: readonly Row[],
  deltas: DeltaTable | null,
): Generator<undefined, Prediction[]> {
  const predictions: Prediction[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % chunkSize === 0) yield;
    predictions.push({ logit: computeLogit({ ...row, deltas }), isPositive: row.isPositive });
  }
  return predictions;
}
