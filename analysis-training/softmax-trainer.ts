// Trains a linear softmax over hashed features with AdaGrad, one row at a time, in an order that a
// seed decides: the same rows give the same weights, bit for bit.
import { openRandom, shuffle } from "./random.ts";

export type TrainingRow = {
  /** Places of the features, each once. */
  places: Uint32Array;
  target: number;
  /** Classes that compete in this row. */
  classes: readonly number[];
  weight: number;
  /** Rows of one source share biases of their own. */
  biasGroup: number;
};

export type TrainingPlan = {
  classCount: number;
  placeCount: number;
  biasGroupCount: number;
  epochCount: number;
  rate: number;
  /** The share of the rate that is left in the end. */
  lastRateShare: number;
  seed: number;
};

export type LinearModel = {
  /** `place * classCount + class`. */
  weights: Float32Array;
  /** `group * classCount + class`. */
  biases: Float32Array;
};

const squaresBegin = 1e-6;
// A step that small moves nothing, and most classes of most rows are there.
const stepMin = 1e-4;

export function trainSoftmax(rows: readonly TrainingRow[], plan: TrainingPlan): LinearModel {
  const trainer = new Trainer(plan);
  const random = openRandom(plan.seed);
  const order = Uint32Array.from(rows.keys());
  const stepCount = rows.length * plan.epochCount;
  for (let epoch = 0, step = 0; epoch < plan.epochCount; epoch += 1) {
    shuffle(order, random);
    for (const index of order) {
      const row = rows[index];
      const rate = plan.rate * (1 - (1 - plan.lastRateShare) * (step / stepCount));
      if (row) trainer.learn(row, rate);
      step += 1;
    }
  }
  return trainer.model;
}

class Trainer {
  readonly model: LinearModel;
  readonly #squares: Float32Array;
  readonly #biasSquares: Float32Array;
  readonly #classCount: number;
  readonly #logits: Float64Array;

  constructor({ classCount, placeCount, biasGroupCount }: TrainingPlan) {
    this.#classCount = classCount;
    this.model = {
      weights: new Float32Array(placeCount * classCount),
      biases: new Float32Array(biasGroupCount * classCount),
    };
    this.#squares = new Float32Array(placeCount * classCount).fill(squaresBegin);
    this.#biasSquares = new Float32Array(biasGroupCount * classCount).fill(squaresBegin);
    this.#logits = new Float64Array(classCount);
  }

  learn(row: TrainingRow, rate: number): void {
    const value = 1 / Math.sqrt(row.places.length || 1);
    this.#weigh(row, value);
    const shares = this.#shares(row.classes);
    for (const [index, place] of row.classes.entries()) {
      const slope = ((shares[index] ?? 0) - (place === row.target ? 1 : 0)) * row.weight;
      if (Math.abs(slope) < stepMin) continue;
      const step = slope * value;
      for (const feature of row.places) {
        descend(this.model.weights, this.#squares, feature * this.#classCount + place, step, rate);
      }
      const bias = row.biasGroup * this.#classCount + place;
      descend(this.model.biases, this.#biasSquares, bias, slope, rate);
    }
  }

  #weigh(row: TrainingRow, value: number): void {
    const { weights, biases } = this.model;
    const logits = this.#logits.fill(0);
    const width = this.#classCount;
    for (const feature of row.places) {
      const from = feature * width;
      for (let at = 0; at < width; at += 1)
        logits[at] = (logits[at] ?? 0) + (weights[from + at] ?? 0);
    }
    for (let at = 0; at < width; at += 1) {
      logits[at] = (logits[at] ?? 0) * value + (biases[row.biasGroup * width + at] ?? 0);
    }
  }

  #shares(classes: readonly number[]): number[] {
    const most = Math.max(...classes.map((one) => this.#logits[one] ?? 0));
    const powers = classes.map((one) => Math.exp((this.#logits[one] ?? 0) - most));
    const sum = powers.reduce((total, power) => total + power, 0);
    return powers.map((power) => power / sum);
  }
}

function descend(
  weights: Float32Array,
  squares: Float32Array,
  at: number,
  slope: number,
  rate: number,
): void {
  const squared = (squares[at] ?? 0) + slope * slope;
  squares[at] = squared;
  weights[at] = (weights[at] ?? 0) - (rate * slope) / Math.sqrt(squared);
}
