// Measures topics against labels of people: as shipped and by the phrase lists alone. And how many complaints have no
// topic at all.
import { analyzeReview } from "../src/analysis/analyze.ts";
import { findListed } from "../src/analysis/lexicon.ts";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import type { Topic } from "../src/domain/review/topics.ts";
import type { DataRow } from "./data-rows.ts";
import { complaintSets } from "./eval-rows.ts";
import { formatPercent, formatTable, shareOf } from "./figures.ts";
import { isHeldOut } from "./sources.ts";
import { readTopicRows, readTopicRowsApart, topicLanguage, topicSources } from "./topic-rows.ts";

type LabelledSource = {
  source: string;
  language: string;
  /** Our topics that the source was labelled for, with the source's labels for each. */
  labels: readonly (readonly [Topic, readonly string[]])[];
};

const bug = ["bug", ["bug"]] as const;
const featureRequest = ["feature_request", ["feature_request"]] as const;
const performance = ["performance", ["performance"]] as const;
const ui = ["ui", ["ui"]] as const;

const sources: readonly LabelledSource[] = [
  { source: "mini_bar", language: "en", labels: [bug, featureRequest] },
  { source: "mini_bar", language: "fr", labels: [bug, featureRequest] },
  { source: "maalej_artc", language: "en", labels: [bug, featureRequest] },
  {
    source: "mable",
    language: "en",
    labels: [bug, ["crash", ["crash"]], performance, ["update", ["update_install"]]],
  },
  {
    source: "egardner_real",
    language: "en",
    labels: [ui, ["content", ["content"]], featureRequest],
  },
  {
    source: "leoudah_id_publicservice",
    language: "id",
    labels: [bug, featureRequest, ["login", ["login"]], performance, ["payment", ["payment"]]],
  },
  {
    source: "visfd_vi",
    language: "vi",
    labels: [
      ["battery", ["battery"]],
      performance,
      ["pricing", ["pricing"]],
      ["support", ["support"]],
      ui,
    ],
  },
];

const scoreHead = ["n", "with it", "P", "R", "F1"];

/** Precision, recall and F1 in per cent, on rows that the shipped classifier was not trained with. */
export function topicTable(): string {
  const rows = readTopicRows();
  const lines = sources.flatMap(({ source, language, labels }) => {
    const own = rowsOf(rows, { source, language });
    const measured = own.filter((row) => !topicSources.includes(source) || isHeldOut(row));
    const shipped = measured.map(shippedTopics);
    const words = measured.map(wordTopics);
    return labels.map(([topic, names]) => {
      const scoreOf = (found: string[][]) => fOne(...compare(measured, found, { topic, names }));
      return [
        `${source} ${language}`,
        topic,
        ...countsOf(measured, names),
        ...formatScore(scoreOf(shipped)),
        ...formatScore(scoreOf(words)).slice(2),
      ];
    });
  });
  return formatTable(["source", "topic", ...scoreHead, "F1 words"], lines);
}

/** The same on the labelled rows that were neither read nor trained with, and the mean of all F1. */
export function topicTableApart(): string {
  const rows = readTopicRowsApart();
  const scores: Score[] = [];
  const lines = sources.flatMap(({ source, language, labels }) => {
    const own = rowsOf(rows, { source, language });
    if (own.length === 0) return [];
    const shipped = own.map(shippedTopics);
    return labels.map(([topic, names]) => {
      const score = fOne(...compare(own, shipped, { topic, names }));
      scores.push(score);
      return [`${source} ${language}`, topic, ...countsOf(own, names), ...formatScore(score)];
    });
  });
  const mean = scores.reduce((sum, { f1 }) => sum + f1, 0) / Math.max(1, scores.length);
  const meanLine = ["mean", "", "", "", "", "", formatPercent(mean)];
  return formatTable(["source", "topic", ...scoreHead], [...lines, meanLine]);
}

function rowsOf(
  rows: readonly DataRow[],
  { source, language }: { source: string; language: string },
): DataRow[] {
  return rows.filter((row) => row.source === source && topicLanguage(row) === language);
}

function countsOf(rows: readonly DataRow[], names: readonly string[]): string[] {
  return [String(rows.length), String(rows.filter((row) => hasLabel(row, names)).length)];
}

function compare(
  rows: readonly DataRow[],
  found: readonly string[][],
  { topic, names }: { topic: Topic; names: readonly string[] },
): [boolean[], boolean[]] {
  return [rows.map((row) => hasLabel(row, names)), found.map((list) => list.includes(topic))];
}

function hasLabel({ topics_gold: gold = [] }: DataRow, names: readonly string[]): boolean {
  return names.some((name) => gold.includes(name));
}

/** Reviews of one and two stars and 40 characters or more. */
export function withoutTopicTable(): string {
  const lines = complaintSets().map(({ language, rows }) => [
    language,
    String(rows.length),
    formatPercent(shareOf(rows, (row) => shippedTopics(row).length === 0)),
  ]);
  return formatTable(["language", "n", "without a topic, %"], lines);
}

// Ratings are left out, because some sources have none.
function shippedTopics({ title = null, text }: DataRow): string[] {
  return analyzeReview({ title, text, rating: 0, languageHint: null }).topics;
}

function wordTopics(row: DataRow): Topic[] {
  const normalized = normalizeReview({ title: row.title ?? null, text: row.text });
  if (normalized === null) return [];
  return findListed(normalized, topicLanguage(row)).mentions.map(({ topic }) => topic);
}

type Score = { precision: number; recall: number; f1: number };

function fOne(isTrue: readonly boolean[], isFound: readonly boolean[]): Score {
  const both = isTrue.filter((truth, at) => truth && isFound[at]).length;
  const trueCount = isTrue.filter(Boolean).length;
  const foundCount = isFound.filter(Boolean).length;
  return {
    precision: both / Math.max(1, foundCount),
    recall: both / Math.max(1, trueCount),
    f1: (2 * both) / Math.max(1, trueCount + foundCount),
  };
}

function formatScore({ precision, recall, f1 }: Score): string[] {
  return [precision, recall, f1].map(formatPercent);
}
