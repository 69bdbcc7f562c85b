// Trains the weights of sentiment: two columns of one byte, negative and positive relative to neutral.
import { sentimentBucketCount } from "../src/analysis/sentiment-features.ts";
import type { SentimentHead, SentimentModel } from "../src/analysis/sentiment-model.ts";
import { quantizationStep, quantize } from "./model-writer.ts";
import { appReviewGroup, classOf, listSentimentRows, type WithoutFold } from "./sentiment-rows.ts";
import { type LinearModel, trainSoftmax } from "./softmax-trainer.ts";

const config = { epochCount: 6, rate: 0.1, lastRateShare: 0.2, seed: 7 };

/** Without zero points and decision, which are fitted with the trained weights. */
export function trainSentiment(without?: WithoutFold): SentimentModel {
  const { rows, groupCount } = listSentimentRows(without);
  process.stderr.write(`sentiment: ${rows.length} rows\n`);
  const model = trainSoftmax(rows, {
    ...config,
    classCount: Object.keys(classOf).length,
    bucketCount: sentimentBucketCount,
    biasGroupCount: groupCount,
  });
  // Softmax only depends on differences: relative to neutral, two columns suffice instead of three.
  const bad = relativeToNeutral(model, classOf.negative);
  const good = relativeToNeutral(model, classOf.positive);
  const head: SentimentHead = {
    badStep: quantizationStep(bad.weights),
    goodStep: quantizationStep(good.weights),
    badBias: bad.biases[appReviewGroup] ?? 0,
    goodBias: good.biases[appReviewGroup] ?? 0,
    zeroPoints: {},
    decision: { positive: [], negative: [], neutral: [], mixed: [] },
  };
  const columns = [quantize(bad.weights, head.badStep), quantize(good.weights, head.goodStep)];
  const weights = new Int8Array(sentimentBucketCount * columns.length);
  for (const [column, bytes] of columns.entries()) {
    for (const [bucket, byte] of bytes.entries()) weights[bucket * columns.length + column] = byte;
  }
  return { head, weights };
}

/** The weights and biases of one class, each minus that of neutral. */
function relativeToNeutral({ weights, biases }: LinearModel, column: number): LinearModel {
  const width = Object.keys(classOf).length;
  const pick = (from: Float32Array): Float32Array =>
    Float32Array.from(
      { length: from.length / width },
      (_, row) => (from[row * width + column] ?? 0) - (from[row * width + classOf.neutral] ?? 0),
    );
  return { weights: pick(weights), biases: pick(biases) };
}
