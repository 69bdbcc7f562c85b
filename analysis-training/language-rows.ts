// Training rows of language detection: sentences, word pairs and words of many languages, reviews and
// posts in informal language, and words that are typical of one language.

import { extractLanguageFeatures } from "../src/analysis/language-features.ts";
import { readSentimentWords } from "../src/analysis/lexicon.ts";
import type { SharedScript } from "../src/analysis/ngram-classifier.ts";
import { normalizeText } from "../src/analysis/normalized-text.ts";
import { detectScript } from "../src/analysis/script-detector.ts";
import { tokenize } from "../src/analysis/tokens.ts";
import { undetermined } from "../src/domain/review/analysis.ts";
import type { DataRow } from "./data-rows.ts";
import { languageMarkers } from "./language-words.ts";
import { textHash } from "./random.ts";
import { toPlainText } from "./sentiment-rows.ts";
import type { TrainingRow } from "./softmax-trainer.ts";
import { isHeldOut, readLanguageRows, readPolarityRows } from "./sources.ts";

export type ScriptConfig = { script: SharedScript; languages: string[]; bucketCount: number };

// Languages that no store uses are one class together, `und`, so that they are not taken for a language that
// resembles them. Hindi is written in Latin letters as often as in its own.
export const scriptConfigs: readonly ScriptConfig[] = [
  {
    script: "latin",
    languages: `af az ca cs cy da de en es et eu fi fr ga hr hu id is it lt lv ms nl no pl pt ro sk
      sl so sq sv sw tl tr vi yo zu hi ${undetermined}`.split(/\s+/),
    bucketCount: 2 ** 15,
  },
  { script: "cyrillic", languages: "be bg kk mk mn ru sr uk".split(" "), bucketCount: 2 ** 14 },
  { script: "arabic", languages: "ar fa ur".split(" "), bucketCount: 2 ** 13 },
  { script: "devanagari", languages: "hi mr".split(" "), bucketCount: 2 ** 12 },
];

export type LanguageText = { language: string; text: string; weight: number };

const rowsPerLanguageMax = 7_000;

export function listLanguageRows(
  config: ScriptConfig,
  texts: readonly LanguageText[],
): TrainingRow[] {
  const counts = new Map<string, number>();
  const classes = [...config.languages.keys()];
  return texts.flatMap(({ language, text, weight }) => {
    const target = config.languages.indexOf(language);
    const count = (counts.get(language) ?? 0) + 1;
    if (target < 0 || count > rowsPerLanguageMax || !isWrittenIn(config.script, text)) return [];
    counts.set(language, count);
    const buckets = languageBuckets(text, config.bucketCount);
    return buckets.length === 0 ? [] : [{ buckets, target, classes, weight, biasGroup: 0 }];
  });
}

export function listLanguageTexts(): LanguageText[] {
  const texts = [
    ...readLanguageRows().flatMap(linguaText),
    ...readPolarityRows().flatMap(informalText),
    ...markerTexts(),
  ];
  return texts.sort((a, b) => textHash(a.text) - textHash(b.text));
}

// Serbian, for one, has rows in Latin letters too, which only teach the other alphabet's model noise.
function isWrittenIn(script: SharedScript, text: string): boolean {
  const detected = detectScript(normalizeText(text), null);
  return detected.kind === "shared" && detected.script === script;
}

function languageBuckets(text: string, placeCount: number): Uint32Array {
  const normalized = normalizeText(text);
  const tokens = tokenize(normalized);
  // Each once, as the analysis reads them.
  return Uint32Array.from(
    new Set(extractLanguageFeatures(normalized, { tokens, mask: placeCount - 1 })),
  );
}

// Norwegian has one code, and so have languages that their letters can't distinguish.
const mergedCodes = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["bs", "hr"],
]);
const singleWordWeight = 0.5;

function linguaText({ lang = "", kind, text }: DataRow): LanguageText[] {
  const weight = kind === "lid_single_words" ? singleWordWeight : 1;
  if (!unknownLanguages.training.includes(lang)) {
    return [{ language: mergedCodes.get(lang) ?? lang, text, weight }];
  }
  // Words of a language that is not known resemble words of all others; only sentences decide.
  return kind === "lid_sentences" ? [{ language: undetermined, text, weight }] : [];
}

/** Languages of the data that the detector does not know: some teach it `und`, the others measure it. */
export const unknownLanguages: Readonly<Record<"training" | "evaluation", readonly string[]>> = {
  training: ["tn", "st", "lg", "om", "la", "sn"],
  evaluation: ["ts", "mi", "eo", "xh"],
};

const informalLanguages = new Set("en fr ru id es pt it de ar hi".split(" "));

function informalText(row: DataRow): LanguageText[] {
  if (row.lang === undefined || !informalLanguages.has(row.lang) || isHeldOut(row)) return [];
  if (row.lang === "hi" && !isRomanHindi(row.text)) return [];
  return [{ language: row.lang, text: row.text, weight: 1 }];
}

const hindiWords = new Set(splitWords(languageMarkers["hi"] ?? ""));
const hindiWordsMin = 2;

// Half of the posts that their source calls Hindi are English.
function isRomanHindi(text: string): boolean {
  const words = normalizeText(text).split(/[^\p{L}]+/u);
  return words.filter((word) => hindiWords.has(word)).length >= hindiWordsMin;
}

const sentimentWordWeight = 0.5;
const fullWeightMax = 300;
// Its letters identify it. Written without accents, its words look like many short words of others.
const withoutWords = new Set(["vi"]);

function markerTexts(): LanguageText[] {
  const markers = Object.entries(languageMarkers).flatMap(([language, words]) =>
    splitWords(words).map((word) => ({ language, text: toPlainText(word), weight: 1 })),
  );
  const taught = Object.entries(readSentimentWords()).filter(
    ([language]) => !withoutWords.has(language),
  );
  const sentimentWords = taught.flatMap(([language, words]) => {
    const phrases = Object.values(words).flat();
    // A long list counts no more than a short one, or its language would take the short words of others.
    const weight = sentimentWordWeight * Math.min(1, fullWeightMax / phrases.length);
    return phrases.map((phrase) => ({ language, text: toPlainText(phrase), weight }));
  });
  return [...markers, ...sentimentWords];
}

function splitWords(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}
