// Measures negation: pairs of sentences in `gold/negation.txt`, of which the second one negates the first. A pair is right
// where both have the sign that people give them, from the text alone.
import fs from "node:fs";
import { analyzeReview } from "../src/analysis/analyze.ts";
import { formatPercent, formatTable } from "./figures.ts";
import { goldFile } from "./gold-rows.ts";

export type NegationPair = {
  language: string;
  plain: string;
  negated: string;
  /** Whether the negated sentence is the positive one. */
  isPraise: boolean;
};

export function readNegationPairs(): NegationPair[] {
  const pairs: NegationPair[] = [];
  let language = "";
  for (const line of fs.readFileSync(goldFile("negation.txt"), "utf8").split("\n")) {
    language = /^\[(\w+)\]$/.exec(line)?.[1] ?? language;
    const [, sign, plain, negated] = /^([+-]) (.+) \| (.+)$/.exec(line) ?? [];
    if (plain && negated) pairs.push({ language, plain, negated, isPraise: sign === "+" });
  }
  return pairs;
}

export function negationTable(): string {
  const pairs = readNegationPairs();
  const languages = [...new Set(pairs.map(({ language }) => language))];
  const line = (name: string, among: readonly NegationPair[]): string[] => [
    name,
    String(among.length),
    formatPercent(among.filter(isNegatedRight).length / among.length),
    formatPercent(
      among.filter((pair) => isNegatedRight(pair) && isPlainRight(pair)).length / among.length,
    ),
  ];
  return formatTable(
    ["language", "pairs", "negated sentence right, %", "both right, %"],
    [
      ...languages.map((name) =>
        line(
          name,
          pairs.filter(({ language }) => language === name),
        ),
      ),
      line("all", pairs),
    ],
  );
}

export function isNegatedRight({ negated, isPraise, language }: NegationPair): boolean {
  return labelOf(negated, language) === (isPraise ? "positive" : "negative");
}

export function isPlainRight({ plain, isPraise, language }: NegationPair): boolean {
  return labelOf(plain, language) === (isPraise ? "negative" : "positive");
}

// The store names the language: many of these sentences are too short to tell it.
function labelOf(text: string, language: string): string | undefined {
  return analyzeReview({ title: null, text, rating: 0, languageHint: language }).sentiment?.label;
}
