// Fits a zero point for each language and writes it into sentiment.bin, in the folder of the first argument:
// the shift of the difference of positive and negative with which both are told equally well. Run by
// `npm run train` after the weights. Fitted on rows that the weights were not trained with, because on
// their own rows they are always right.
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { findListed } from "../src/analysis/lexicon.ts";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import { readSentiment } from "../src/analysis/sentiment.ts";
import { loadSentimentModel, type SentimentHead } from "../src/analysis/sentiment-model.ts";
import { tokenize } from "../src/analysis/tokens.ts";
import { undetermined } from "../src/domain/review/analysis.ts";
import { readWeightFile } from "../src/lib/weight-file.ts";
import type { DataRow } from "./data-rows.ts";
import { writeModel } from "./model-writer.ts";
import { isHeldOut, readPolarityRows } from "./sources.ts";

const rowsMin = 50;
// A smaller gain in balanced accuracy is chance.
const gainMin = 0.02;
// In hundredths.
const shiftMax = 400;
const shiftStep = 5;
const neighbours = [-0.5, -0.25, 0, 0.25, 0.5];

function fitZeroPoints(): Record<string, number> {
  const languages = new Map<string, Logits>();
  for (const row of readPolarityRows().filter(isHeldOut)) {
    const language = row.lang ?? row.lang_detected ?? undetermined;
    const isPositive = polarityOf(row);
    const logit = logitOf(row, language);
    if (isPositive === null || logit === null) continue;
    const logits = languages.get(language) ?? { positive: [], negative: [] };
    logits[isPositive ? "positive" : "negative"].push(logit);
    languages.set(language, logits);
  }
  const fitted: Record<string, number> = {};
  for (const [language, logits] of [...languages].sort(([a], [b]) => a.localeCompare(b))) {
    if (Math.min(logits.positive.length, logits.negative.length) < rowsMin) continue;
    const shift = fitShift(logits);
    const before = balancedAccuracy(logits, 0);
    const after = balancedAccuracy(logits, shift);
    const isBetter = after - before >= gainMin;
    process.stderr.write(
      `zero point of ${language}: ${shift}, ${before.toFixed(3)} → ${after.toFixed(3)}${isBetter ? "" : ", not used"}\n`,
    );
    if (isBetter) fitted[language] = shift;
  }
  return fitted;
}

type Logits = { positive: number[]; negative: number[] };

function polarityOf({ sentiment_gold: label, rating }: DataRow): boolean | null {
  if (label === "positive" || label === "negative") return label === "positive";
  return label || !rating || rating === 3 ? null : rating > 3;
}

function logitOf({ title = null, text }: DataRow, language: string): number | null {
  const opening = normalizeReview({ title, text })?.opening;
  if (opening === undefined) return null;
  const tokens = tokenize(opening);
  const listed = findListed({ text: opening, opening }, language);
  // No language has no zero point: the file may hold those of an earlier run.
  const input = { text: opening, language: undetermined, tokens, listed };
  return readSentiment(input, loadSentimentModel()).reading.whole.logit;
}

/**
 * The middle of the range in which both are told best. The likeliest shift would be that of the few rows that the
 * weights are very sure and wrong about, which are those that say most of their source and least of the language.
 */
function fitShift(logits: Logits): number {
  let best = 0;
  let highest = 0;
  for (let hundredths = -shiftMax; hundredths <= shiftMax; hundredths += shiftStep) {
    const shift = hundredths / 100;
    const sum = neighbours.reduce((total, by) => total + balancedAccuracy(logits, shift + by), 0);
    if (sum <= highest) continue;
    highest = sum;
    best = shift;
  }
  return best;
}

function balancedAccuracy({ positive, negative }: Logits, shift: number): number {
  const right = positive.filter((logit) => logit + shift > 0).length / positive.length;
  return (right + negative.filter((logit) => logit + shift < 0).length / negative.length) / 2;
}

const file = path.join(process.argv[2] ?? ".", "sentiment.bin");
const { head, weights } = readWeightFile<SentimentHead>(pathToFileURL(file));
writeModel(file, { head: { ...head, zeroPoints: fitZeroPoints() }, parts: [weights] });
