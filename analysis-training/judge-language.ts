// Measures language identification against the npm packages on the same rows, by length.
import { tellLanguage } from "../src/analysis/language-detector.ts";
import { normalForm } from "../src/analysis/normalized-text.ts";
import { tokenise } from "../src/analysis/tokens.ts";
import { percent, shareOf, tableOf } from "./figures.ts";
import { type JudgedSet, languageSets } from "./judged-rows.ts";
import { type LanguageTeller, languageRivals } from "./rivals.ts";

const tellers: readonly (readonly [string, LanguageTeller])[] = [
  ["this engine", tellOwn],
  ...Object.entries(languageRivals),
];
const lengths = [
  { name: "< 15", least: 1, below: 15 },
  { name: "15–40", least: 15, below: 40 },
  { name: "40–100", least: 40, below: 100 },
  { name: "> 100", least: 100, below: Number.POSITIVE_INFINITY },
  { name: "15 and more", least: 15, below: Number.POSITIVE_INFINITY },
] as const;

type Row = { language: string; text: string };

/** Every source by itself, for texts of 15 characters and more. */
export function languageTable(): string {
  const sets = languageSets();
  const lines = sets.map(({ language, source, rows }) => {
    const long = rowsOf(language, rows).filter(({ text }) => text.length >= 15);
    return [language, source, String(long.length), ...rightShares(long)];
  });
  return tableOf(["language", "source", "n", ...tellers.map(([name]) => name)], lines);
}

/** App reviews of all languages, each language as heavy as any other. */
export function lengthTable(): string {
  const reviews = languageSets().filter(isOfApps);
  const lines = lengths.map(({ name, least, below }) => {
    const groups = languagesOf(reviews).map((language) =>
      reviews
        .filter((set) => set.language === language)
        .flatMap((set) => rowsOf(language, set.rows))
        .filter(({ text }) => text.length >= least && text.length < below),
    );
    const filled = groups.filter((rows) => rows.length > 0);
    const count = filled.reduce((sum, rows) => sum + rows.length, 0);
    const means = tellers.map(
      ([, tell]) =>
        filled.reduce((sum, rows) => sum + shareOf(rows, isRight(tell)), 0) / filled.length,
    );
    return [name, String(count), ...means.map(percent)];
  });
  return tableOf(["characters", "n", ...tellers.map(([name]) => name)], lines);
}

function rightShares(rows: readonly Row[]): string[] {
  return tellers.map(([, tell]) => percent(shareOf(rows, isRight(tell))));
}

function isRight(tell: LanguageTeller): (row: Row) => boolean {
  return ({ language, text }) => tell(text) === language;
}

function isOfApps({ source, rows }: JudgedSet): boolean {
  return rows[0]?.kind === "app_review" && source !== "umsab";
}

function languagesOf(sets: readonly JudgedSet[]): string[] {
  return [...new Set(sets.map(({ language }) => language))];
}

// A text without two letters in a row has no language to tell.
const spoken = /\p{L}{2}/u;

function rowsOf(language: string, rows: JudgedSet["rows"]): Row[] {
  return rows.filter(({ text }) => spoken.test(text)).map(({ text }) => ({ language, text }));
}

function tellOwn(text: string): string {
  const form = normalForm(text);
  return tellLanguage({ text: form, tokens: tokenise(form) }, null);
}
