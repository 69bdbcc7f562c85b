// Measures sentiment against npm packages on the same rows: by stars and by human labels.
import { analyzeReview } from "../src/analysis/analyze.ts";
import { sentimentBaselines } from "./baselines.ts";
import type { DataRow } from "./data-rows.ts";
import { type EvaluationSet, humanLabelSets, starSets } from "./eval-rows.ts";
import {
  areaUnderCurve,
  formatPercent,
  formatTable,
  formatThousandths,
  macroF1,
  type Scored,
  shareOf,
} from "./figures.ts";

// The analysis treats a rating of 0 as absent, so the text alone counts.
const noRating = 0;
const baselines = Object.entries(sentimentBaselines);

/** AUC of the text alone: reviews of 4 and 5 stars against those of 1 and 2. */
export function starTable(): string {
  const sets = starSets();
  const head = ["language", "source", "n", "this engine", ...baselines.map(([name]) => name)];
  const lines = byLanguage(sets).flatMap(({ language, sets: ofLanguage }) => {
    const all = ofLanguage.flatMap(({ rows }) => rows);
    const sources = ofLanguage.length > 1 ? ofLanguage : [];
    return [
      aucLine(["**".concat(language, "**"), "all"], all),
      ...sources.map(({ source, rows }) => aucLine(["", source], rows)),
    ];
  });
  return formatTable(head, lines);
}

function aucLine(names: string[], rows: readonly DataRow[]): string[] {
  const formatAuc = (score: (row: DataRow) => number) =>
    formatThousandths(
      areaUnderCurve(
        rows.map((row): Scored => ({ score: score(row), isPositive: isPositiveRow(row) })),
      ),
    );
  return [
    ...names,
    String(rows.length),
    formatAuc((row) => scoreOf(row, noRating).score),
    ...baselines.map(([, scoreText]) => formatAuc((row) => scoreText(textOf(row)))),
  ];
}

function isPositiveRow({ sentiment_gold, rating }: DataRow): boolean {
  return sentiment_gold ? sentiment_gold === "positive" : (rating ?? 0) > 3;
}

/** Against human labels: AUC of the polar ones, macro-F1 of all three, and the sign of the score. */
export function humanLabelTable(): string {
  const head = [
    "language",
    "source",
    "n",
    "AUC",
    ...baselines.map(([name]) => name),
    "macro-F1",
    "sign, text",
    "balanced",
    "sign, stars",
    "sign, both",
  ];
  return formatTable(head, humanLabelSets().map(humanLabelLine));
}

function humanLabelLine({ language, source, rows }: EvaluationSet): string[] {
  const polar = rows.filter(
    ({ sentiment_gold: label }) => label === "positive" || label === "negative",
  );
  const starred = polar.filter(({ rating }) => rating);
  const signAccuracy = (scoreRow: (row: DataRow) => number): string =>
    formatPercent(
      shareOf(polar, (row) => Math.sign(scoreRow(row)) === (isPositiveRow(row) ? 1 : -1)),
    );
  return [
    ...aucLine([language, source], polar),
    formatThousandths(
      macroF1(
        rows.map((row) => ({
          truth: row.sentiment_gold ?? "",
          predicted: scoreOf(row, noRating).label,
        })),
      ),
    ),
    signAccuracy((row) => scoreOf(row, noRating).score),
    formatPercent(balancedAccuracy(polar)),
    starred.length < polar.length ? "" : signAccuracy((row) => (row.rating ?? 0) - 3),
    starred.length < polar.length ? "" : signAccuracy((row) => scoreOf(row, row.rating ?? 0).score),
  ];
}

/** Measures of the sign of the score: the mean over positive and negative rows. */
function balancedAccuracy(polar: readonly DataRow[]): number {
  const isRight = (row: DataRow) =>
    Math.sign(scoreOf(row, noRating).score) === (isPositiveRow(row) ? 1 : -1);
  const positive = polar.filter(isPositiveRow);
  const negative = polar.filter((row) => !isPositiveRow(row));
  return (shareOf(positive, isRight) + shareOf(negative, isRight)) / 2;
}

/** `mixed` where people found both, and how many of the others are called mixed; with stars where there are any. */
export function mixedTable(): string {
  const lines = humanLabelSets().map(({ language, source, rows }) => {
    const isTrue = rows.map((row) => row.sentiment_gold === "mixed");
    const isFound = rows.map((row) => scoreOf(row, row.rating ?? noRating).label === "mixed");
    const both = isTrue.filter((truth, at) => truth && isFound[at]).length;
    const [trueCount, foundCount] = [isTrue, isFound].map((list) => list.filter(Boolean).length);
    const share = (part: number, whole: number) => (whole === 0 ? "" : formatPercent(part / whole));
    return [
      language,
      source,
      String(rows.length),
      String(trueCount ?? 0),
      share(both, foundCount ?? 0),
      share(both, trueCount ?? 0),
      trueCount === 0 ? "" : share(2 * both, (trueCount ?? 0) + (foundCount ?? 0)),
      share((foundCount ?? 0) - both, rows.length - (trueCount ?? 0)),
    ];
  });
  const head = ["language", "source", "n", "mixed", "P", "R", "F1", "false, %"];
  return formatTable(head, lines);
}

function scoreOf(row: DataRow, rating: number): { score: number; label: string } {
  const { title = null, text } = row;
  const { sentiment } = analyzeReview({ title, text, rating, languageHint: null });
  return sentiment ?? { score: 0, label: "neutral" };
}

function textOf({ title, text }: DataRow): string {
  return title ? `${title}. ${text}` : text;
}

function byLanguage(sets: readonly EvaluationSet[]): { language: string; sets: EvaluationSet[] }[] {
  const languages = [...new Set(sets.map(({ language }) => language))];
  return languages.map((language) => ({
    language,
    sets: sets.filter((set) => set.language === language),
  }));
}
