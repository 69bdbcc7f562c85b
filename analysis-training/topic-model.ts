// Trains the topic classifier: one against the rest for each topic.
import {
  type TopicHead,
  type TopicModel,
  topicBucketCount,
} from "../src/analysis/topic-classifier.ts";
import type { DataRow } from "./data-rows.ts";
import { quantizationStep, quantize } from "./model-writer.ts";
import { trainSoftmax } from "./softmax-trainer.ts";
import { classifiedLanguages, classifiedTopics, isTopic, topicRow } from "./topic-rows.ts";

const config = { epochCount: 6, rate: 0.1, lastRateShare: 0.2, seed: 7 };
const classCount = 2;

// Probabilities. What is wished for differs from source to source, so that a wish must be clear.
const probabilityMin: Readonly<Record<(typeof classifiedTopics)[number], number>> = {
  bug: 0.45,
  feature_request: 0.55,
};

export function trainTopicModel(rows: readonly DataRow[]): TopicModel {
  const topics: TopicHead["topics"] = [];
  const columns: Int8Array[] = [];
  for (const topic of classifiedTopics) {
    const { weights, biases } = trainSoftmax(
      rows.map((row) => topicRow(row, topic)),
      { ...config, classCount, bucketCount: topicBucketCount, biasGroupCount: 1 },
    );
    // A softmax over two classes only depends on their difference.
    const difference = Float32Array.from(
      { length: topicBucketCount },
      (_, at) => (weights[at * classCount + isTopic] ?? 0) - (weights[at * classCount] ?? 0),
    );
    const step = quantizationStep(difference);
    const bias = (biases[isTopic] ?? 0) - (biases[0] ?? 0);
    const probability = probabilityMin[topic];
    topics.push({ topic, step, bias, logitMin: Math.log(probability / (1 - probability)) });
    columns.push(quantize(difference, step));
  }
  const weights = new Int8Array(topicBucketCount * columns.length);
  for (const [column, bytes] of columns.entries()) {
    for (const [bucket, byte] of bytes.entries()) weights[bucket * columns.length + column] = byte;
  }
  return { head: { languages: classifiedLanguages, topics }, weights };
}
