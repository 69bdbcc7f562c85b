// Classifies texts of a script that several languages share, by trained weights over words and letter
// n-grams, with how common each language is in app stores as a prior. Returns null when it is not sure.

import { undetermined } from "../domain/analysis.ts";
import { lazy } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import { extractLanguageFeatures } from "./language-features.ts";
import type { Token } from "./tokens.ts";

export type SharedScript = "latin" | "cyrillic" | "arabic" | "devanagari";

export type LanguageHead = {
  /** In the order of the file, which has for each bucket the weights of all languages. `placeCount` counts buckets. */
  scripts: { script: SharedScript; languages: string[]; placeCount: number; step: number }[];
};

// Prior logits: how common a language is in app stores.
const priors: Readonly<Record<string, number>> = {
  en: 3,
  ...priorsOf("es fr de it pt ru id tr ar vi pl nl", 2),
  ...priorsOf("cs da fi hu no ro sv uk hi fa ca hr sk bg tl", 1),
  ms: 0.5,
};
const confidenceMin = 0.4;
const shortTextUnits = 15;
const shortConfidenceMin = 0.7;

// This is the slowest stage, and most reviews are classified with certainty by their opening: more is read
// only when the opening leaves a doubt.
const openingUnits = 56;
const openingConfidenceMin = 0.99;

type ScriptModel = {
  languages: string[];
  /** In the order of the languages. */
  priors: number[];
  placeCount: number;
  step: number;
  /** For each bucket those of all languages. */
  weights: Int8Array;
  /** By bucket whether the text has it; all 0 between texts. */
  isCounted: Uint8Array;
};

const modelUrl = new URL("./models/language.bin", import.meta.url);
const loadModels = lazy(readModels);

type Input = { text: string; tokens: readonly Token[] };
type Guess = { language: string; confidence: number };

export function classifyByNgrams(script: SharedScript, input: Input): string | null {
  const model = loadModels().get(script);
  if (model === undefined) return null;
  const guess = guessLanguage(model, input);
  const confidenceNeeded = input.text.length < shortTextUnits ? shortConfidenceMin : confidenceMin;
  if (guess === null || guess.language === undetermined) return null;
  return guess.confidence >= confidenceNeeded ? guess.language : null;
}

/** null without a single word. */
function guessLanguage(model: ScriptModel, { text, tokens }: Input): Guess | null {
  const sums = new Int32Array(model.languages.length);
  const counted: number[] = [];
  const read = (part: readonly Token[]): Guess | null => {
    countFeatures(model, { input: { text, tokens: part }, sums, counted });
    return toGuess(model, { sums, count: counted.length });
  };
  const firstBeyond = tokens.findIndex(({ start }) => start >= openingUnits);
  const openingCount = firstBeyond === -1 ? tokens.length : firstBeyond;
  const opening = read(tokens.slice(0, openingCount));
  const isCertain = (opening?.confidence ?? 0) >= openingConfidenceMin;
  const guess = firstBeyond === -1 || isCertain ? opening : read(tokens.slice(openingCount));
  for (const bucket of counted) model.isCounted[bucket] = 0;
  return guess;
}

/** Adds the weights of the features that were not counted yet. */
function countFeatures(
  { placeCount, weights, isCounted }: ScriptModel,
  { input, sums, counted }: { input: Input; sums: Int32Array; counted: number[] },
): void {
  const { tokens } = input;
  const width = sums.length;
  for (const bucket of extractLanguageFeatures(input.text, { tokens, mask: placeCount - 1 })) {
    if (isCounted[bucket] === 1) continue;
    isCounted[bucket] = 1;
    counted.push(bucket);
    const from = bucket * width;
    for (let at = 0; at < width; at += 1) sums[at] = (sums[at] ?? 0) + (weights[from + at] ?? 0);
  }
}

/** null without any feature. */
function toGuess(
  { languages, priors: ownPriors, step }: ScriptModel,
  { sums, count }: { sums: Int32Array; count: number },
): Guess | null {
  if (count === 0) return null;
  const value = step / Math.sqrt(count);
  const logits = ownPriors.map((prior, at) => (sums[at] ?? 0) * value + prior);
  const highest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0);
  return { language: languages[logits.indexOf(highest)] ?? undetermined, confidence: 1 / sum };
}

function readModels(): Map<SharedScript, ScriptModel> {
  const { head, weights } = readWeightFile<LanguageHead>(modelUrl);
  let from = 0;
  return new Map(
    head.scripts.map(({ script, languages, placeCount, step }) => {
      const size = placeCount * languages.length;
      const own = weights.subarray(from, from + size);
      const ownPriors = languages.map((language) => priors[language] ?? 0);
      from += size;
      const isCounted = new Uint8Array(placeCount);
      return [script, { languages, priors: ownPriors, placeCount, step, weights: own, isCounted }];
    }),
  );
}

function priorsOf(languages: string, prior: number): Record<string, number> {
  return Object.fromEntries(languages.split(" ").map((language) => [language, prior]));
}
