// Measures sentiment against the npm packages on the same rows: by stars and by people's labels.
import { analyseReview } from "../src/analysis/analyze.ts";
import type { DataRow } from "./data-rows.ts";
import {
  areaUnderCurve,
  macroF1,
  percent,
  type Scored,
  shareOf,
  tableOf,
  thousandths,
} from "./figures.ts";
import { humanSets, type JudgedSet, starSets } from "./judged-rows.ts";
import { sentimentRivals } from "./rivals.ts";

// Text alone: the engine takes a rating of 0 as none.
const noRating = 0;
const rivals = Object.entries(sentimentRivals);

/** How well the text alone tells reviews of 4 and 5 stars from those of 1 and 2. */
export function starTable(): string {
  const sets = starSets();
  const head = ["language", "source", "n", "this engine", ...rivals.map(([name]) => name)];
  const lines = byLanguage(sets).flatMap(({ language, sets: ofLanguage }) => {
    const all = ofLanguage.flatMap(({ rows }) => rows);
    const each = ofLanguage.length > 1 ? ofLanguage : [];
    return [
      curveLine(["**".concat(language, "**"), "all"], all),
      ...each.map(({ source, rows }) => curveLine(["", source], rows)),
    ];
  });
  return tableOf(head, lines);
}

function curveLine(names: string[], rows: readonly DataRow[]): string[] {
  const told = (score: (row: DataRow) => number) =>
    thousandths(
      areaUnderCurve(rows.map((row): Scored => ({ score: score(row), isPositive: isGood(row) }))),
    );
  return [
    ...names,
    String(rows.length),
    told((row) => scoreOf(row, noRating).score),
    ...rivals.map(([, rival]) => told((row) => rival(textOf(row)))),
  ];
}

function isGood({ sentiment_gold, rating }: DataRow): boolean {
  return sentiment_gold ? sentiment_gold === "positive" : (rating ?? 0) > 3;
}

/** Against people's labels: the polar ones, all three, and the sign with the help of stars. */
export function humanTable(): string {
  const head = [
    "language",
    "source",
    "n",
    "AUC",
    ...rivals.map(([name]) => name),
    "macro-F1",
    "sign, text",
    "sign, stars",
    "sign, both",
  ];
  return tableOf(head, humanSets().map(humanLine));
}

function humanLine({ language, source, rows }: JudgedSet): string[] {
  const polar = rows.filter(
    ({ sentiment_gold: label }) => label === "positive" || label === "negative",
  );
  const starred = polar.filter(({ rating }) => rating);
  const signs = (told: (row: DataRow) => number): string =>
    percent(shareOf(polar, (row) => Math.sign(told(row)) === (isGood(row) ? 1 : -1)));
  return [
    ...curveLine([language, source], polar),
    thousandths(
      macroF1(
        rows.map((row) => ({
          truth: row.sentiment_gold ?? "",
          told: scoreOf(row, noRating).label,
        })),
      ),
    ),
    signs((row) => scoreOf(row, noRating).score),
    starred.length < polar.length ? "" : signs((row) => (row.rating ?? 0) - 3),
    starred.length < polar.length ? "" : signs((row) => scoreOf(row, row.rating ?? 0).score),
  ];
}

function scoreOf(row: DataRow, rating: number): { score: number; label: string } {
  const { title = null, text } = row;
  const { sentiment } = analyseReview({ title, text, rating, languageHint: null });
  return sentiment ?? { score: 0, label: "neutral" };
}

function textOf({ title, text }: DataRow): string {
  return title ? `${title}. ${text}` : text;
}

function byLanguage(sets: readonly JudgedSet[]): { language: string; sets: JudgedSet[] }[] {
  const languages = [...new Set(sets.map(({ language }) => language))];
  return languages.map((language) => ({
    language,
    sets: sets.filter((set) => set.language === language),
  }));
}
