// The trained part of topics, for those that have no vocabulary of their own, because anything can fail, be wished for
// or be loved. It adds to the phrase lists, and rejects what they find in a text that reads otherwise ("I wish you luck").
// A linear classifier over the features of sentiment reads the words, in the languages of our labelled store reviews; a
// decision in all languages weighs it together with the signals of the text and the phrases of all topics.

import { type Topic, topicNames } from "../domain/review/topics.ts";
import { lazy } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import { weigh } from "./sentiment-decision.ts";

export const topicBucketCount = 2 ** 17;

export type TopicHead = {
  /** Those that the columns were trained in. */
  languages: string[];
  /** In the order of the file, which has for each bucket the weights of all topics. */
  topics: TopicColumn[];
};

type TopicColumn = {
  topic: Topic;
  step: number;
  bias: number;
  /** The weights of `listTopicSignals`: a text with a sum above 0 has the topic. */
  decision: readonly number[];
};

export type TopicModel = { head: TopicHead; weights: Int8Array };

const modelUrl = new URL("./models/topics.bin", import.meta.url);
export const loadTopicModel = lazy(() => readWeightFile<TopicHead>(modelUrl));

type TopicReading = {
  /** The signals of the text, as `listTextSignals` gives them. */
  signals: readonly number[];
  /** The topics that the phrases of its opening name. */
  named: ReadonlySet<Topic>;
  /** Its buckets in the table of sentiment, with repeats. */
  buckets: Uint32Array;
  language: string;
};

/** Whether a text has each of the topics that are decided: one that no phrase names only in a language of the columns. */
export function classifyTopics(reading: TopicReading): ReadonlyMap<Topic, boolean> {
  const model = loadTopicModel();
  const columns = listColumnSignals(reading, model);
  const { signals, named } = reading;
  const [isRead] = columns;
  return new Map(
    model.head.topics.map(({ topic, decision }) => [
      topic,
      (isRead === 1 || named.has(topic)) &&
        weigh(listTopicSignals(topic, { signals, named, columns }), decision) > 0,
    ]),
  );
}

/** The signals that the decision on a topic weighs, each about −6 to 6. */
export function listTopicSignals(
  topic: Topic,
  { signals, named, columns }: Pick<TopicReading, "signals" | "named"> & { columns: number[] },
): number[] {
  const isNamed = named.has(topic);
  // Another topic speaks for or against this one only where no phrase names it: "a bug that drains the battery".
  const others = topicNames.map((one) =>
    Number(one === topic ? isNamed : !isNamed && named.has(one)),
  );
  return [...signals, ...others, ...columns];
}

/** Whether the columns know the language, and their sums. */
export function listColumnSignals(
  { buckets, language }: Pick<TopicReading, "buckets" | "language">,
  model: TopicModel,
): number[] {
  const isRead = model.head.languages.includes(language) && buckets.length > 0;
  const logits = isRead ? readColumns(buckets, model) : model.head.topics.map(() => 0);
  return [Number(isRead), ...logits.map((logit) => Math.max(-logitMax, Math.min(logitMax, logit)))];
}

const logitMax = 6;

function readColumns(buckets: Uint32Array, { head, weights }: TopicModel): number[] {
  const width = head.topics.length;
  const sums = head.topics.map(() => 0);
  // The weights of a bucket are next to each other, and hardly ever in the processor's cache before.
  for (const bucket of buckets) {
    const from = topicBucket(bucket) * width;
    for (let column = 0; column < width; column += 1)
      sums[column] = (sums[column] ?? 0) + (weights[from + column] ?? 0);
  }
  // As in training: features count less the more of them a text has.
  const value = 1 / Math.sqrt(buckets.length);
  return head.topics.map(({ step, bias }, column) => (sums[column] ?? 0) * step * value + bias);
}

/** The table is smaller than that of sentiment, and takes the low bits of its buckets. */
export function topicBucket(bucket: number): number {
  return bucket & (topicBucketCount - 1);
}
