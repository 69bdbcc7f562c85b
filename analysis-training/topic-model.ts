// Trains the columns of the topic classifier: one against the rest for each topic.
import {
  type TopicHead,
  type TopicModel,
  topicBucketCount,
} from "../src/analysis/topic-classifier.ts";
import { quantizationStep, quantize } from "./model-writer.ts";
import { trainSoftmax } from "./softmax-trainer.ts";
import {
  classifiedLanguages,
  classifiedTopics,
  goldGroup,
  isReadFor,
  isTopic,
  readColumnRows,
  topicRow,
} from "./topic-rows.ts";

const config = { epochCount: 6, rate: 0.1, lastRateShare: 0.2, seed: 7 };
const classCount = 2;

/**
 * Without decisions, which are trained with the columns.
 * @param isLeftOut rows that the columns may not know, by their text
 */
export function trainTopicColumns(isLeftOut?: (text: string) => boolean): TopicModel {
  const rows = readColumnRows(isLeftOut);
  process.stderr.write(`topics: ${rows.length} rows\n`);
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
    topics.push({ topic, step, bias, decision: [] });
    columns.push(quantize(difference, step));
  }
  const weights = new Int8Array(topicBucketCount * columns.length);
  for (const [column, bytes] of columns.entries()) {
    for (const [bucket, byte] of bytes.entries()) weights[bucket * columns.length + column] = byte;
  }
  return { head: { languages: classifiedLanguages, topics }, weights };
}
