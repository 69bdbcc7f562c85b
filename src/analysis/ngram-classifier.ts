// Classifies texts of a script that several languages share, by trained weights over words and letter
// n-grams, with how common each language is in app stores as a prior. Returns null when it is not sure.

import { undetermined } from "../domain/analysis.ts";
import { lazy } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import { IndexSet } from "./index-set.ts";
import {
  extractLanguageFeatures,
  languageFeaturesMax,
  languageUnitsMax,
} from "./language-features.ts";
import { languageCountMax, type PackedWeights, packWeights, sumRows } from "./packed-weights.ts";
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
  priors: Float64Array;
  placeCount: number;
  step: number;
  weights: PackedWeights;
};

const modelUrl = new URL("./models/language.bin", import.meta.url);
const loadModels = lazy(readModels);
const seen = new IndexSet();
const rows = new Uint32Array(languageFeaturesMax);
const sums = new Int32Array(languageCountMax);
const logits = new Float64Array(languageCountMax);

type Input = { text: string; tokens: readonly Token[] };
type Guess = { language: string; confidence: number };

export function classifyByNgrams(script: SharedScript, input: Input): string | null {
  const model = loadModels().get(script);
  if (model === undefined) return null;
  let guess = guessLanguage(model, input, openingUnits);
  if (input.text.length > openingUnits && (guess?.confidence ?? 0) < openingConfidenceMin) {
    guess = guessLanguage(model, input, languageUnitsMax);
  }
  const confidenceNeeded = input.text.length < shortTextUnits ? shortConfidenceMin : confidenceMin;
  if (guess === null || guess.language === undetermined) return null;
  return guess.confidence >= confidenceNeeded ? guess.language : null;
}

/** null without a single word. */
function guessLanguage(model: ScriptModel, input: Input, unitsMax: number): Guess | null {
  if (!scoreLanguages(model, input, unitsMax)) return null;
  const { length } = model.languages;
  let best = 0;
  for (let at = 1; at < length; at += 1) {
    if ((logits[at] ?? 0) > (logits[best] ?? 0)) best = at;
  }
  const highest = logits[best] ?? 0;
  let sum = 0;
  for (let at = 0; at < length; at += 1) sum += Math.exp((logits[at] ?? 0) - highest);
  return { language: model.languages[best] ?? undetermined, confidence: 1 / sum };
}

/** Fills `logits`; false when the text has no word. */
function scoreLanguages(model: ScriptModel, input: Input, unitsMax: number): boolean {
  const { placeCount, step, weights } = model;
  const { tokens } = input;
  const buckets = extractLanguageFeatures(input.text, { tokens, mask: placeCount - 1, unitsMax });
  let count = 0;
  seen.clear(buckets.length);
  for (const bucket of buckets) {
    if (seen.add(bucket, 0) === "known") continue;
    rows[count] = bucket;
    count += 1;
  }
  if (count === 0) return false;
  sumRows(weights, { rows, count, sums });
  const value = step / Math.sqrt(count);
  for (let at = 0; at < model.languages.length; at += 1) {
    logits[at] = (sums[at] ?? 0) * value + (model.priors[at] ?? 0);
  }
  return true;
}

function readModels(): Map<SharedScript, ScriptModel> {
  const { head, weights } = readWeightFile<LanguageHead>(modelUrl);
  let from = 0;
  return new Map(
    head.scripts.map(({ script, languages, placeCount, step }) => {
      const size = placeCount * languages.length;
      const width = languages.length;
      const own = packWeights(weights.subarray(from, from + size), {
        bucketCount: placeCount,
        width,
      });
      const ownPriors = Float64Array.from(languages, (language) => priors[language] ?? 0);
      from += size;
      return [script, { languages, priors: ownPriors, placeCount, step, weights: own }];
    }),
  );
}

function priorsOf(languages: string, prior: number): Record<string, number> {
  return Object.fromEntries(languages.split(" ").map((language) => [language, prior]));
}
