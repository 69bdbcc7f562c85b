// Measures topics and sentiment against our own gold, per language and per topic, with 95 % intervals; and how well
// two passes of labelling agree.
import { analyzeReview } from "../src/analysis/analyze.ts";
import { type Topic, topicNames } from "../src/domain/review/topics.ts";
import { groupBy } from "../src/lib/group-by.ts";
import { formatPercent, formatTable, shareOf } from "./figures.ts";
import {
  type GoldLabels,
  type GoldRow,
  readDecidingGold,
  readDevelopmentGold,
  readGold,
  readOtherReviews,
  writtenOrigin,
} from "./gold-rows.ts";
import { createRandom } from "./random.ts";

/** Topics, then sentiment, of the rows that decide. */
export function decidingTables(): string {
  return goldTables(readDecidingGold());
}

export function developmentTables(): string {
  return goldTables(readDevelopmentGold());
}

/** How often a topic that was found is right, and how often it was found: real reviews first, then written ones. */
export function precisionTable(): string {
  const lines = splitRows(readDecidingGold().map(judge)).map(({ name, judged }) => [
    name,
    ...topicNames.map((topic) => precisionOf(judged, topic)),
  ]);
  return formatTable(["rows", ...topicNames], lines);
}

/** By language, real reviews before written ones. */
function splitRows(judged: readonly Judged[]): { name: string; judged: Judged[] }[] {
  const kinds = { real: judged.filter(isReal), written: judged.filter((one) => !isReal(one)) };
  return Object.entries(kinds).flatMap(([kind, rows]) =>
    [...groupBy(rows, ({ row }) => row.language)]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([language, own]) => ({ name: `${language}, ${kind}`, judged: own })),
  );
}

function isReal({ row }: Judged): boolean {
  return row.origin !== writtenOrigin;
}

function precisionOf(judged: readonly Judged[], topic: Topic): string {
  const found = judged.filter(({ topics }) => has(topics, topic));
  if (found.length === 0) return "";
  const right = found.filter(({ row }) => has(row.topics, topic)).length;
  return `${Math.round((100 * right) / found.length)} (${found.length})`;
}

type Judged = { row: GoldRow; topics: string[]; fromText: string; withStars: string };
/** Of one topic or label in a set of rows. */
type Counts = { right: number; found: number; labelled: number };

const labels = ["positive", "negative", "neutral", "mixed"] as const;

function goldTables(rows: readonly GoldRow[]): string {
  const judged = rows.map(judge);
  const sets = [
    ...splitRows(judged),
    { name: "all real", judged: judged.filter(isReal) },
    { name: "all written", judged: judged.filter((one) => !isReal(one)) },
    { name: "all", judged },
  ];
  return [
    "Topics by language: all mentions of all topics.",
    prfTable(
      "rows",
      sets.map((set) => topicLine(set.name, set.judged, topicNames)),
    ),
    "Topics, in all languages.",
    prfTable("topic", [
      ...topicNames.map((topic) => topicLine(topic, judged, [topic])),
      macroLine(judged),
    ]),
    "Sentiment by its four labels, in all languages.",
    prfTable("label, from", [
      ...labels.flatMap((label) => [
        labelLine(`${label}, text`, judged, { label, of: "fromText" }),
        labelLine(`${label}, text and stars`, judged, { label, of: "withStars" }),
      ]),
    ]),
    "Sentiment by language: macro-F1 of the four labels, how many of the positive and negative rows have the opposite label, and the\nshare of negative rows without any topic.",
    formatTable(
      [
        "rows",
        "n",
        "from text",
        "with stars",
        "clear",
        "reversed from text, %",
        "with stars, %",
        "complaints",
        "without a topic, %",
      ],
      sets.map((set) => sentimentLine(set.name, set.judged)),
    ),
  ].join("\n\n");
}

function judge(row: GoldRow): Judged {
  const input = { title: null, text: row.text, languageHint: null };
  const bare = analyzeReview({ ...input, rating: 0 });
  const starred = analyzeReview({ ...input, rating: row.stars ?? 0 });
  return {
    row,
    topics: bare.topics,
    fromText: bare.sentiment?.label ?? "neutral",
    withStars: starred.sentiment?.label ?? "neutral",
  };
}

function topicLine(name: string, judged: readonly Judged[], topics: readonly string[]): Line {
  const perRow = judged.map(({ row, topics: found }) => ({
    right: topics.filter((topic) => has(row.topics, topic) && has(found, topic)).length,
    found: topics.filter((topic) => has(found, topic)).length,
    labelled: topics.filter((topic) => has(row.topics, topic)).length,
  }));
  return { name, rowCount: judged.length, perRow };
}

function labelLine(
  name: string,
  judged: readonly Judged[],
  { label, of }: { label: string; of: "fromText" | "withStars" },
): Line {
  const perRow = judged.map((one) => ({
    right: Number(one.row.sentiment === label && one[of] === label),
    found: Number(one[of] === label),
    labelled: Number(one.row.sentiment === label),
  }));
  return { name, rowCount: judged.length, perRow };
}

/** The mean F1 over topics. */
function macroLine(judged: readonly Judged[]): string[] {
  const scores = topicNames.map((topic) => fOne(sumUp(topicLine(topic, judged, [topic]).perRow)));
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return ["mean", String(judged.length), "", "", "", "", "", formatPercent(mean), ""];
}

function sentimentLine(language: string, judged: readonly Judged[]): string[] {
  const complaints = judged.filter(({ row }) => row.sentiment === "negative" && row.topics.length);
  const bare = complaints.filter(({ topics }) => topics.length === 0).length;
  const macro = (of: "fromText" | "withStars"): string => {
    const scores = labels.map((label) => fOne(sumUp(labelLine("", judged, { label, of }).perRow)));
    return formatPercent(scores.reduce((sum, score) => sum + score, 0) / labels.length);
  };
  const clear = judged.filter(({ row }) => isClear(row.sentiment));
  const reversed = (of: "fromText" | "withStars"): string =>
    formatPercent(shareOf(clear, (one) => isClear(one[of]) && one[of] !== one.row.sentiment));
  return [
    language,
    String(judged.length),
    macro("fromText"),
    macro("withStars"),
    String(clear.length),
    reversed("fromText"),
    reversed("withStars"),
    String(complaints.length),
    formatPercent(bare / Math.max(1, complaints.length)),
  ];
}

function isClear(label: string): boolean {
  return label === "positive" || label === "negative";
}

type Line = { name: string; rowCount: number; perRow: readonly Counts[] };

function prfTable(name: string, lines: readonly (Line | string[])[]): string {
  const head = [name, "rows", "with it", "P", "95 %", "R", "95 %", "F1", "95 %"];
  return formatTable(
    head,
    lines.map((line) => ("perRow" in line ? formatLine(line) : line)),
  );
}

function formatLine({ name, rowCount, perRow }: Line): string[] {
  const sums = sumUp(perRow);
  const { right, found, labelled } = sums;
  return [
    name,
    String(rowCount),
    String(labelled),
    share(right, found),
    wilson(right, found),
    share(right, labelled),
    wilson(right, labelled),
    formatPercent(fOne(sums)),
    bootstrap(perRow),
  ];
}

function sumUp(perRow: readonly Counts[]): Counts {
  const sums = { right: 0, found: 0, labelled: 0 };
  for (const { right, found, labelled } of perRow) {
    sums.right += right;
    sums.found += found;
    sums.labelled += labelled;
  }
  return sums;
}

function fOne({ right, found, labelled }: Counts): number {
  return (2 * right) / Math.max(1, found + labelled);
}

function has(list: readonly string[], name: string): boolean {
  return list.includes(name);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "" : formatPercent(part / whole);
}

const normalQuantile = 1.96;

/** Wilson's score interval. */
function wilson(part: number, whole: number): string {
  if (whole === 0) return "";
  const square = normalQuantile ** 2 / whole;
  const middle = (part / whole + square / 2) / (1 + square);
  const spread = Math.sqrt((part / whole) * (1 - part / whole) * square + (square / 2) ** 2);
  return formatRange(middle - spread / (1 + square), middle + spread / (1 + square));
}

const resampleCount = 200;
const resampleSeed = 11;

/** The middle 95 % of F1 over rows drawn with replacement. */
function bootstrap(perRow: readonly Counts[]): string {
  const random = createRandom(resampleSeed);
  const scores = Array.from({ length: resampleCount }, () =>
    fOne(sumUp(perRow.map((_, __, all) => all[Math.floor(random() * all.length)] ?? noCounts))),
  ).sort((a, b) => a - b);
  const at = (part: number) => scores[Math.round(part * (resampleCount - 1))] ?? 0;
  return formatRange(at(0.025), at(0.975));
}

const noCounts: Counts = { right: 0, found: 0, labelled: 0 };

function formatRange(from: number, to: number): string {
  return `${formatPercent(Math.max(0, from))}–${formatPercent(Math.min(1, to))}`;
}

/** Cohen's kappa of two annotators who did not see each other's labels, and of writers with themselves. */
export function agreementTables(): { independent: string; sameWriter: string } {
  const rows = [...readGold(), ...readOtherReviews()].flatMap(({ second, first, ...own }) =>
    second ? [{ first: first ?? own, second, isIndependent: first !== undefined }] : [],
  );
  return {
    independent: agreementTable(rows.filter(({ isIndependent }) => isIndependent)),
    sameWriter: agreementTable(rows.filter(({ isIndependent }) => !isIndependent)),
  };
}

function agreementTable(rows: readonly { first: GoldLabels; second: GoldLabels }[]): string {
  const line = (name: string, pairs: readonly (readonly [string, string])[]) => [
    name,
    String(pairs.length),
    formatPercent(pairs.filter(([one, other]) => one === other).length / pairs.length),
    kappa(pairs).toFixed(2),
  ];
  const topicPairs = (topic: Topic) =>
    rows.map(
      ({ first, second }) =>
        [String(has(first.topics, topic)), String(has(second.topics, topic))] as const,
    );
  const sentiments = rows.map(({ first, second }) => [first.sentiment, second.sentiment] as const);
  return formatTable(
    ["label", "rows", "agree, %", "kappa"],
    [
      ...topicNames.map((topic) => line(topic, topicPairs(topic))),
      line("all topics", topicNames.flatMap(topicPairs)),
      line("sentiment", sentiments),
    ],
  );
}

function kappa(pairs: readonly (readonly [string, string])[]): number {
  const names = [...new Set(pairs.flat())];
  const shareOf = (isOne: (pair: readonly [string, string]) => boolean): number =>
    pairs.filter(isOne).length / pairs.length;
  const observed = shareOf(([one, other]) => one === other);
  const expected = names.reduce(
    (sum, name) => sum + shareOf(([one]) => one === name) * shareOf(([, other]) => other === name),
    0,
  );
  return expected === 1 ? 1 : (observed - expected) / (1 - expected);
}
