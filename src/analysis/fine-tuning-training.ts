// Goes on training the shipped weights of sentiment on the starred reviews of one installation, for one
// language. A part of them is held out, and whatever does not do better there by more than chance would
// is thrown away. Works in short strides, so that whoever drives it can do other things in between.
import type { FineTuningFigures, FineTuningRun } from "../domain/fine-tuning.ts";
import { type FineTuning, DeltaTable, encodeDeltas } from "./fine-tuning.ts";
import { isSignificantlyBetter, computeFigures, isAtLeastAsGood, type Prediction } from "./fine-tuning-figures.ts";
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import { type SentimentWord, findSentimentWords } from "./lexicon-score.ts";
import { normalizeReview } from "./normalized-text.ts";
import { computeLogit } from "./sentiment.ts";
import { extractSentimentFeatures, sentimentBucketCount } from "./sentiment-features.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A review of the language, with its stars. */
export type StarredReview = { title: string | null; text: string; rating: number };

export type FineTuningResult = {
  /** Different texts of one, two, four or five stars, those held out included. */
  rowCount: number;
  heldOutCount: number;
  /** On the rows held out, with the shipped weights; null when there were too few to try. */
  shipped: FineTuningFigures | null;
  /** With what is in use after this try. */
  inUse: FineTuningFigures | null;
  change: FineTuningRun["change"];
  /** In words, for people. */
  outcome: string;
};

/** Below these nothing is tried: the figures would be chance. */
export const rowCountMin = 200;
export const rarerCountMin = 50;

// Chosen on starred reviews of five languages: more of either learns the rows by heart.
const epochCount = 4;
const rate = 0.08;
const lastRateShare = 0.2;
const mildWeight = 0.6;
const chunkSize = 16;

type Row = {
  text: string;
  tokens: readonly Token[];
  sentimentWords: readonly SentimentWord[];
  isPositive: boolean;
  weight: number;
  isHeldOut: boolean;
};
type TrainingExample = { places: Uint32Array; logit: number; target: number; weight: number };

/** @param given.current the adaptation in use, which a new one has to beat; null without one */
export function* runFineTuning(options: {
  language: string;
  reviews: Iterable<StarredReview>;
  current: FineTuning | null;
}): Generator<undefined, FineTuningResult> {
  const rows = yield* readRows(options);
  const heldOut = rows.filter(({ isHeldOut }) => isHeldOut);
  const counts = { rowCount: rows.length, heldOutCount: heldOut.length };
  const positiveCount = rows.filter(({ isPositive: isPositive }) => isPositive).length;
  const rarerCount = Math.min(positiveCount, rows.length - positiveCount);
  if (rows.length < rowCountMin || rarerCount < rarerCountMin) {
    const outcome = `too few: ${rowCountMin} different reviews that praise or blame are needed and ${rarerCountMin} of each, there are ${rows.length} and ${rarerCount}`;
    return { ...counts, shipped: null, inUse: null, change: { kind: "keep" }, outcome };
  }
  const examples = yield* toTrainingExamples(rows.filter((row) => !row.isHeldOut));
  const weights = encodeDeltas(yield* train(examples));
  const shipped = yield* judge(heldOut, null);
  const current = options.current ? yield* judge(heldOut, options.current.deltas) : null;
  const next = yield* judge(heldOut, new DeltaTable(weights));
  return { ...counts, ...choose({ shipped, current, next, weights }) };
}

/** What was not seen in training decides: nothing is taken, or kept in use, that lowers its figures. */
function choose(of: {
  shipped: readonly Prediction[];
  current: readonly Prediction[] | null;
  next: readonly Prediction[];
  weights: Buffer;
}): Pick<FineTuningResult, "shipped" | "inUse" | "change" | "outcome"> {
  const shipped = computeFigures(of.shipped);
  const current = of.current ? computeFigures(of.current) : null;
  const isWorse = current !== null && !isAtLeastAsGood(current, shipped);
  const before = of.current && !isWorse ? of.current : of.shipped;
  if (isSignificantlyBetter(of.next, before) && isAtLeastAsGood(computeFigures(of.next), shipped)) {
    const change = { kind: "take" as const, weights: of.weights };
    const outcome = "taken: it does better on the reviews held out";
    return { shipped, inUse: computeFigures(of.next), change, outcome };
  }
  if (isWorse) {
    const outcome = "given up: on the reviews held out, the shipped weights do better by now";
    return { shipped, inUse: shipped, change: { kind: "drop" }, outcome };
  }
  const outcome = "nothing changed: training further does no better on the reviews held out";
  return { shipped, inUse: current ?? shipped, change: { kind: "keep" }, outcome };
}

/** The same words are one row, and always on the same side of the split. */
function* readRows(options: {
  language: string;
  reviews: Iterable<StarredReview>;
}): Generator<undefined, Row[]> {
  const rows = new Map<string, Row>();
  let count = 0;
  for (const review of options.reviews) {
    count += 1;
    if (count % chunkSize === 0) yield;
    const text = normalizeReview(review)?.text;
    // Three stars say nothing of the text.
    if (text === undefined || review.rating === 3 || rows.has(text)) continue;
    rows.set(text, {
      text,
      tokens: tokenize(text),
      sentimentWords: findSentimentWords(text, options.language),
      isPositive: review.rating > 3,
      weight: review.rating === 1 || review.rating === 5 ? 1 : mildWeight,
      isHeldOut: isHeldOut(text),
    });
  }
  return [...rows.values()];
}

const heldOutSeed = 0x4e;

/** One row of five, by its words alone: what was held out once is never trained on later. */
function isHeldOut(text: string): boolean {
  let hash = beginHash(heldOutSeed);
  for (let at = 0; at < text.length; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return finishHash(hash, 0xffff) % 5 === 0;
}

function* toTrainingExamples(rows: readonly Row[]): Generator<undefined, TrainingExample[]> {
  const examples: TrainingExample[] = [];
  const positiveCount = rows.filter(({ isPositive: isPositive }) => isPositive).length;
  const shareOf = (isPositive: boolean): number =>
    (isPositive ? positiveCount : rows.length - positiveCount) / (rows.length || 1);
  for (const [index, row] of rows.entries()) {
    if (index % chunkSize === 0) yield;
    const places = Uint32Array.from(new Set(extractSentimentFeatures(row.text, row).buckets));
    if (places.length === 0) continue;
    examples.push({
      places,
      logit: computeLogit({ ...row, deltas: null }),
      target: row.isPositive ? 1 : 0,
      // Both sides count the same, however many more praise than blame.
      weight: row.weight * Math.min(weightMax, 0.5 / shareOf(row.isPositive)),
    });
  }
  return examples;
}

const weightMax = 4;
const squaresBegin = 1e-6;

/** AdaGrad on the shifts alone; the shipped weights stay as they are. */
function* train(examples: readonly TrainingExample[]): Generator<undefined, Float32Array> {
  const deltas = new Float32Array(sentimentBucketCount);
  const squares = new Float32Array(sentimentBucketCount).fill(squaresBegin);
  // Takes up how reviews here lean as a whole, and is left behind: where praise begins is not moved.
  const lean = { delta: 0, squares: squaresBegin };
  const stepCount = examples.length * epochCount;
  for (let step = 0; step < stepCount; step += 1) {
    if (step % chunkSize === 0) yield;
    // A step that shares no divisor with the count visits every row once, and mixes neighbours.
    const example = examples[(step * prime) % examples.length];
    if (example === undefined) continue;
    const { places, logit, target, weight } = example;
    const value = 1 / Math.sqrt(places.length);
    let sum = 0;
    for (const place of places) sum += deltas[place] ?? 0;
    const share = 1 / (1 + Math.exp(-(logit + lean.delta + 2 * sum * value)));
    const leanSlope = (share - target) * weight;
    const slope = leanSlope * value;
    const nowRate = rate * (1 - (1 - lastRateShare) * (step / stepCount));
    lean.squares += leanSlope ** 2;
    lean.delta -= (nowRate * leanSlope) / Math.sqrt(lean.squares);
    for (const place of places) {
      const squared = (squares[place] ?? 0) + slope * slope;
      squares[place] = squared;
      deltas[place] = (deltas[place] ?? 0) - (nowRate * slope) / Math.sqrt(squared);
    }
  }
  return deltas;
}

const prime = 104_729;

function* judge(rows: readonly Row[], deltas: DeltaTable | null): Generator<undefined, Prediction[]> {
  const predictions: Prediction[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % chunkSize === 0) yield;
    predictions.push({ logit: computeLogit({ ...row, deltas: deltas }), isPositive: row.isPositive });
  }
  return predictions;
}
