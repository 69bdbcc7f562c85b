// What telling languages is trained on: sentences, word pairs and words of many languages, reviews and
// posts as people write them, and the words that give a language away.

import { languageUnitsMax, listLanguageFeatures } from "../src/analysis/language-features.ts";
import type { SharedScript } from "../src/analysis/ngram-classifier.ts";
import { normalForm } from "../src/analysis/normalized-text.ts";
import { phrasesOf } from "../src/analysis/phrase-finder.ts";
import { lexicons } from "../src/analysis/sentiment-lexicon.ts";
import { tokenise } from "../src/analysis/tokens.ts";
import type { DataRow } from "./data-rows.ts";
import { languageSigns } from "./language-words.ts";
import { spell } from "./sentiment-rows.ts";
import type { TrainingRow } from "./softmax-trainer.ts";
import { isHeldOut, placeOf, readLanguageRows, readOpinionRows } from "./sources.ts";

export type ScriptPlan = { script: SharedScript; languages: string[]; placeCount: number };

// Languages that no store speaks, such as Latin or Esperanto, would only take from the others.
export const scriptPlans: readonly ScriptPlan[] = [
  {
    script: "latin",
    languages: `af az ca cs cy da de en es et eu fi fr ga hr hu id is it lt lv ms nl no pl pt ro sk
      sl so sq sv sw tl tr vi yo zu`.split(/\s+/),
    placeCount: 2 ** 16,
  },
  { script: "cyrillic", languages: "be bg kk mk mn ru sr uk".split(" "), placeCount: 2 ** 14 },
  { script: "arabic", languages: "ar fa ur".split(" "), placeCount: 2 ** 13 },
  { script: "devanagari", languages: "hi mr".split(" "), placeCount: 2 ** 12 },
];

export type LanguageText = { language: string; text: string; weight: number };

const rowsPerLanguageMax = 7_000;

export function listLanguageRows(plan: ScriptPlan, texts: readonly LanguageText[]): TrainingRow[] {
  const counts = new Map<string, number>();
  const classes = [...plan.languages.keys()];
  return texts.flatMap(({ language, text, weight }) => {
    const target = plan.languages.indexOf(language);
    const count = (counts.get(language) ?? 0) + 1;
    if (target < 0 || count > rowsPerLanguageMax) return [];
    counts.set(language, count);
    const places = languagePlaces(text, plan.placeCount);
    return places.length === 0 ? [] : [{ places, target, classes, weight, biasGroup: 0 }];
  });
}

export function listLanguageTexts(): LanguageText[] {
  const texts = [
    ...readLanguageRows().map(linguaText),
    ...readOpinionRows().flatMap(informalText),
    ...signTexts(),
  ];
  return texts.sort((a, b) => placeOf(a.text) - placeOf(b.text));
}

function languagePlaces(text: string, placeCount: number): Uint32Array {
  const form = normalForm(text);
  const tokens = tokenise(form);
  return Uint32Array.from(
    new Set(
      listLanguageFeatures(form, { tokens, mask: placeCount - 1, unitsMax: languageUnitsMax }),
    ),
  );
}

// One code each for the written forms of Norwegian, and for what the letters can't part.
const oneCode = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["bs", "hr"],
]);
const singleWordWeight = 0.5;

function linguaText({ lang = "", kind, text }: DataRow): LanguageText {
  const weight = kind === "lid_single_words" ? singleWordWeight : 1;
  return { language: oneCode.get(lang) ?? lang, text, weight };
}

const informalLanguages = new Set("en fr ru id es pt it de ar hi".split(" "));

function informalText(row: DataRow): LanguageText[] {
  if (row.lang === undefined || !informalLanguages.has(row.lang) || isHeldOut(row)) return [];
  return [{ language: row.lang, text: row.text, weight: 1 }];
}

const opinionWordWeight = 0.5;

function signTexts(): LanguageText[] {
  const signs = Object.entries(languageSigns).flatMap(([language, words]) =>
    phrasesOf(words).map((word) => ({ language, text: spell(word), weight: 1 })),
  );
  const opinions = Object.entries(lexicons).flatMap(([language, words]) =>
    Object.values(words).flatMap((list) =>
      phrasesOf(list).map((phrase) => ({
        language,
        text: spell(phrase),
        weight: opinionWordWeight,
      })),
    ),
  );
  return [...signs, ...opinions];
}
