// Trains a linear softmax over hashed features with AdaGrad (Duchi, Hazan and Singer, JMLR 12, 2011):
// stochastic gradient descent, one row at a time, each weight with its own rate `rate / sqrt(sum of squared
// gradients)`. The seed decides the order, so the same rows give the same weights, bit for bit.
import { createRandom, shuffle } from "./random.ts";

export type TrainingRow = {
  /** The buckets of the row's features. */
  buckets: Uint32Array;
  target: number;
  /** The classes that the softmax of this row is over. */
  classes: readonly number[];
  weight: number;
  /** Rows of one source share biases, which absorb how that source distributes labels. */
  biasGroup: number;
};

export type TrainingConfig = {
  classCount: number;
  bucketCount: number;
  biasGroupCount: number;
  epochCount: number;
  rate: number;
  /** The rate falls linearly to this share of itself. */
  lastRateShare: number;
  seed: number;
};

export type LinearModel = {
  /** At `bucket * classCount + class`. */
  weights: Float32Array;
  /** At `group * classCount + class`. */
  biases: Float32Array;
};

const initialSquare = 1e-6;
// Smaller gradients change nothing, and most classes of most rows have one.
const gradientMin = 1e-4;

export function trainSoftmax(rows: readonly TrainingRow[], config: TrainingConfig): LinearModel {
  const trainer = new Trainer(config);
  const random = createRandom(config.seed);
  const order = Uint32Array.from(rows.keys());
  const stepCount = rows.length * config.epochCount;
  for (let epoch = 0, step = 0; epoch < config.epochCount; epoch += 1) {
    shuffle(order, random);
    for (const index of order) {
      const row = rows[index];
      const rate = config.rate * (1 - (1 - config.lastRateShare) * (step / stepCount));
      if (row) trainer.update(row, rate);
      step += 1;
    }
  }
  return trainer.model;
}

class Trainer {
  readonly #weights: AdaGradTable;
  readonly #biases: AdaGradTable;
  readonly #classCount: number;
  readonly #logits: Float64Array;

  constructor({ classCount, bucketCount, biasGroupCount }: TrainingConfig) {
    this.#classCount = classCount;
    this.#weights = new AdaGradTable(bucketCount * classCount);
    this.#biases = new AdaGradTable(biasGroupCount * classCount);
    this.#logits = new Float64Array(classCount);
  }

  get model(): LinearModel {
    return { weights: this.#weights.values, biases: this.#biases.values };
  }

  update(row: TrainingRow, rate: number): void {
    // Features count less the more of them a text has: long texts are not more certain than short ones.
    const featureValue = 1 / Math.sqrt(row.buckets.length || 1);
    this.#computeLogits(row, featureValue);
    const probabilities = this.#softmax(row.classes);
    for (const [index, column] of row.classes.entries()) {
      const error = (probabilities[index] ?? 0) - (column === row.target ? 1 : 0);
      const biasGradient = error * row.weight;
      if (Math.abs(biasGradient) < gradientMin) continue;
      const gradient = biasGradient * featureValue;
      this.#weights.rate = rate;
      this.#biases.rate = rate;
      for (const bucket of row.buckets) {
        this.#weights.descend(bucket * this.#classCount + column, gradient);
      }
      this.#biases.descend(row.biasGroup * this.#classCount + column, biasGradient);
    }
  }

  #computeLogits(row: TrainingRow, featureValue: number): void {
    const logits = this.#logits.fill(0);
    const width = this.#classCount;
    for (const bucket of row.buckets) {
      const from = bucket * width;
      for (let at = 0; at < width; at += 1)
        logits[at] = (logits[at] ?? 0) + (this.#weights.values[from + at] ?? 0);
    }
    for (let at = 0; at < width; at += 1) {
      const bias = this.#biases.values[row.biasGroup * width + at] ?? 0;
      logits[at] = (logits[at] ?? 0) * featureValue + bias;
    }
  }

  #softmax(classes: readonly number[]): number[] {
    const highest = Math.max(...classes.map((column) => this.#logits[column] ?? 0));
    const powers = classes.map((column) => Math.exp((this.#logits[column] ?? 0) - highest));
    const sum = powers.reduce((total, power) => total + power, 0);
    return powers.map((power) => power / sum);
  }
}

/** Parameters with the sum of squared gradients of each. */
class AdaGradTable {
  readonly values: Float32Array;
  readonly #squares: Float32Array;
  rate = 0;

  constructor(size: number) {
    this.values = new Float32Array(size);
    this.#squares = new Float32Array(size).fill(initialSquare);
  }

  descend(at: number, gradient: number): void {
    const square = (this.#squares[at] ?? 0) + gradient * gradient;
    this.#squares[at] = square;
    this.values[at] = (this.values[at] ?? 0) - (this.rate * gradient) / Math.sqrt(square);
  }
}
