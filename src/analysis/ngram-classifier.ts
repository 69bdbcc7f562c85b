// Tells apart languages that share a script, by trained weights over words and groups of letters,
// with how common each language is in app stores as a prior. Says nothing when it isn't sure.

import { undetermined } from "../domain/analysis.ts";
import { once } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import { IndexSet } from "./index-set.ts";
import { languageFeaturesMax, languageUnitsMax, extractLanguageFeatures } from "./language-features.ts";
import { languageCountMax, type PackedWeights, packWeights, sumRows } from "./packed-weights.ts";
import type { Token } from "./tokens.ts";

export type SharedScript = "latin" | "cyrillic" | "arabic" | "devanagari";

export type LanguageHead = {
  /** One after the other in the file: for each place the weights of all languages. */
  scripts: { script: SharedScript; languages: string[]; placeCount: number; step: number }[];
};

// Logits: what a review is before its first letter was read.
const priors: Readonly<Record<string, number>> = {
  en: 3,
  ...sameFor("es fr de it pt ru id tr ar vi pl nl", 2),
  ...sameFor("cs da fi hu no ro sv uk hi fa ca hr sk bg tl", 1),
  ms: 0.5,
};
const confidenceMin = 0.4;
const shortTextUnits = 15;
const shortConfidenceMin = 0.7;

// Most reviews give their language away at once, and this is the dearest step: only where the opening
// leaves a doubt is more read.
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
const openModels = once(openScripts);
const seen = new IndexSet();
const rows = new Uint32Array(languageFeaturesMax);
const sums = new Int32Array(languageCountMax);
const logits = new Float64Array(languageCountMax);

type Read = { text: string; tokens: readonly Token[] };
type Guess = { language: string; confidence: number };

export function classifyByNgrams(script: SharedScript, read: Read): string | null {
  const model = openModels().get(script);
  if (model === undefined) return null;
  let guess = guessLanguage(model, read, openingUnits);
  if (read.text.length > openingUnits && (guess?.confidence ?? 0) < openingConfidenceMin) {
    guess = guessLanguage(model, read, languageUnitsMax);
  }
  const least = read.text.length < shortTextUnits ? shortConfidenceMin : confidenceMin;
  return guess !== null && guess.confidence >= least ? guess.language : null;
}

/** null without a single word. */
function guessLanguage(model: ScriptModel, read: Read, unitsMax: number): Guess | null {
  if (!scoreLanguages(model, read, unitsMax)) return null;
  const { length } = model.languages;
  let best = 0;
  for (let at = 1; at < length; at += 1) {
    if ((logits[at] ?? 0) > (logits[best] ?? 0)) best = at;
  }
  const most = logits[best] ?? 0;
  let all = 0;
  for (let at = 0; at < length; at += 1) all += Math.exp((logits[at] ?? 0) - most);
  return { language: model.languages[best] ?? undetermined, confidence: 1 / all };
}

/** Fills `logits`, unless there is no word. */
function scoreLanguages(model: ScriptModel, read: Read, unitsMax: number): boolean {
  const { placeCount, step, weights } = model;
  const { tokens } = read;
  const places = extractLanguageFeatures(read.text, { tokens, mask: placeCount - 1, unitsMax });
  let count = 0;
  seen.clear(places.length);
  for (const place of places) {
    if (seen.add(place, 0) === "known") continue;
    rows[count] = place;
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

function openScripts(): Map<SharedScript, ScriptModel> {
  const { head, weights } = readWeightFile<LanguageHead>(modelUrl);
  let from = 0;
  return new Map(
    head.scripts.map(({ script, languages, placeCount, step }) => {
      const size = placeCount * languages.length;
      const width = languages.length;
      const own = packWeights(weights.subarray(from, from + size), { placeCount, width });
      const headStarts = Float64Array.from(languages, (language) => priors[language] ?? 0);
      from += size;
      return [script, { languages, priors: headStarts, placeCount, step, weights: own }];
    }),
  );
}

function sameFor(languages: string, prior: number): Record<string, number> {
  return Object.fromEntries(languages.split(" ").map((language) => [language, prior]));
}
