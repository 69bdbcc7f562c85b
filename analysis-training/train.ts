// Trains the shipped weights from the rows of permissive sources and writes them to the folder in the
// first argument; those that further arguments name, else all. The same rows give the same bytes. Run by
// `npm run train`.
import path from "node:path";
import process from "node:process";
import type { LanguageHead } from "../src/analysis/ngram-classifier.ts";
import { sentimentBucketCount } from "../src/analysis/sentiment-features.ts";
import type { SentimentHead } from "../src/analysis/sentiment-model.ts";
import { listLanguageRows, listLanguageTexts, scriptConfigs } from "./language-rows.ts";
import { quantizationStep, quantize, writeModel } from "./model-writer.ts";
import { appReviewGroup, classOf, listSentimentRows } from "./sentiment-rows.ts";
import { type LinearModel, trainSoftmax } from "./softmax-trainer.ts";
import { isTrainable } from "./sources.ts";
import { trainTopicModel } from "./topic-model.ts";
import { readGoldTopicRows, readTopicRows, topicSources } from "./topic-rows.ts";

const seed = 7;
const lastRateShare = 0.2;
const sentimentConfig = { epochCount: 6, rate: 0.1, lastRateShare, seed };
const languageConfig = { epochCount: 5, rate: 0.4, lastRateShare, seed };

const [folder = ".", ...selected] = process.argv.slice(2);
const steps: Readonly<Record<string, (file: string) => void>> = {
  sentiment: trainSentiment,
  language: trainLanguages,
  topics: trainTopics,
};
for (const [name, train] of Object.entries(steps)) {
  if (selected.length === 0 || selected.includes(name)) train(path.join(folder, `${name}.bin`));
}

function trainSentiment(file: string): void {
  const { rows, groupCount } = listSentimentRows();
  logProgress(`sentiment: ${rows.length} rows`);
  const model = trainSoftmax(rows, {
    ...sentimentConfig,
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
    // zero-points.ts measures them with these weights.
    zeroPoints: {},
  };
  const columns = [quantize(bad.weights, head.badStep), quantize(good.weights, head.goodStep)];
  const pairs = new Int8Array(sentimentBucketCount * columns.length);
  for (const [column, bytes] of columns.entries()) {
    for (const [bucket, byte] of bytes.entries()) pairs[bucket * columns.length + column] = byte;
  }
  writeModel(file, { head, parts: [pairs] });
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

function trainLanguages(file: string): void {
  const texts = listLanguageTexts();
  const head: LanguageHead = { scripts: [] };
  const parts: Int8Array[] = [];
  for (const config of scriptConfigs) {
    const rows = listLanguageRows(config, texts);
    logProgress(`languages in ${config.script} letters: ${rows.length} rows`);
    const { weights } = trainSoftmax(rows, {
      ...languageConfig,
      classCount: config.languages.length,
      bucketCount: config.bucketCount,
      biasGroupCount: 1,
    });
    const step = quantizationStep(weights);
    const { script, languages, bucketCount: placeCount } = config;
    head.scripts.push({ script, languages, placeCount, step });
    parts.push(quantize(weights, step));
  }
  writeModel(file, { head, parts });
}

function trainTopics(file: string): void {
  const others = readTopicRows().filter(
    (row) => topicSources.includes(row.source) && isTrainable(row),
  );
  const rows = [...others, ...readGoldTopicRows()];
  logProgress(`topics: ${rows.length} rows`);
  const { head, weights } = trainTopicModel(rows);
  writeModel(file, { head, parts: [weights] });
}

function logProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}
