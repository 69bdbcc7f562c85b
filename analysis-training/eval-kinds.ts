// Measures kinds of short reviews that word lists alone misread: `gold/kinds.txt`. One half of the first ones was open while
// the lists and rules were mended. The other half (every second one of a kind, in all languages alike, because the same idea is
// often in several) was meant to stay closed, but its table was printed meanwhile. The later ones were written after the first
// change of the lists, the last ones after the last.
import fs from "node:fs";
import { analyzeReview } from "../src/analysis/analyze.ts";
import type { Analysis } from "../src/domain/review/analysis.ts";
import { formatTable } from "./figures.ts";
import { goldFile } from "./gold-rows.ts";

type Kind = { rating: number; isRight(analysis: Analysis, language: string): boolean };

const faults = ["bug", "crash"];
const has = ({ topics }: Analysis, names: readonly string[]): boolean =>
  topics.some((topic) => names.includes(topic));
const labelOf = ({ sentiment }: Analysis) => sentiment?.label ?? "neutral";

/** With the stars that its texts have; 0 for none. */
const kinds: Readonly<Record<string, Kind>> = {
  blame: { rating: 5, isRight: (found) => labelOf(found) !== "positive" },
  liked: { rating: 5, isRight: (found) => labelOf(found) === "positive" },
  wish: { rating: 4, isRight: (found) => has(found, ["feature_request"]) },
  exists: { rating: 5, isRight: (found) => !has(found, ["feature_request"]) },
  stops: { rating: 1, isRight: (found) => has(found, faults) },
  halts: { rating: 5, isRight: (found) => !has(found, faults) },
  clean: {
    rating: 5,
    isRight: (found) => !has(found, ["bug", "feature_request"]) && labelOf(found) === "positive",
  },
  least: { rating: 1, isRight: (found) => !has(found, ["praise"]) },
  most: { rating: 5, isRight: (found) => has(found, ["praise"]) },
  short: {
    rating: 0,
    isRight: (found, language) => found.language === language || found.language === "und",
  },
};

const parts = ["open", "closed", "later", "last", "new", "sealed"] as const;
/** By the marks behind the kind; without any, a row is open or closed. */
const marked = { "+": "later", "++": "last", "+++": "new", "++++": "sealed" } as const;
type Part = (typeof parts)[number];

export type KindRow = { language: string; kind: string; text: string; part: Part };

export function readKindRows(): KindRow[] {
  const counts = new Map<string, number>();
  let language = "";
  return fs
    .readFileSync(goldFile("kinds.txt"), "utf8")
    .split("\n")
    .flatMap((line): KindRow[] => {
      language = /^\[(\w+)\]$/.exec(line)?.[1] ?? language;
      const [, kind, marks, text] = /^(\w+)(\+{0,4}): (.+)$/.exec(line) ?? [];
      if (kind === undefined || text === undefined) return [];
      const part = marked[marks as keyof typeof marked];
      if (part !== undefined) return [{ language, kind, text, part }];
      const count = (counts.get(`${language} ${kind}`) ?? 0) + 1;
      counts.set(`${language} ${kind}`, count);
      return [{ language, kind, text, part: count % 2 === 0 ? "closed" : "open" }];
    });
}

export function isKindRight({ kind, text, language }: KindRow): boolean {
  const { rating, isRight } = kinds[kind] ?? { rating: 0, isRight: () => false };
  return isRight(analyzeReview({ title: null, text, rating, languageHint: null }), language);
}

export function kindTable(): string {
  const judged = readKindRows().map((row) => ({ ...row, isRight: isKindRight(row) }));
  const line = (name: string, rows: typeof judged): string[] => [
    name,
    ...parts.map((part) => {
      const own = rows.filter((row) => row.part === part);
      return `${own.filter(({ isRight }) => isRight).length} of ${own.length}`;
    }),
  ];
  const languages = [...new Set(judged.map(({ language }) => language))];
  return formatTable(
    ["kind or language", ...parts],
    [
      ...Object.keys(kinds).map((kind) =>
        line(
          kind,
          judged.filter((row) => row.kind === kind),
        ),
      ),
      ...languages.map((one) =>
        line(
          one,
          judged.filter(({ language }) => language === one),
        ),
      ),
      line("all", judged),
    ],
  );
}
