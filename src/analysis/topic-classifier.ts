// The trained part of topics: a linear classifier for those that have no vocabulary of their own, because
// anything can fail or be wished for. It reads the features of sentiment and adds to the phrase lists.
import { lazy } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import type { Topic } from "./topics.ts";

export const topicBucketCount = 2 ** 18;

export type TopicHead = {
  /** Those that it was trained in; it finds nothing in others. */
  languages: string[];
  /** In the order of the file, which has for each bucket the weights of all topics. */
  topics: { topic: Topic; step: number; bias: number; logitMin: number }[];
};

export type TopicModel = { head: TopicHead; weights: Int8Array };

const modelUrl = new URL("./models/topics.bin", import.meta.url);
const loadModel = lazy(() => readWeightFile<TopicHead>(modelUrl));

/** @param buckets the distinct buckets of a text in the table of sentiment */
export function classifyTopics(buckets: Uint32Array, language: string): Topic[] {
  return findClassified(loadModel(), { buckets, language });
}

export function findClassified(
  { head, weights }: TopicModel,
  { buckets, language }: { buckets: Uint32Array; language: string },
): Topic[] {
  if (buckets.length === 0 || !head.languages.includes(language)) return none;
  const width = head.topics.length;
  // As in training: features count less the more of them a text has.
  const value = 1 / Math.sqrt(buckets.length);
  return head.topics.flatMap(({ topic, step, bias, logitMin }, column) => {
    let sum = 0;
    for (const bucket of buckets) sum += weights[topicBucket(bucket) * width + column] ?? 0;
    return sum * step * value + bias >= logitMin ? [topic] : [];
  });
}

const none: Topic[] = [];

/** The table is smaller than that of sentiment, and takes the low bits of its buckets. */
export function topicBucket(bucket: number): number {
  return bucket & (topicBucketCount - 1);
}
