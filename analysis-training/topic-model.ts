// Trains the topic classifier: one against the rest for each topic.
import {
  type TopicHead,
  type TopicModel,
  topicBucketCount,
} from "../src/analysis/topic-classifier.ts";
import type { DataRow } from "./data-rows.ts";
import { quantizationStep, quantize } from "./model-writer.ts";
import { trainSoftmax } from "./softmax-trainer.ts";
import {
  classifiedLanguages,
  classifiedTopics,
  goldGroup,
  isReadFor,
  isTopic,
  topicRow,
} from "./topic-rows.ts";

const config = { epochCount: 6, rate: 0.1, lastRateShare: 0.2, seed: 7 };
const classCount = 2;

// Probabilities, the second with a phrase that names the topic. Chosen on rows that the weights had not seen: in three
// folds over our own gold, and in folds that left out a whole source (docs/adr/0065-own-gold.md).
const probabilityMins: Readonly<
  Record<(typeof classifiedTopics)[number], { alone: number; withPhrase: number }>
> = {
  bug: { alone: 0.5, withPhrase: 0.04 },
  feature_request: { alone: 0.45, withPhrase: 0.04 },
  praise: { alone: 0.5, withPhrase: 0.05 },
};

export function trainTopicModel(rows: readonly DataRow[]): TopicModel {
  const topics: TopicHead["topics"] = [];
  const columns: Int8Array[] = [];
  for (const topic of classifiedTopics) {
    const { weights, biases } = trainSoftmax(
      rows.filter((row) => isReadFor(row, topic)).map((row) => topicRow(row, topic)),
      { ...config, classCount, bucketCount: topicBucketCount, biasGroupCount: 2 },
    );
    // A softmax over two classes only depends on their difference.
    const difference = Float32Array.from(
      { length: topicBucketCount },
      (_, at) => (weights[at * classCount + isTopic] ?? 0) - (weights[at * classCount] ?? 0),
    );
    const step = quantizationStep(difference);
    const bias =
      (biases[goldGroup * classCount + isTopic] ?? 0) - (biases[goldGroup * classCount] ?? 0);
    const { alone, withPhrase } = probabilityMins[topic];
    const logits = { logitMin: logitOf(alone), logitMinWithPhrase: logitOf(withPhrase) };
    topics.push({ topic, step, bias, ...logits });
    columns.push(quantize(difference, step));
  }
  const weights = new Int8Array(topicBucketCount * columns.length);
  for (const [column, bytes] of columns.entries()) {
    for (const [bucket, byte] of bytes.entries()) weights[bucket * columns.length + column] = byte;
  }
  return { head: { languages: classifiedLanguages, topics }, weights };
}

function logitOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}
