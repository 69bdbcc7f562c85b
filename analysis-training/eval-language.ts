// Measures language detection against npm packages on the same rows, by length and by source.
import { detectLanguage } from "../src/analysis/language-detector.ts";
import { normalizeText } from "../src/analysis/normalized-text.ts";
import { tokenize } from "../src/analysis/tokens.ts";
import { undetermined } from "../src/domain/review/analysis.ts";
import { type LanguageDetector, languageBaselines } from "./baselines.ts";
import { type EvaluationSet, languageSets } from "./eval-rows.ts";
import { formatPercent, formatTable, shareOf } from "./figures.ts";
import { unknownLanguages } from "./language-rows.ts";
import { readLanguageRows } from "./sources.ts";

const detectors: readonly (readonly [string, LanguageDetector])[] = [
  ["this engine", detectOwn],
  ...Object.entries(languageBaselines),
];
const lengths = [
  { name: "< 15", min: 1, below: 15 },
  { name: "15–40", min: 15, below: 40 },
  { name: "40–100", min: 40, below: 100 },
  { name: "> 100", min: 100, below: Number.POSITIVE_INFINITY },
  { name: "15 and more", min: 15, below: Number.POSITIVE_INFINITY },
] as const;

type Row = { language: string; text: string };

/** One line per source, for texts of 15 characters and more. */
export function languageTable(): string {
  const sets = languageSets();
  const lines = sets.map(({ language, source, rows }) => {
    const longRows = rowsOf(language, rows).filter(({ text }) => text.length >= 15);
    return [language, source, String(longRows.length), ...correctShares(longRows)];
  });
  return formatTable(["language", "source", "n", ...detectors.map(([name]) => name)], lines);
}

/** One line per range of lengths: app reviews, averaged over languages. */
export function lengthTable(): string {
  const reviews = languageSets().filter(isAppReviews);
  const lines = lengths.map(({ name, min, below }) => {
    const groups = languagesOf(reviews).map((language) =>
      reviews
        .filter((set) => set.language === language)
        .flatMap((set) => rowsOf(language, set.rows))
        .filter(({ text }) => text.length >= min && text.length < below),
    );
    const nonEmpty = groups.filter((rows) => rows.length > 0);
    const count = nonEmpty.reduce((sum, rows) => sum + rows.length, 0);
    const means = detectors.map(
      ([, detect]) =>
        nonEmpty.reduce((sum, rows) => sum + shareOf(rows, isCorrect(detect)), 0) / nonEmpty.length,
    );
    return [name, String(count), ...means.map(formatPercent)];
  });
  return formatTable(["characters", "n", ...detectors.map(([name]) => name)], lines);
}

/** Sentences in languages that no part of the training knows: `und` is the right answer. */
export function unknownLanguageTable(): string {
  const lines = unknownLanguages.evaluation.map((language) => {
    const rows = readLanguageRows().filter(
      (row) => row.lang === language && row.kind === "lid_sentences",
    );
    const share = shareOf(rows, ({ text }) => detectOwn(text) === undetermined);
    return [language, String(rows.length), formatPercent(share)];
  });
  return formatTable(["language", "n", "und, %"], lines);
}

function correctShares(rows: readonly Row[]): string[] {
  return detectors.map(([, detect]) => formatPercent(shareOf(rows, isCorrect(detect))));
}

function isCorrect(detect: LanguageDetector): (row: Row) => boolean {
  return ({ language, text }) => detect(text) === language;
}

function isAppReviews({ source, rows }: EvaluationSet): boolean {
  return rows[0]?.kind === "app_review" && source !== "umsab";
}

function languagesOf(sets: readonly EvaluationSet[]): string[] {
  return [...new Set(sets.map(({ language }) => language))];
}

// A text without two letters in a row has no language.
const hasWord = /\p{L}{2}/u;

function rowsOf(language: string, rows: EvaluationSet["rows"]): Row[] {
  return rows.filter(({ text }) => hasWord.test(text)).map(({ text }) => ({ language, text }));
}

function detectOwn(text: string): string {
  const normalized = normalizeText(text);
  return detectLanguage({ text: normalized, tokens: tokenize(normalized) }, null);
}
