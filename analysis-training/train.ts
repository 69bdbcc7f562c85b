// Trains the shipped weights from the rows of permissive sources and writes them to the folder in the
// first argument; those that further arguments name, else all. The same rows give the same bytes. Run by
// `npm run train`.
import path from "node:path";
import process from "node:process";
import type { LanguageHead } from "../src/analysis/ngram-classifier.ts";
import { listLanguageRows, listLanguageTexts, scriptConfigs } from "./language-rows.ts";
import { quantizationStep, quantize, writeModel } from "./model-writer.ts";
import { trainSentiment } from "./sentiment-trainer.ts";
import { trainSoftmax } from "./softmax-trainer.ts";
import { trainTopicColumns } from "./topic-model.ts";

const seed = 7;
const lastRateShare = 0.2;
const languageConfig = { epochCount: 5, rate: 0.4, lastRateShare, seed };

const [folder = ".", ...selected] = process.argv.slice(2);
const steps: Readonly<Record<string, (file: string) => void>> = {
  sentiment: trainSentimentFile,
  language: trainLanguages,
  topics: trainTopics,
};
for (const [name, train] of Object.entries(steps)) {
  if (selected.length === 0 || selected.includes(name)) train(path.join(folder, `${name}.bin`));
}

function trainSentimentFile(file: string): void {
  const { head, weights } = trainSentiment();
  writeModel(file, { head, parts: [weights] });
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
  const { head, weights } = trainTopicColumns();
  writeModel(file, { head, parts: [weights] });
}

function logProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}
