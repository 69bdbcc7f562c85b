// The shipped weights: small enough, complete, and the files that the model card describes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { expect, test } from "vitest";
import { sentimentLabels } from "../domain/review/analysis.ts";
import type { Topic } from "../domain/review/topics.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import type { LanguageHead } from "./ngram-classifier.ts";
import { listStarSignals, listTextSignals } from "./sentiment-decision.ts";
import { sentimentBucketCount } from "./sentiment-features.ts";
import type { SentimentHead } from "./sentiment-model.ts";
import {
  listColumnSignals,
  listTopicSignals,
  type TopicHead,
  topicBucketCount,
} from "./topic-classifier.ts";

const folder = new URL("./models/", import.meta.url);
const files = fs.readdirSync(folder).filter((name) => name.endsWith(".bin"));
const bytesMax = 10_000_000;

test("the weights of all models are there and take 10 MB at most", () => {
  expect(files.sort()).toEqual(["language.bin", "sentiment.bin", "spelling.bin", "topics.bin"]);
  const sizes = files.map((name) => fs.statSync(new URL(name, folder)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytesMax);
});

test("the model card names the checksum of every file that is shipped", () => {
  const card = fs.readFileSync(new URL("MODEL_CARD.md", folder), "utf8");
  for (const name of files) {
    const bytes = fs.readFileSync(new URL(name, folder));
    expect(card).toContain(createHash("sha256").update(bytes).digest("hex"));
  }
});

const whole = { positive: 0, negative: 0, neutral: 1, logit: 0 };
const signals = listTextSignals({
  text: "",
  tokenCount: 0,
  words: [],
  mentions: [],
  clauses: [],
  hasContrast: false,
  whole,
});

test("the decision on sentiment has a weight for each signal and label", () => {
  const { head } = readWeightFile<SentimentHead>(new URL("sentiment.bin", folder));
  const signalCount = signals.length + listStarSignals(0).length;
  for (const label of sentimentLabels) expect(head.decision[label]).toHaveLength(signalCount);
});

test("the decisions on topics have a weight for each signal", () => {
  const model = readWeightFile<TopicHead>(new URL("topics.bin", folder));
  const columns = listColumnSignals({ buckets: new Uint32Array(), language: "en" }, model);
  for (const { topic, decision } of model.head.topics) {
    const reading = { signals, named: new Set<Topic>(), columns };
    expect(decision).toHaveLength(listTopicSignals(topic, reading).length);
  }
});

test("each file holds a weight for every bucket and class, and no more", () => {
  const sentiment = readWeightFile(new URL("sentiment.bin", folder));
  expect(sentiment.weights).toHaveLength(sentimentBucketCount * 2);
  const topics = readWeightFile<TopicHead>(new URL("topics.bin", folder));
  expect(topics.weights).toHaveLength(topicBucketCount * topics.head.topics.length);
  const { head, weights } = readWeightFile<LanguageHead>(new URL("language.bin", folder));
  const sizes = head.scripts.map(({ languages, placeCount }) => languages.length * placeCount);
  expect(weights).toHaveLength(sizes.reduce((sum, size) => sum + size, 0));
});
