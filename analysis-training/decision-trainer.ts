// Trains the softmax over the four labels: all rows at once, Adam, a penalty on the squares of the weights.
import type { SentimentDecision } from "../src/analysis/sentiment-decision.ts";
import type { SentimentLabel } from "../src/domain/analysis.ts";
import type { DecisionRow } from "./decision-rows.ts";

const labels = ["positive", "negative", "neutral", "mixed"] as const;
// Neutral and mixed are rarer, and each label counts the same in macro-F1; but with more weight, a third of what is
// called mixed would not be.
const labelWeights: Readonly<Record<SentimentLabel, number>> = {
  positive: 1,
  negative: 1,
  neutral: 1.3,
  mixed: 1.1,
};
const stepCount = 600;
const rate = 0.05;
const momentum = 0.9;
const squareMomentum = 0.999;
const penalty = 0.002;
const starSignalCount = 3;

export function trainDecision(rows: readonly DecisionRow[]): SentimentDecision {
  const scales = measureScales(rows);
  const inputs = rows.map(({ text, stars }) => [
    ...text.map((signal, at) => (signal - (scales[at]?.mean ?? 0)) / (scales[at]?.spread ?? 1)),
    ...stars,
  ]);
  const width = inputs[0]?.length ?? 0;
  const weights = labels.map(() => new Float64Array(width));
  const means = labels.map(() => new Float64Array(width));
  const squares = labels.map(() => new Float64Array(width));
  for (let step = 1; step <= stepCount; step += 1) {
    const gradients = computeGradients({ rows, inputs, weights });
    const stepRate = rate * (1 - step / (stepCount + 1));
    for (const [label, own] of weights.entries()) {
      for (let at = 0; at < width; at += 1) {
        const gradient = gradients[label]?.[at] ?? 0;
        const mean = momentum * (means[label]?.[at] ?? 0) + (1 - momentum) * gradient;
        const square =
          squareMomentum * (squares[label]?.[at] ?? 0) + (1 - squareMomentum) * gradient ** 2;
        means[label]?.fill(mean, at, at + 1);
        squares[label]?.fill(square, at, at + 1);
        const corrected = mean / (1 - momentum ** step);
        const size = Math.sqrt(square / (1 - squareMomentum ** step)) + 1e-8;
        own[at] = (own[at] ?? 0) - (stepRate * corrected) / size;
      }
    }
    keepMonotone(weights, width - starSignalCount);
  }
  return toDecision(weights, scales);
}

type Scale = { mean: number; spread: number };

/** One for each text signal; the first signal is always 1. */
function measureScales(rows: readonly DecisionRow[]): Scale[] {
  return (rows[0]?.text ?? []).map((_, at) => {
    if (at === 0) return { mean: 0, spread: 1 };
    const values = rows.map(({ text }) => text[at] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, spread: Math.sqrt(square) || 1 };
  });
}

function computeGradients(batch: {
  rows: readonly DecisionRow[];
  inputs: readonly (readonly number[])[];
  weights: readonly Float64Array[];
}): Float64Array[] {
  const { rows, inputs, weights } = batch;
  const gradients = weights.map((own) =>
    own.map((weight, at) => (at === 0 ? 0 : penalty * weight)),
  );
  const total = rows.reduce((sum, { label, weight }) => sum + weight * labelWeights[label], 0);
  for (const [index, { label, weight }] of rows.entries()) {
    const input = inputs[index] ?? [];
    const powers = weights.map((own) => Math.exp(dot(own, input)));
    const sum = powers.reduce((all, power) => all + power, 0);
    const share = (weight * labelWeights[label]) / total;
    for (const [column, gradient] of gradients.entries()) {
      const error = (powers[column] ?? 0) / sum - (labels[column] === label ? 1 : 0);
      if (error === 0) continue;
      for (let at = 0; at < input.length; at += 1)
        gradient[at] = (gradient[at] ?? 0) + share * error * (input[at] ?? 0);
    }
  }
  return gradients;
}

function dot(weights: Float64Array, input: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < input.length; at += 1) sum += (weights[at] ?? 0) * (input[at] ?? 0);
  return sum;
}

/**
 * A star more never lowers P(positive) − P(negative): the side moves positive and negative alone, and by as much as the
 * distance from three stars moves the others at most.
 */
function keepMonotone(weights: readonly Float64Array[], from: number): void {
  const [positive, negative, ...others] = weights;
  if (positive === undefined || negative === undefined) return;
  const side = Math.max(0, ((positive[from] ?? 0) - (negative[from] ?? 0)) / 2);
  positive.set([side, 0, 0], from);
  negative.set([-side, 0, 0], from);
  for (const own of others) {
    const near = bounded(own[from + 1] ?? 0, side);
    const far = bounded(near + (own[from + 2] ?? 0), side);
    own.set([0, near, far - near], from);
  }
}

function bounded(value: number, size: number): number {
  return Math.max(-size, Math.min(size, value));
}

function toDecision(weights: readonly Float64Array[], scales: readonly Scale[]): SentimentDecision {
  const columns = weights.map((own) => {
    const column = Array.from(own, (weight, at) => weight / (scales[at]?.spread ?? 1));
    for (const [at, { mean }] of scales.entries()) {
      if (at > 0) column[0] = (column[0] ?? 0) - (column[at] ?? 0) * mean;
    }
    return column.map((weight) => Math.round(weight * 10_000) / 10_000);
  });
  const [positive = [], negative = [], neutral = [], mixed = []] = columns;
  return { positive, negative, neutral, mixed };
}
