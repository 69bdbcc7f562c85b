// The trained part of topics: a linear classifier for those that have no vocabulary of their own, because
// anything can fail, be wished for or be loved. It reads the features of sentiment; it adds to the phrase lists, and
// rejects what they find in a text that reads otherwise ("I wish you luck").

import type { Topic } from "../domain/topics.ts";
import { lazy } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";

export const topicBucketCount = 2 ** 18;

export type TopicHead = {
  /** Those that it was trained in; it finds nothing in others. */
  languages: string[];
  /** In the order of the file, which has for each bucket the weights of all topics. */
  topics: TopicColumn[];
};

type TopicColumn = {
  topic: Topic;
  step: number;
  bias: number;
  /** From here on a text has the topic without any phrase, and below the other one with none either. */
  logitMin: number;
  logitMinWithPhrase: number;
};

export type TopicModel = { head: TopicHead; weights: Int8Array };

const modelUrl = new URL("./models/topics.bin", import.meta.url);
const loadModel = lazy(() => readWeightFile<TopicHead>(modelUrl));

export type ClassifiedTopics = { found: readonly Topic[]; rejected: readonly Topic[] };

/** @param buckets the distinct buckets of a text in the table of sentiment */
export function classifyTopics(buckets: readonly number[], language: string): ClassifiedTopics {
  return classifyWith(loadModel(), { buckets, language });
}

export function classifyWith(
  { head, weights }: TopicModel,
  { buckets, language }: { buckets: readonly number[]; language: string },
): ClassifiedTopics {
  if (buckets.length === 0 || !head.languages.includes(language)) return none;
  const width = head.topics.length;
  // As in training: features count less the more of them a text has.
  const value = 1 / Math.sqrt(buckets.length);
  const sums = head.topics.map(() => 0);
  // The weights of a bucket are next to each other, and hardly ever in the processor's cache before.
  for (const bucket of buckets) {
    const from = topicBucket(bucket) * width;
    for (let column = 0; column < width; column += 1)
      sums[column] = (sums[column] ?? 0) + (weights[from + column] ?? 0);
  }
  const found: Topic[] = [];
  const rejected: Topic[] = [];
  for (const [
    column,
    { topic, step, bias, logitMin, logitMinWithPhrase },
  ] of head.topics.entries()) {
    const logit = (sums[column] ?? 0) * step * value + bias;
    if (logit >= logitMin) found.push(topic);
    if (logit < logitMinWithPhrase) rejected.push(topic);
  }
  return { found, rejected };
}

const none: ClassifiedTopics = { found: [], rejected: [] };

/** The table is smaller than that of sentiment, and takes the low bits of its buckets. */
export function topicBucket(bucket: number): number {
  return bucket & (topicBucketCount - 1);
}
