// Classifies texts of a script that several languages share, by trained weights over words and letter
// n-grams, with how common each language is in app stores as a prior. Returns null when it is not sure.

import { undetermined } from "../domain/review/analysis.ts";
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
  en: 3.7,
  ...priorsOf("es fr de it pt ru id tr ar vi pl nl", 2),
  ...priorsOf("cs da fi hu no ro sv uk hi fa ca hr sk bg tl", 1),
  ms: 0.5,
};
// A hint outweighs how common other languages are, and a little of the text: it decides where a few words fit several
// languages. Chosen on labelled reviews with right and wrong hints; more would turn clear texts.
const hintLogit = 1.6;
/** The hint counts less for a longer text, which says more itself. */
const hintedUnitsMax = 25;
const confidenceMin = 0.4;
const shortTextUnits = 15;
const shortConfidenceMin = 0.7;

type ScriptModel = {
  languages: string[];
  /** In the order of the languages. */
  priors: number[];
  placeCount: number;
  step: number;
  /** For each bucket those of all languages. */
  weights: Int8Array;
  /** By bucket whether the text has it; all 0 between texts. A `Set` takes twice as long. */
  isCounted: Uint8Array;
};

const modelUrl = new URL("./models/language.bin", import.meta.url);
export const loadLanguageModels = lazy(readModels);

/** @param hint a language that is a little likelier than the text says */
export function classifyByNgrams(
  script: SharedScript,
  { text, tokens, hint }: { text: string; tokens: readonly Token[]; hint: string | null },
): string | null {
  const model = loadLanguageModels().get(script);
  if (model === undefined) return null;
  const buckets = extractLanguageFeatures(text, { tokens, mask: model.placeCount - 1 });
  if (buckets.length === 0) return null;
  const { language, confidence } = guessLanguage(model, {
    buckets: keepDistinct(buckets, model),
    hint,
    hintShare: Math.min(1, hintedUnitsMax / text.length),
  });
  const confidenceNeeded = text.length < shortTextUnits ? shortConfidenceMin : confidenceMin;
  return language !== undetermined && confidence >= confidenceNeeded ? language : null;
}

/** Moves each bucket to the front once. */
function keepDistinct(buckets: Uint32Array, { isCounted }: ScriptModel): Uint32Array {
  let count = 0;
  for (const bucket of buckets) {
    if (isCounted[bucket] === 1) continue;
    isCounted[bucket] = 1;
    buckets[count++] = bucket;
  }
  const distinct = buckets.subarray(0, count);
  for (const bucket of distinct) isCounted[bucket] = 0;
  return distinct;
}

function guessLanguage(
  model: ScriptModel,
  { buckets, hint, hintShare }: { buckets: Uint32Array; hint: string | null; hintShare: number },
): { language: string; confidence: number } {
  const { languages, priors: ownPriors, step } = model;
  const sums = sumWeights(model, buckets);
  const value = step / Math.sqrt(buckets.length);
  const logits = ownPriors.map((prior, at) => (sums[at] ?? 0) * value + prior);
  const hinted = hint === null ? -1 : languages.indexOf(hint);
  if (hinted >= 0) {
    // English, which is the most common, needs no more.
    const lack = Math.max(...ownPriors) - (ownPriors[hinted] ?? 0);
    const bonus = lack === 0 ? 0 : lack + hintLogit;
    logits[hinted] = (logits[hinted] ?? 0) + bonus * hintShare;
  }
  const highest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0);
  return { language: languages[logits.indexOf(highest)] ?? undetermined, confidence: 1 / sum };
}

/** By language. Four at a time, whose sums stay in registers: with one by one this is a third of all work. */
function sumWeights({ languages, weights }: ScriptModel, buckets: Uint32Array): number[] {
  const width = languages.length;
  const sums: number[] = [];
  for (let column = 0; column < width; column += 4) {
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let at = 0; at < buckets.length; at += 1) {
      const place = (buckets[at] ?? 0) * width + column;
      first += weights[place] ?? 0;
      second += weights[place + 1] ?? 0;
      third += weights[place + 2] ?? 0;
      fourth += weights[place + 3] ?? 0;
    }
    // Beyond the last language they are of other buckets, and not read.
    sums.push(first, second, third, fourth);
  }
  return sums;
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
