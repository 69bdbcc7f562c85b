// Trains decisions over a few dense signals: a softmax, all rows at once, Adam, a penalty on the squares of the weights.

export type DenseRow = { signals: readonly number[]; label: number; weight: number };

export type DenseConfig = {
  labelCount: number;
  /** The first signals, which are scaled to a mean of 0 and a spread of 1; the very first is always 1. */
  scaledCount: number;
  /** Called after each step; may bound the weights of the other signals. */
  keepBounds?(weights: readonly Float64Array[]): void;
};

const stepCount = 600;
const rate = 0.05;
const momentum = 0.9;
const squareMomentum = 0.999;
const penalty = 0.002;

/** By label the weights of the signals. */
export function trainDense(rows: readonly DenseRow[], config: DenseConfig): number[][] {
  const scales = measureScales(rows, config.scaledCount);
  const inputs = rows.map(({ signals }) =>
    signals.map((signal, at) => (signal - (scales[at]?.mean ?? 0)) / (scales[at]?.spread ?? 1)),
  );
  const width = inputs[0]?.length ?? 0;
  const create = () => Array.from({ length: config.labelCount }, () => new Float64Array(width));
  const [weights, means, squares] = [create(), create(), create()];
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
    config.keepBounds?.(weights);
  }
  return weights.map((own) => toRawScale(own, scales));
}

type Scale = { mean: number; spread: number };

function measureScales(rows: readonly DenseRow[], count: number): Scale[] {
  return Array.from({ length: count }, (_, at) => {
    if (at === 0) return { mean: 0, spread: 1 };
    const values = rows.map(({ signals }) => signals[at] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, spread: Math.sqrt(square) || 1 };
  });
}

function computeGradients(batch: {
  rows: readonly DenseRow[];
  inputs: readonly (readonly number[])[];
  weights: readonly Float64Array[];
}): Float64Array[] {
  const { rows, inputs, weights } = batch;
  const gradients = weights.map((own) =>
    own.map((weight, at) => (at === 0 ? 0 : penalty * weight)),
  );
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  for (const [index, { label, weight }] of rows.entries()) {
    const input = inputs[index] ?? [];
    const powers = weights.map((own) => Math.exp(dot(own, input)));
    const sum = powers.reduce((all, power) => all + power, 0);
    for (const [column, gradient] of gradients.entries()) {
      const error = (powers[column] ?? 0) / sum - (column === label ? 1 : 0);
      if (error === 0) continue;
      for (let at = 0; at < input.length; at += 1)
        gradient[at] = (gradient[at] ?? 0) + (weight / total) * error * (input[at] ?? 0);
    }
  }
  return gradients;
}

function dot(weights: Float64Array, input: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < input.length; at += 1) sum += (weights[at] ?? 0) * (input[at] ?? 0);
  return sum;
}

function toRawScale(own: Float64Array, scales: readonly Scale[]): number[] {
  const column = Array.from(own, (weight, at) => weight / (scales[at]?.spread ?? 1));
  for (const [at, { mean }] of scales.entries()) {
    if (at > 0) column[0] = (column[0] ?? 0) - (column[at] ?? 0) * mean;
  }
  return column.map(roundWeight);
}

/** Four digits are enough. */
export function roundWeight(weight: number): number {
  return Math.round(weight * 10_000) / 10_000;
}
