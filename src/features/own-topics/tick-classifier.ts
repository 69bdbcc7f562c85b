// Learns from people's ticks which of the reviews that a topic's phrases find are really about it. Reads the words
// around the phrases. It takes reviews away and never adds one: what it can't know, it leaves to the phrases.

import { hashText } from "../../analysis/hash.ts";
import { tokenize } from "../../analysis/tokens.ts";
import type { TickFigures } from "./own-topic.ts";

/** `[start, end)` of a phrase in the normalized text. */
type Found = { start: number; end: number };

export type TickedRow = { text: string; found: readonly Found[]; isRight: boolean };

export type TickTraining = {
  /** Ticked reviews that the phrases find. */
  rowCount: number;
  /** null with too few rows. */
  figures: TickFigures | null;
  /** null: the phrases alone are as good. */
  weights: Buffer | null;
};

export const tickLimits = { rowMin: 20, eachMin: 5, rowMax: 2_000 } as const;

const bucketCount = 4_096;
const mask = bucketCount - 1;
const contextTokens = 8;
const headBytes = 8;

/** With weights: whether the review stays. */
export function isAboutTopic(
  weights: Buffer,
  { text, found }: { text: string; found: readonly Found[] },
): boolean {
  const buckets = extractContext(text, found);
  const step = weights.readFloatLE(0);
  let sum = 0;
  for (const bucket of buckets) sum += weights.readInt8(headBytes + bucket);
  return weights.readFloatLE(4) + (step * sum) / Math.sqrt(buckets.length || 1) >= 0;
}

/** Every row is decided by weights of the other four fifths; only weights that do better are returned. */
export function trainOnTicks(rows: readonly TickedRow[]): TickTraining {
  const examples = rows.slice(0, tickLimits.rowMax).map(toExample);
  const rowCount = examples.length;
  const rightCount = examples.filter(({ isRight }) => isRight).length;
  const rarer = Math.min(rightCount, rowCount - rightCount);
  if (rowCount < tickLimits.rowMin || rarer < tickLimits.eachMin) {
    return { rowCount, figures: null, weights: null };
  }
  const decided = foldNumbers.flatMap((fold) => {
    const model = train(examples.filter((example) => example.fold !== fold));
    const unseen = examples.filter((example) => example.fold === fold);
    return unseen.map((example) => ({
      isRight: example.isRight,
      isKept: model.bias + scoreOf(model.weights, example.buckets) >= 0,
    }));
  });
  const removed = decided.filter(({ isKept }) => !isKept);
  const removedRight = removed.filter(({ isRight }) => isRight).length;
  const removedWrong = removed.length - removedRight;
  const classifier = rightCount + removedWrong - removedRight;
  const figures = { phrases: rightCount, classifier, removedWrong, removedRight };
  return { rowCount, figures, weights: isSignificant(figures) ? encode(train(examples)) : null };
}

const foldNumbers = [0, 1, 2, 3, 4];

// Topics are trained after every few ticks, and chance has another try each time: ticks without a reason exceed three
// standard deviations at some time in one of thirty topics, and 1.64 (the 5 % level of one try) in one of three.
const standardScoreMin = 3;

/** McNemar's test of the classifier against the phrases, which keep every row. */
function isSignificant({ removedWrong, removedRight }: TickFigures): boolean {
  return removedWrong - removedRight > standardScoreMin * Math.sqrt(removedWrong + removedRight);
}

type Example = { buckets: Uint16Array; isRight: boolean; fold: number };

function toExample({ text, found, isRight }: TickedRow): Example {
  // Equal texts are in one fold: none is decided by weights that have seen it.
  const fold = hashText(foldSeed, text, 0xffff) % foldNumbers.length;
  return { buckets: extractContext(text, found), isRight, fold };
}

const sampleShare = 10;

/** One in ten reviews keeps its topic whatever the weights say, so that people see and tick what they would lose. */
export function isSampled(text: string): boolean {
  return hashText(sampleSeed, text, 0xffff) % sampleShare === 0;
}

const foldSeed = 0x54;
const sampleSeed = 0x53;
const wordSeed = 0x57;
const pairSeed = 0x50;

/** Words and pairs of words before and after the phrases, each once. */
function extractContext(text: string, found: readonly Found[]): Uint16Array {
  const tokens = tokenize(text);
  const buckets = new Set<number>();
  for (const { start, end } of found) {
    const first = tokens.findIndex((token) => token.end > start);
    const after = tokens.findIndex((token) => token.start >= end);
    const from = Math.max(0, (first < 0 ? tokens.length : first) - contextTokens);
    const near = tokens.slice(from, (after < 0 ? tokens.length : after) + contextTokens);
    for (const [at, token] of near.entries()) {
      buckets.add(hashText(wordSeed, text.slice(token.start, token.end), mask));
      const next = near[at + 1];
      if (next) buckets.add(hashText(pairSeed, text.slice(token.start, next.end), mask));
    }
  }
  return Uint16Array.from(buckets);
}

type Model = { bias: number; weights: Float32Array };

const passCount = 30;
const rate = 0.3;
const initialSquare = 1e-4;

/** Logistic regression by AdaGrad, in the order of the rows: the same ticks give the same weights. */
function train(examples: readonly Example[]): Model {
  const weights = new Float32Array(bucketCount);
  const squares = new Float32Array(bucketCount).fill(initialSquare);
  let bias = 0;
  let biasSquare = initialSquare;
  for (let pass = 0; pass < passCount; pass += 1) {
    for (const { buckets, isRight } of examples) {
      const logit = bias + scoreOf(weights, buckets);
      const gradient = 1 / (1 + Math.exp(-logit)) - (isRight ? 1 : 0);
      biasSquare += gradient ** 2;
      bias -= (rate * gradient) / Math.sqrt(biasSquare);
      const each = gradient / Math.sqrt(buckets.length || 1);
      for (const bucket of buckets) {
        const square = (squares[bucket] ?? 0) + each ** 2;
        squares[bucket] = square;
        weights[bucket] = (weights[bucket] ?? 0) - (rate * each) / Math.sqrt(square);
      }
    }
  }
  return { bias, weights };
}

function scoreOf(weights: Float32Array, buckets: Uint16Array): number {
  let sum = 0;
  for (const bucket of buckets) sum += weights[bucket] ?? 0;
  return sum / Math.sqrt(buckets.length || 1);
}

const stepsMax = 127;

/** Little endian: the value of one step (float), the bias (float), then a byte for each bucket. */
function encode({ bias, weights }: Model): Buffer {
  const largest = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  const step = largest / stepsMax || 1;
  const bytes = Buffer.alloc(headBytes + bucketCount);
  bytes.writeFloatLE(step, 0);
  bytes.writeFloatLE(bias, 4);
  for (const [bucket, weight] of weights.entries()) {
    bytes.writeInt8(Math.round(weight / step), headBytes + bucket);
  }
  return bytes;
}
