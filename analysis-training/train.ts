// Rebuilds the shipped weights, bit for bit, from the rows of permissive sources. The first argument is
// the folder to write to. Run by `npm run train`.
import path from "node:path";
import process from "node:process";
import type { LanguageHead } from "../src/analysis/ngram-classifier.ts";
import { sentimentPlaceCount } from "../src/analysis/sentiment-features.ts";
import type { SentimentHead } from "../src/analysis/sentiment-model.ts";
import { listLanguageRows, listLanguageTexts, scriptPlans } from "./language-rows.ts";
import { stepOf, toBytes, writeModel } from "./model-writer.ts";
import { appReviewGroup, classOf, listSentimentRows } from "./sentiment-rows.ts";
import { type LinearModel, trainSoftmax } from "./softmax-trainer.ts";

const seed = 7;
const lastRateShare = 0.2;
const sentimentPlan = { epochCount: 6, rate: 0.1, lastRateShare, seed };
const languagePlan = { epochCount: 5, rate: 0.4, lastRateShare, seed };

const folder = process.argv[2] ?? ".";
trainSentiment(path.join(folder, "sentiment.bin"));
trainLanguages(path.join(folder, "language.bin"));

function trainSentiment(file: string): void {
  const { rows, groupCount } = listSentimentRows();
  say(`sentiment: ${rows.length} rows`);
  const model = trainSoftmax(rows, {
    ...sentimentPlan,
    classCount: Object.keys(classOf).length,
    placeCount: sentimentPlaceCount,
    biasGroupCount: groupCount,
  });
  // Only differences to neutral matter: two columns instead of three.
  const bad = overNeutral(model, classOf.negative);
  const good = overNeutral(model, classOf.positive);
  const head: SentimentHead = {
    badStep: stepOf(bad.weights),
    goodStep: stepOf(good.weights),
    badBias: bad.biases[appReviewGroup] ?? 0,
    goodBias: good.biases[appReviewGroup] ?? 0,
  };
  const columns = [toBytes(bad.weights, head.badStep), toBytes(good.weights, head.goodStep)];
  const pairs = new Int8Array(sentimentPlaceCount * columns.length);
  for (const [column, bytes] of columns.entries()) {
    for (const [place, byte] of bytes.entries()) pairs[place * columns.length + column] = byte;
  }
  writeModel(file, { head, parts: [pairs] });
}

/** One class as its difference to neutral: for every place, and for every group. */
function overNeutral({ weights, biases }: LinearModel, column: number): LinearModel {
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
  for (const plan of scriptPlans) {
    const rows = listLanguageRows(plan, texts);
    say(`languages in ${plan.script} letters: ${rows.length} rows`);
    const { weights } = trainSoftmax(rows, {
      ...languagePlan,
      classCount: plan.languages.length,
      placeCount: plan.placeCount,
      biasGroupCount: 1,
    });
    const step = stepOf(weights);
    head.scripts.push({ ...plan, step });
    parts.push(toBytes(weights, step));
  }
  writeModel(file, { head, parts });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
